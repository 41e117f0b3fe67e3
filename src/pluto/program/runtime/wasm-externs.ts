import type { Int, Value, WasmExtern, WasmExternType } from '../backend/contract.ts';
import { compactInts } from './values/compact-ints.ts';

/** An extern as WebAssembly code calls it. */
export interface ExternImport {
  readonly call: (...args: readonly unknown[]) => unknown;
  /** The type of the elements if the result is a list, which WebAssembly code cannot use as it is. */
  readonly element: WasmExternType | undefined;
}

type ExternNamed = (name: string, result: string) => (...args: Value[]) => Value;

/** The imports of the externs that WebAssembly code calls. Ints are bigints there and in externs, bools numbers. */
export const wasmExterns = (externs: readonly WasmExtern[], externNamed: ExternNamed): readonly ExternImport[] =>
  externs.map(({ name, params, result }) => {
    const extern = externNamed(name, result === 'void' ? '' : result);
    const call = (...args: readonly unknown[]): unknown =>
      resultOf(result, extern(...args.map((arg, index) => (params[index] === 'bool' ? arg !== 0 : arg))));
    return { call, element: result.startsWith('[') ? (result.slice(1, -1) as WasmExternType) : undefined };
  });

function resultOf(type: WasmExtern['result'], value: Value): unknown {
  if (type === 'int') return compactInts.wide(value as Int);
  return type === 'bool' ? Number(value) : value;
}
