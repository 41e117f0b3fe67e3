import { TimeSlice } from '../../src/base/time-slice.ts';
import { ManualClock } from './manual-clock.ts';

/** Counts the calls that may yield to the event loop; never yields. */
export class CountingSlice extends TimeSlice {
  turns = 0;

  constructor() {
    super(new ManualClock());
  }

  override isUsedUp(): boolean {
    this.turns += 1;
    return false;
  }
}
