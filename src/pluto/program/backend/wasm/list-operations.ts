import type { ListFunction, Signature } from './callee.ts';
import { I32, refTo } from './encoder.ts';
import { FunctionCode, type FunctionContext } from './function-code.ts';
import { isSameKey } from './hashes.ts';
import { arrayType, elementOf, isScalar, type Kind, LIST, type ListKind, listType } from './kinds.ts';
import { type ListOperation, signatureOf } from './list-signatures.ts';
import { push } from './lists.ts';
import { unsupported } from './unsupported.ts';

function partsOf(of: ListFunction): { readonly name: ListOperation; readonly kind: ListKind } {
  const [, name, ...kind] = of.split(' ');
  return { name: name as ListOperation, kind: kind.join(' ') as ListKind };
}

export function listSignature(of: ListFunction): Signature {
  const { name, kind } = partsOf(of);
  const { params, result } = signatureOf(name, kind);
  return { self: undefined, params: [kind, ...params], result };
}

/** Emits the function that does an operation on lists of one kind. */
export function listOperation(context: FunctionContext, of: ListFunction): FunctionCode {
  const { name, kind } = partsOf(of);
  const body = new FunctionCode(context, () => unsupported(), undefined);
  // Its calls have no places.
  body.code.mark('');
  const list = new ListCode(body, elementOf(kind), body.argument());
  switch (name) {
    case 'index_of':
      list.indexOf(body.argument());
      break;
    case 'reverse':
      list.reverse();
      break;
    case 'slice':
      list.slice(body.argument(), body.argument());
      break;
    case 'insert_at':
      list.insert(body.argument(), body.argument());
      break;
    case 'remove_at':
      list.remove(body.argument());
  }
  return body;
}

/** One function on a list, which is its first parameter. */
class ListCode {
  readonly #body: FunctionCode;
  readonly #code: FunctionCode['code'];
  readonly #of: Kind;
  readonly #list: number;

  constructor(body: FunctionCode, of: Kind, list: number) {
    this.#body = body;
    this.#code = body.code;
    this.#of = of;
    this.#list = list;
  }

  get #array(): number {
    return arrayType(this.#of);
  }

