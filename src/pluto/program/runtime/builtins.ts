import type { Value } from '../backend/contract.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import { Bytes } from './values/collections.ts';
import { type CompactInt, compactInts } from './values/compact-ints.ts';
import { roundHalfAway } from './values/floats.ts';
import { textOf } from './values/text-of.ts';

/** Built-in functions by name. Those of ints are in `compactInts`, except for `min` and `max`. */
export const builtinsOver = (host: ProgramHost) => ({
  /** @param text a text, or a value other than an int */
  print: (text: Value): void => host.write('stdout', `${textOf(text)}\n`),
  abs: Math.abs,
  // Returns the second argument if a float is NaN.
  min: (a: CompactInt, b: CompactInt): CompactInt => (a < b ? a : b),
  max: (a: CompactInt, b: CompactInt): CompactInt => (a > b ? a : b),
  pow: (base: number, exponent: number): number => base ** exponent,
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundHalfAway,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  log: Math.log,
  time_ns: (): CompactInt => compactInts.compact(host.monotonicNs()),
  gc_heap_size: (): number => Math.round(host.heapBytes()),
  bytes_new: (): Bytes => new Bytes(),
});
