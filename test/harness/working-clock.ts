import { ManualClock } from './manual-clock.ts';

/** Time that moves on with every look at it, so that everything that may pause does: others really have their turn then. */
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

/** Fewer than a slice has: else no turn would ever have room for anything. */
const MS_PER_LOOK = 3;
