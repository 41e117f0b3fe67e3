import type { Value } from '../backend/contract.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import { Bytes } from './values/collections.ts';
import { raise, runtimeErrors } from './values/failures.ts';
import { roundHalfAway } from './values/floats.ts';
import { power, wrap } from './values/ints.ts';
import { textOf } from './values/text-of.ts';

type Numeric = bigint | number;

/** Built-in functions by name. */
export const builtinsOver = (host: ProgramHost) => ({
  print: (value: Value): void => host.write('stdout', `${textOf(value)}\n`),
  abs: (value: Numeric): Numeric => (typeof value === 'bigint' ? wrap(value < 0n ? -value : value) : Math.abs(value)),
  // Returns the second argument if a float is NaN.
  min: (a: Numeric, b: Numeric): Numeric => (a < b ? a : b),
  max: (a: Numeric, b: Numeric): Numeric => (a > b ? a : b),
  pow(base: Numeric, exponent: Numeric): Numeric {
    if (typeof base === 'number' || typeof exponent === 'number') return Number(base) ** Number(exponent);
    if (exponent < 0n) raise(runtimeErrors.MathError, ['negative exponent']);
    return power(base, exponent);
  },
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundHalfAway,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  log: Math.log,
  time_ns: (): bigint => host.monotonicNs(),
  gc_heap_size: (): bigint => BigInt(Math.round(host.heapBytes())),
  bytes_new: (): Bytes => new Bytes(),
});
