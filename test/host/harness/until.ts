import { setTimeout as delay } from 'node:timers/promises';

/** Polls until there is a result, for state without an event. Rejects with `what` and the last failure. */
export async function until<T>(what: string, timeoutMs: number, ask: () => Promise<T | undefined>): Promise<T> {
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
