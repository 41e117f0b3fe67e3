import { setTimeout as delay } from 'node:timers/promises';

/** Far longer than any step takes on a busy machine. */
const LIMIT_MS = 60_000;

/** Polls until `holds` returns true, yielding to the event loop between checks. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not become true in ${LIMIT_MS / 1000} s: ${String(holds)}`);
    await delay(1);
  }
}
