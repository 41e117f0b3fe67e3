import { setImmediate } from 'node:timers/promises';

/** Waits until `holds`, looking again whenever the event loop has come round; the time limit of the test is its end. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}
