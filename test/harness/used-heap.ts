import { setImmediate } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage } from '../../scripts/bench/project/collect-garbage.ts';

/**
 * Bytes of the heap that are in use after garbage collection, without code, which V8 compiles and drops at any time.
 *
 * The test runner keeps an entry for each promise until the turn after its collection. These entries are not counted.
 */
export async function usedHeap(): Promise<number> {
  collectGarbage();
  await setImmediate();
  collectGarbage();
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => !/code|trusted/u.test(space_name));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
