import type { ProgramHost } from '../../../ports/program-host.ts';
import { wrap } from '../values/ints.ts';
import type { ExternTable } from './extern-table.ts';

/** `__pluto_random_…`: xorshift64* with a random seed, unless the program sets one. */
export function randomExterns(host: () => ProgramHost): ExternTable {
  let state = 0n;
  const seed = (value: bigint): void => {
    const bits = BigInt.asUintN(64, value);
    state = bits === 0n ? 1n : bits;
  };
  const next = (): bigint => {
    if (state === 0n) seed(host().seed());
    state ^= state >> 12n;
    state ^= BigInt.asUintN(64, state << 25n);
    state ^= state >> 27n;
    return BigInt.asUintN(64, state * 0x2545f4914f6cdd1dn);
  };
  return {
    __pluto_random_seed: seed,
    __pluto_random_int: () => wrap(next()),
    __pluto_random_float: () => Number(next() >> 11n) / 2 ** 53,
  };
}
