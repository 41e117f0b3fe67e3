import { setTimeout as delay } from 'node:timers/promises';

/** In a full run, two test files and their windows, servers and Studios share two cores. */
const BUSY_FACTOR = 3;

/**
 * Polls until there is a result, for state without an event. Rejects with `what` and the last failure.
 *
 * @param idleTimeoutMs the time limit on an idle machine
 */
export async function until<T>(what: string, idleTimeoutMs: number, ask: () => Promise<T | undefined>): Promise<T> {
  const timeoutMs = idleTimeoutMs * BUSY_FACTOR;
  const end = performance.now() + timeoutMs;
  let last: unknown;
  do {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await delay(100);
  } while (performance.now() < end);
  throw new Error(`${what} did not happen in ${timeoutMs} ms`, { cause: last });
}
