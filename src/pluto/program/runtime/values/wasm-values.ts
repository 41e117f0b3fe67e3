import { type Byte, byteOf } from './byte.ts';
import type { ByteText } from './byte-text.ts';
import { type CompactInt, compactInts } from './compact-ints.ts';

/** A structure in WebAssembly, which JavaScript cannot look into. */
export type WasmRef = object;

/** A value that only WebAssembly code works on, as a field of an error. */
export class WasmValue {
  readonly ref: WasmRef;
  /** Its text in messages. */
  readonly text: ByteText;

  constructor(ref: WasmRef, text: ByteText) {
    this.ref = ref;
    this.text = text;
  }
}

/** The types of values that both languages use. */
export type SharedType = 'int' | 'float' | 'bool' | 'byte' | 'string';

/** Converts a value of WebAssembly. */
export function fromWasm(type: SharedType, value: unknown): unknown {
  switch (type) {
    case 'int':
      return compactInts.compact(value as bigint);
    case 'bool':
      return value !== 0;
    case 'byte':
      return byteOf(value as number);
    default:
      return value;
  }
}

/** Converts a value for WebAssembly. */
export function toWasm(type: SharedType, value: unknown): unknown {
  if (type === 'int') return compactInts.wide(value as CompactInt);
  return type === 'byte' ? (value as Byte).value : value;
}
