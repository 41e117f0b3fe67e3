import type { Signature, TableFunction } from './callee.ts';
import { I32, refTo } from './encoder.ts';
import { FunctionCode, type FunctionContext } from './function-code.ts';
import {
  arrayType,
  isScalar,
  type Key,
  keyOf,
  type Kind,
  listType,
  MARKS_TYPE,
  TABLE,
  type TableKind,
  tableType,
  valueOf,
} from './kinds.ts';
import { hashOfKey, isSameKey } from './hashes.ts';
import { unsupported } from './unsupported.ts';

const MIN_SLOTS = 8;
// Slots as in the runtime's `HashTable`: programs can observe their order.
const HIGHEST_BIT = -(2 ** 31);

interface Operation {
  readonly name: string;
  readonly kind: TableKind;
  readonly key: Key;
  /** `undefined` for a set. */
  readonly value: Kind | undefined;
}

function operationOf(of: TableFunction): Operation {
  const space = of.indexOf(' ');
  const kind = of.slice(space + 1) as TableKind;
  return { name: of.slice(0, space), kind, key: keyOf(kind), value: valueOf(kind) };
}

/** The function that finds the slot of a key, which is -1 if there is none. All maps and sets with such keys share it. */
export const findFunction = (kind: TableKind): TableFunction => `find {${keyOf(kind)}}`;
/** The function that finds the slot of a key, or adds it. */
export const putFunction = (kind: TableKind): TableFunction => `put ${kind}`;
export const removeFunction = (kind: TableKind): TableFunction => `remove ${kind}`;
export const keysFunction = (kind: TableKind): TableFunction => `keys {${keyOf(kind)}}`;
export const valuesFunction = (kind: TableKind): TableFunction => `values ${kind}`;

export function tableSignature(of: TableFunction): Signature | undefined {
  const { name, kind, key, value } = operationOf(of);
  switch (name) {
    case 'find':
    case 'put':
      // A slot has the type of a bool.
      return { self: undefined, params: [kind, key], result: 'bool' };
    case 'grow':
      return { self: undefined, params: [kind], result: undefined };
    case 'remove':
      return { self: undefined, params: [kind, key], result: undefined };
    case 'keys':
      return { self: undefined, params: [kind], result: `[${key}]` };
    default:
      return value && { self: undefined, params: [kind], result: `[${value}]` };
  }
}

export function tableFunction(context: FunctionContext, of: TableFunction): FunctionCode {
  const operation = operationOf(of);
  const body = new FunctionCode(context, () => unsupported(), undefined);
  // Its calls have no places.
  body.code.mark('');
  const code = new TableCode(body, operation);
  switch (operation.name) {
    case 'find':
      code.find();
      break;
    case 'put':
      code.put();
      break;
    case 'grow':
      code.grow();
      break;
    case 'remove':
      code.remove();
      break;
    case 'keys':
      code.keys();
      break;
    default:
      code.values();
  }
  return body;
}

/** Leaves a new map or set. */
export function newTable({ code }: FunctionCode, kind: TableKind): void {
  const value = valueOf(kind);
  code.i32(0).i32(MIN_SLOTS).gc('array.new_default', MARKS_TYPE);
  code.i32(MIN_SLOTS).gc('array.new_default', arrayType(keyOf(kind)));
  if (value === undefined) code.nullCollected();
  else code.i32(MIN_SLOTS).gc('array.new_default', arrayType(value));
  code.gc('struct.new', tableType(keyOf(kind)));
}

/** The variables with the arrays of a table that a search needs. */
interface Searched {
  readonly marks: number;
  readonly keys: number;
}

interface Arrays extends Searched {
  readonly values: number | undefined;
}

/** One function on a map or set, which is its first parameter; the key is the second one. */
class TableCode {
  readonly #body: FunctionCode;
  readonly #operation: Operation;
  readonly #table: number;

  constructor(body: FunctionCode, operation: Operation) {
    this.#body = body;
    this.#operation = operation;
    this.#table = body.argument();
  }

