import { ManualClock } from './manual-clock.ts';

/** A clock that advances with every read, so that all time-sliced work really yields. */
export class WorkingClock extends ManualClock {
  override now(): number {
    this.advance(MS_PER_LOOK);
    return super.now();
  }

  override after(ms: number, fn: () => void): () => void {
    if (ms > 0) return super.after(ms, fn);
    const turn = setImmediate(fn);
    return () => clearImmediate(turn);
  }
}

/** Less than a slice, otherwise no turn would do any work. */
const MS_PER_LOOK = 3;
