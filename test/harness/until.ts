import { setTimeout as delay } from 'node:timers/promises';

/** Far above what anything here takes on a busy machine: what has not happened by then does not happen. */
const LIMIT_MS = 60_000;

/** Waits until `holds`, looking again in short turns, so that whoever is waited for has the processor. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not become true in ${LIMIT_MS / 1000} s: ${String(holds)}`);
    await delay(1);
  }
}
