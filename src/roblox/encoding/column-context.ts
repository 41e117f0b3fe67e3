import type { Ref } from '../../base/brand.ts';

/** The data outside a chunk that its values refer to. */
export interface ColumnReadContext {
  sharedString(index: number): Uint8Array | undefined;
  /** The Ref of an instance by its number; the null Ref for -1 and for unused numbers. */
  refOf(number: number): Ref;
}
export interface ColumnWriteContext {
  sharedIndex(bytes: Uint8Array): number;
  /** -1 for the null Ref and for instances that are not in the file. */
  numberOf(ref: Ref): number;
}