  #length(): void {
    this.#code.at('local.get', this.#list).gc('struct.get', listType(this.#of), LIST.length);
  }

  #items(): void {
    this.#code.at('local.get', this.#list).gc('struct.get', listType(this.#of), LIST.items);
  }

  #setLength(emit: () => void): void {
    this.#code.at('local.get', this.#list);
    emit();
    this.#code.gc('struct.set', listType(this.#of), LIST.length);
  }

  /** Elements are compared like keys. */
  indexOf(wanted: number): void {
    const [at, length] = [this.#body.local(I32), this.#body.local(I32)];
    const element = this.#body.local(this.#of);
    const items = this.#body.local(refTo(this.#array));
    const code = this.#code;
    this.#length();
    code.at('local.set', length);
    this.#items();
    code.at('local.set', items).i32(0).at('local.set', at).open('block').open('loop');
    code.at('local.get', at).at('local.get', length).op('i32.ge_u').at('br_if', 1);
    code.at('local.get', items).at('local.get', at);
    this.#body.element(this.#of);
    code.at('local.set', element);
    isSameKey(this.#body, this.#of, [element, wanted]);
    code.open('if').at('local.get', at).op('i64.extend_i32_u', 'return', 'end');
    code.at('local.get', at).i32(1).op('i32.add').at('local.set', at).at('br', 0).op('end', 'end').i64(-1n);
  }

  reverse(): void {
    const [from, to] = [this.#body.local(I32), this.#body.local(I32)];
    const element = this.#body.local(this.#of);
    const items = this.#body.local(refTo(this.#array));
    const code = this.#code;
    this.#length();
    code.at('local.set', to);
    this.#items();
    code.at('local.set', items).i32(0).at('local.set', from).open('block').open('loop');
    code.at('local.get', to).i32(1).op('i32.sub').at('local.set', to);
    // The last one is -1 for an empty list.
    code.at('local.get', from).at('local.get', to).op('i32.lt_s', 'i32.eqz').at('br_if', 1);
    code.at('local.get', items).at('local.get', from);
    this.#body.element(this.#of);
    code.at('local.set', element);
    code.at('local.get', items).at('local.get', from).at('local.get', items).at('local.get', to);
    this.#body.element(this.#of);
    code.gc('array.set', this.#array);
    code.at('local.get', items).at('local.get', to).at('local.get', element).gc('array.set', this.#array);
    code.at('local.get', from).i32(1).op('i32.add').at('local.set', from).at('br', 0).op('end', 'end');
  }

  /** Copies a part; its start and its end are limited to the list. */
  slice(start: number, end: number): void {
    const code = this.#code;
    const [length, count] = [this.#body.local('int'), this.#body.local(I32)];
    const copy = this.#body.local(refTo(this.#array));
    const limit = (index: number, least: () => void): void => {
      code.at('local.get', index).at('local.get', length);
      code.at('local.get', index).at('local.get', length).op('i64.lt_s', 'select').at('local.set', index);
      least();
      code.at('local.get', index);
      least();
      code.at('local.get', index).op('i64.gt_s', 'select').at('local.set', index);
    };
    this.#length();
    code.op('i64.extend_i32_u').at('local.set', length);
    limit(start, () => code.i64(0n));
    limit(end, () => code.at('local.get', start));
    code.at('local.get', end).at('local.get', start).op('i64.sub', 'i32.wrap_i64').at('local.set', count);
    // The capacity is a power of two, as when a list grows.
    code.i32(1).i32(32).at('local.get', count).i32(1).op('i32.sub', 'i32.clz', 'i32.sub', 'i32.shl');
    code.gc('array.new_default', this.#array).at('local.tee', copy).i32(0);
    this.#items();
    code.at('local.get', start).op('i32.wrap_i64').at('local.get', count).gc('array.copy', this.#array, this.#array);
    code.at('local.get', count).at('local.get', copy).nullExtern().gc('struct.new', listType(this.#of));
  }

  /** Moves elements inside of the array. @param to and `from` are emitted with the int in `index` */
  #move(index: number, to: 0 | 1, from: 0 | 1, count: () => void): void {
    const code = this.#code;
    for (const offset of [to, from]) {
      this.#items();
      code.at('local.get', index).op('i32.wrap_i64').i32(offset).op('i32.add');
    }
    count();
    code.gc('array.copy', this.#array, this.#array);
  }

  #failUnless(index: number, what: string): void {
    const code = this.#code;
    code.open('if').at('local.get', index);
    this.#length();
    code.i32(this.#body.context.text(what));
    this.#body.call('fail_index');
    code.op('unreachable', 'end');
  }

  insert(index: number, value: number): void {
    const code = this.#code;
    code.at('local.get', index);
    this.#length();
    code.op('i64.extend_i32_u', 'i64.le_u', 'i32.eqz');
    this.#failUnless(index, 'array insert_at');
    code.at('local.get', value);
    push(this.#body, this.#list, this.#of);
    this.#move(index, 1, 0, () => {
      this.#length();
      code.i32(1).op('i32.sub').at('local.get', index).op('i32.wrap_i64', 'i32.sub');
    });
    this.#items();
    code.at('local.get', index).op('i32.wrap_i64').at('local.get', value).gc('array.set', this.#array);
  }

  remove(index: number): void {
    const code = this.#code;
    const removed = this.#body.local(this.#of);
    code.at('local.get', index);
    this.#length();
    code.op('i64.extend_i32_u', 'i64.ge_u');
    this.#failUnless(index, 'array remove_at');
    this.#items();
    code.at('local.get', index).op('i32.wrap_i64');
    this.#body.element(this.#of);
    code.at('local.set', removed);
    this.#setLength(() => {
      this.#length();
      code.i32(1).op('i32.sub');
    });
    this.#move(index, 0, 1, () => {
      this.#length();
      code.at('local.get', index).op('i32.wrap_i64', 'i32.sub');
    });
    if (!isScalar(this.#of)) {
      // A value that no list has must not stay in memory.
      this.#items();
      this.#length();
      this.#body.null(this.#of);
      code.gc('array.set', this.#array);
    }
    code.at('local.get', removed);
  }
}
