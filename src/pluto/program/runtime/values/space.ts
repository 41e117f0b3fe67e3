import { fail } from './failures.ts';

/** Bytes per element while the engine copies a collection into a larger block. */
const BYTES_PER_ELEMENT = 36;
/** V8 ends the process when an array grows beyond 2^27 - 3 elements, and it grows by half each time. */
const MAX_ELEMENTS = 2 ** 26 - 1;
let maxElements = MAX_ELEMENTS;

/** Makes collections fail before they need more memory than there is, because the engine ends the whole process then. */
export function limitCollections(heapBytes: number): void {
  maxElements = Math.min(heapBytes / BYTES_PER_ELEMENT, MAX_ELEMENTS);
}

/** Whether there is enough memory for a collection of this number of elements. */
export const hasSpace = (count: number): boolean => count <= maxElements;

/** @throws Failure if there is not enough memory for this number of elements, or for more of them if a collection grows */
export function requireSpace(count: number, what = 'a list is too long'): void {
  if (!hasSpace(count)) fail(`pluto: out of memory: ${what}`);
}
