import { EXTERNREF, I32, refTo, type TypeCode, WasmCode } from './encoder.ts';
import { box, unbox } from './boxes.ts';
import {
  arrayType,
  type Boxed,
  codeOf,
  importIndex,
  isPacked,
  LIST,
  listType,
  scalarOf,
  type Shared,
} from './kinds.ts';
import { push } from './lists.ts';

/** A function through which JavaScript uses values of WebAssembly. */
export interface ExportedFunction {
  readonly name: string;
  readonly params: readonly TypeCode[];
  readonly results: readonly TypeCode[];
  readonly locals: readonly TypeCode[];
  readonly code: WasmCode;
}

/** The functions of the runtime's `WasmLists`, for lists of one type. */
export function listFunctions(of: Shared): readonly ExportedFunction[] {
  const type = listType(of);
  const array = arrayType(of);
  const list = refTo(type);
  const value = codeOf(of);
  const get = isPacked(of) ? 'array.get_u' : 'array.get';
  const define = (
    name: string,
    params: readonly TypeCode[],
    results: readonly TypeCode[],
    code: WasmCode,
    locals: readonly TypeCode[] = [],
  ): ExportedFunction => ({ name: `${name}_${of}`, params, results, locals, code });
  const code = (): WasmCode => new WasmCode().at('local.get', 0);
  const pushCode = new WasmCode();
  const pushLocals: TypeCode[] = [];
  pushCode.at('local.get', 1);
  push(
    {
      code: pushCode,
      local(kind) {
        pushLocals.push(typeof kind === 'string' ? codeOf(kind) : kind);
        return 1 + pushLocals.length;
      },
      call: name => pushCode.at('call', importIndex(name)),
    },
    0,
    of,
  );
  const truncateCode = code().at('local.get', 1).gc('struct.set', type, LIST.length);
  if (of === 'string') {
    // Strings that no list has must not stay in memory.
    const items = code().gc('struct.get', type, LIST.items);
    truncateCode.append(items).at('local.get', 1).nullExtern().append(items).arrayLen();
    truncateCode.at('local.get', 1).op('i32.sub').gc('array.fill', array);
  }
  return [
    // The capacity is given apart from the length, because it must be a power of two.
    define(
      'make',
      [I32, I32],
      [list],
      code().at('local.get', 1).gc('array.new_default', array).nullExtern().gc('struct.new', type),
    ),
    define('length', [list], [I32], code().gc('struct.get', type, LIST.length)),
    define('get', [list, I32], [value], code().gc('struct.get', type, LIST.items).at('local.get', 1).gc(get, array)),
    define(
      'set',
      [list, I32, value],
      [],
      code().gc('struct.get', type, LIST.items).at('local.get', 1).at('local.get', 2).gc('array.set', array),
    ),
    define('push', [list, value], [], pushCode, pushLocals),
    define('truncate', [list, I32], [], truncateCode),
    define(
      'move',
      [list, I32, I32, I32],
      [],
      code()
        .gc('struct.get', type, LIST.items)
        .at('local.get', 1)
        .at('local.get', 0)
        .gc('struct.get', type, LIST.items)
        .at('local.get', 2)
        .at('local.get', 3)
        .gc('array.copy', array, array),
    ),
    define('owner', [list], [EXTERNREF], code().gc('struct.get', type, LIST.owner)),
    define('own', [list, EXTERNREF], [], code().at('local.get', 1).gc('struct.set', type, LIST.owner)),
  ];
}

/** The functions by which JavaScript makes and reads structures with a scalar. */
export function boxFunctions(kind: Boxed): readonly ExportedFunction[] {
  const scalar = scalarOf(kind);
  const [made, read] = [new WasmCode().at('local.get', 0), new WasmCode().at('local.get', 0)];
  box(made, kind);
  unbox(read, kind);
  return [
    { name: `box_${scalar}`, params: [codeOf(scalar)], results: [codeOf(kind)], locals: [], code: made },
    { name: `unbox_${scalar}`, params: [codeOf(kind)], results: [codeOf(scalar)], locals: [], code: read },
  ];
}