  get #code(): FunctionCode['code'] {
    return this.#body.code;
  }

  get #type(): number {
    return tableType(this.#operation.key);
  }

  #i32(): number {
    return this.#body.local(I32);
  }

  #get(field: number): void {
    this.#code.at('local.get', this.#table).gc('struct.get', this.#type, field);
  }

  /** Reads the arrays that a search needs into variables. */
  #searched(): Searched {
    const marks = this.#body.local(refTo(MARKS_TYPE));
    const keys = this.#body.local(refTo(arrayType(this.#operation.key)));
    this.#get(TABLE.marks);
    this.#code.at('local.set', marks);
    this.#get(TABLE.keys);
    this.#code.at('local.set', keys);
    return { marks, keys };
  }

  /** Reads the arrays of the table into variables. */
  #arrays(): Arrays {
    const { value } = this.#operation;
    const { marks, keys } = this.#searched();
    if (value === undefined) return { marks, keys, values: undefined };
    const values = this.#body.local(refTo(arrayType(value)));
    this.#get(TABLE.values);
    this.#code.cast(arrayType(value)).at('local.set', values);
    return { marks, keys, values };
  }

  /** Leaves the mark of a key. */
  #mark(key: number): void {
    hashOfKey(this.#body, this.#operation.key, key);
    this.#code.i32(HIGHEST_BIT).op('i32.or');
  }

  /** Searches a key from its slot on. @param missing is emitted for an empty slot, and must leave the loop @param found likewise */
  #search(
    key: number,
    { marks, keys }: Searched,
    missing: (at: number, mark: number) => void,
    found: (at: number) => void,
  ): void {
    const [mark, mask, at, other] = [this.#i32(), this.#i32(), this.#i32(), this.#i32()];
    this.#mark(key);
    this.#code.at('local.tee', mark);
    this.#code.at('local.get', marks).arrayLen().i32(1).op('i32.sub').at('local.tee', mask);
    this.#code.op('i32.and').at('local.set', at).open('loop');
    this.#code.at('local.get', marks).at('local.get', at).gc('array.get', MARKS_TYPE).at('local.tee', other);
    this.#code.op('i32.eqz').open('if');
    missing(at, mark);
    this.#code.op('end').at('local.get', other).at('local.get', mark).op('i32.eq').open('if');
    const used = this.#body.local(this.#operation.key);
    this.#code.at('local.get', keys).at('local.get', at);
    this.#body.element(this.#operation.key);
    this.#code.at('local.set', used);
    isSameKey(this.#body, this.#operation.key, [used, key]);
    this.#code.open('if');
    found(at);
    this.#code.op('end', 'end');
    this.#next(at, mask);
    this.#code.at('local.set', at).at('br', 0).op('end', 'unreachable');
  }

  /** Leaves the slot after another. */
  #next(at: number, mask: number): void {
    this.#code.at('local.get', at).i32(1).op('i32.add').at('local.get', mask).op('i32.and');
  }

  #returnSlot(at: number): void {
    this.#code.at('local.get', at).op('return');
  }

  find(): void {
    const key = this.#body.argument();
    this.#search(
      key,
      this.#searched(),
      () => this.#code.i32(-1).op('return'),
      at => this.#returnSlot(at),
    );
  }

  put(): void {
    const key = this.#body.argument();
    this.#get(TABLE.size);
    this.#code.i32(2).op('i32.shl');
    this.#get(TABLE.marks);
    this.#code.arrayLen().i32(3).op('i32.mul', 'i32.ge_u').open('if').at('local.get', this.#table);
    this.#code.at('call', this.#body.context.functionIndex(`grow ${this.#operation.kind}`)).op('end');
    const { marks, keys } = this.#searched();
    this.#search(
      key,
      { marks, keys },
      (at, mark) => {
        this.#code.at('local.get', marks).at('local.get', at).at('local.get', mark).gc('array.set', MARKS_TYPE);
        this.#code.at('local.get', keys).at('local.get', at).at('local.get', key);
        this.#code.gc('array.set', arrayType(this.#operation.key));
        this.#addToSize(1);
        this.#returnSlot(at);
      },
      at => this.#returnSlot(at),
    );
  }

  #addToSize(count: 1 | -1): void {
    this.#code.at('local.get', this.#table);
    this.#get(TABLE.size);
    this.#code.i32(count).op('i32.add').gc('struct.set', this.#type, TABLE.size);
  }

  /** Copies a key and its value to an empty slot. */
  #copy(from: Arrays, source: number, to: Arrays, target: number): void {
    const { key, value } = this.#operation;
    const copy = (array: number, other: number, kind: Kind): void => {
      this.#code.at('local.get', other).at('local.get', target).at('local.get', array).at('local.get', source);
      this.#body.element(kind);
      this.#code.gc('array.set', arrayType(kind));
    };
    copy(from.keys, to.keys, key);
    if (value === undefined || from.values === undefined || to.values === undefined) return;
    copy(from.values, to.values, value);
  }

  grow(): void {
    const { key, value } = this.#operation;
    const old = this.#arrays();
    const [count, mask, from, mark, at] = [this.#i32(), this.#i32(), this.#i32(), this.#i32(), this.#i32()];
    const made = (type: number): number => {
      const array = this.#body.local(refTo(type));
      this.#code.at('local.get', mask).i32(1).op('i32.add').gc('array.new_default', type).at('local.set', array);
      return array;
    };
    const set = (field: number, array: number): void =>
      void this.#code.at('local.get', this.#table).at('local.get', array).gc('struct.set', this.#type, field);
    this.#code.at('local.get', old.marks).arrayLen().at('local.tee', count);
    this.#body.call('check_slots');
    this.#code.at('local.get', count).i32(1).op('i32.shl').i32(1).op('i32.sub').at('local.set', mask);
    const grown = {
      marks: made(MARKS_TYPE),
      keys: made(arrayType(key)),
      values: value === undefined ? undefined : made(arrayType(value)),
    };
    this.#code.i32(0).at('local.set', from).open('loop');
    this.#code
      .at('local.get', old.marks)
      .at('local.get', from)
      .gc('array.get', MARKS_TYPE)
      .at('local.tee', mark)
      .open('if');
    this.#code.at('local.get', mark).at('local.get', mask).op('i32.and').at('local.set', at).open('block').open('loop');
    this.#code
      .at('local.get', grown.marks)
      .at('local.get', at)
      .gc('array.get', MARKS_TYPE)
      .op('i32.eqz')
      .at('br_if', 1);
    this.#next(at, mask);
    this.#code.at('local.set', at).at('br', 0).op('end', 'end');
    this.#code.at('local.get', grown.marks).at('local.get', at).at('local.get', mark).gc('array.set', MARKS_TYPE);
    this.#copy(old, from, grown, at);
    this.#code.op('end').at('local.get', from).i32(1).op('i32.add').at('local.tee', from);
    this.#code.at('local.get', count).op('i32.lt_u').at('br_if', 0).op('end');
    set(TABLE.marks, grown.marks);
    set(TABLE.keys, grown.keys);
    if (grown.values !== undefined) set(TABLE.values, grown.values);
  }

  /** Removes a key, and closes the gap. */
  remove(): void {
    const { kind, key: keyKind, value } = this.#operation;
    const key = this.#body.argument();
    const arrays = this.#arrays();
    const { marks } = arrays;
    const [gap, mask, at, mark] = [this.#i32(), this.#i32(), this.#i32(), this.#i32()];
    const code = this.#code;
    code
      .at('local.get', this.#table)
      .at('local.get', key)
      .at('call', this.#body.context.functionIndex(findFunction(kind)));
    code.at('local.tee', gap).i32(0).op('i32.lt_s').open('if').op('return', 'end');
    this.#addToSize(-1);
    code.at('local.get', marks).arrayLen().i32(1).op('i32.sub').at('local.set', mask);
    code.at('local.get', gap).at('local.set', at).open('block').open('loop');
    this.#next(at, mask);
    code
      .at('local.set', at)
      .at('local.get', marks)
      .at('local.get', at)
      .gc('array.get', MARKS_TYPE)
      .at('local.tee', mark)
      .op('i32.eqz')
      .at('br_if', 1);
    // The entry moves back unless its home slot is between the gap and its current slot.
    code.at('local.get', at).at('local.get', mark).op('i32.sub').at('local.get', mask).op('i32.and');
    code
      .at('local.get', at)
      .at('local.get', gap)
      .op('i32.sub')
      .at('local.get', mask)
      .op('i32.and', 'i32.lt_u')
      .at('br_if', 0);
    code.at('local.get', marks).at('local.get', gap).at('local.get', mark).gc('array.set', MARKS_TYPE);
    this.#copy(arrays, at, arrays, gap);
    code.at('local.get', at).at('local.set', gap).at('br', 0).op('end', 'end');
    code.at('local.get', marks).at('local.get', gap).i32(0).gc('array.set', MARKS_TYPE);
    // Keys and values that no map has must not stay in memory.
    const clear = (array: number, of: Kind): void => {
      if (isScalar(of)) return;
      code.at('local.get', array).at('local.get', gap);
      this.#body.null(of);
      code.gc('array.set', arrayType(of));
    };
    clear(arrays.keys, keyKind);
    if (value !== undefined && arrays.values !== undefined) clear(arrays.values, value);
  }

  keys(): void {
    this.#list(TABLE.keys, this.#operation.key);
  }

  values(): void {
    this.#list(TABLE.values, this.#operation.value ?? unsupported());
  }

  /** Leaves a list of the elements of an array in the slots with keys. */
  #list(field: number, element: Kind): void {
    const array = arrayType(element);
    const code = this.#code;
    const [items, marks, listed] = [
      this.#body.local(refTo(array)),
      this.#body.local(refTo(MARKS_TYPE)),
      this.#body.local(refTo(array)),
    ];
    const [slots, from, at] = [this.#i32(), this.#i32(), this.#i32()];
    this.#get(field);
    if (field === TABLE.values) code.cast(array);
    code.at('local.set', items);
    this.#get(TABLE.marks);
    code.at('local.tee', marks).arrayLen().at('local.set', slots);
    // The capacity is a power of two, as when a list grows.
    code.i32(1).i32(32);
    this.#get(TABLE.size);
    code.i32(1).op('i32.sub', 'i32.clz', 'i32.sub', 'i32.shl').gc('array.new_default', array).at('local.set', listed);
    code.i32(0).at('local.set', from).i32(0).at('local.set', at).open('loop');
    code.at('local.get', marks).at('local.get', from).gc('array.get', MARKS_TYPE).open('if');
    code.at('local.get', listed).at('local.get', at).at('local.get', items).at('local.get', from);
    this.#body.element(element);
    code.gc('array.set', array);
    code.at('local.get', at).i32(1).op('i32.add').at('local.set', at).op('end');
    code
      .at('local.get', from)
      .i32(1)
      .op('i32.add')
      .at('local.tee', from)
      .at('local.get', slots)
      .op('i32.lt_u')
      .at('br_if', 0)
      .op('end');
    this.#get(TABLE.size);
    code.at('local.get', listed).nullExtern().gc('struct.new', listType(element));
  }
}
