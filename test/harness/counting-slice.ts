import { TimeSlice } from '../../src/base/time-slice.ts';
import { ManualClock } from './manual-clock.ts';

/** Counts the places at which the event loop may have a turn; never waits. */
export class CountingSlice extends TimeSlice {
  turns = 0;

  constructor() {
    super(new ManualClock());
  }

  override async yieldToEventLoop(): Promise<void> {
    this.turns += 1;
  }
}
