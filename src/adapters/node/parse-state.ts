import { JsonSyntaxError, parseJsonPausable } from '../../base/decode/paced-json.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { nodeClock } from './clock.ts';

/** No limits: the program wrote the file itself, and a checksum or a schema validates it. */
const NO_LIMITS = { bytes: Infinity, depth: Infinity, elements: Infinity };

/**
 * Parses a file of the state folder without blocking the thread; the record of a sync and the base of a place can have tens of megabytes.
 *
 * @param hasMaps returns large objects as maps
 * @returns `undefined` if it is not JSON
 */
export async function parseState(bytes: Uint8Array, hasMaps = false): Promise<unknown> {
  try {
    return await runInSlices(parseJsonPausable(bytes, NO_LIMITS, hasMaps), new TimeSlice(nodeClock));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
