import { TimeSlice } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

/** Writes warnings to the log, and lets the event loop run in between: a project can have a problem in each of thousands of files. */
export async function warnInSlices(log: Logger, clock: Clock, lines: readonly string[]): Promise<void> {
  const slice = new TimeSlice(clock);
  for (const line of lines) {
    await slice.yieldToEventLoop();
    log.warn(line);
  }
}
