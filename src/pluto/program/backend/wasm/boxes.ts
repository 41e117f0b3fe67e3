import type { WasmCode } from './encoder.ts';
import { type Boxed, structureType } from './kinds.ts';

/** Makes a structure of the scalar on the stack. */
export const box = (code: WasmCode, kind: Boxed): void => void code.gc('struct.new', structureType(kind));

/** Leaves the scalar of the structure on the stack, which is not null. */
export const unbox = (code: WasmCode, kind: Boxed): void => void code.gc('struct.get', structureType(kind), 0);
