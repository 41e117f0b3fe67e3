/** The part of a clock that a time slice needs. */
interface SliceClock {
  now(): number;
  after(ms: number, fn: () => void): () => void;
}

/** Longest uninterrupted work; the extension host may be blocked for 20 ms at most, garbage collection included. */
const SLICE_MS = 4;

/** Shared by all calls that need not wait. */
const RESOLVED = Promise.resolve();

/** Splits long work into slices and lets the event loop run between them. Use one object per task, shared by all its parts. */
export class TimeSlice {
  readonly #clock: SliceClock;
  #since: number;
  #isTurnDue = false;

  constructor(clock: SliceClock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /**
   * Waits for the next turn of the event loop if the slice is used up, else resolves at once. Of many callers that wait, as many
   * continue in one turn as fit into one slice.
   */
  yieldToEventLoop(): Promise<void> {
    return this.isUsedUp() ? this.waitForNextTurn() : RESOLVED;
  }

  /** Waits for the next turn of the event loop, even if the slice is not used up. */
  waitForNextTurn(): Promise<void> {
    return new Promise(resolve => this.#enqueue(resolve));
  }

  /** Whether other work is due. */
  isUsedUp(): boolean {
    return this.#clock.now() - this.#since >= SLICE_MS;
  }

  #enqueue(resolve: () => void): void {
    if (!this.#isTurnDue) {
      this.#isTurnDue = true;
      // Runs first in the turn, because the clock calls back in the order of the requests.
      this.#clock.after(0, () => {
        this.#isTurnDue = false;
        this.#since = this.#clock.now();
      });
    }
    this.#clock.after(0, () => (this.isUsedUp() ? this.#enqueue(resolve) : resolve()));
  }
}

/** The time that handlers of events may take in one turn of the event loop, in which thousands of events can arrive. */
export class TurnBudget {
  readonly #clock: SliceClock;
  #since: number | undefined;

  constructor(clock: SliceClock) {
    this.#clock = clock;
  }

  /** Whether less than a slice was used since the first call in this turn, which always returns true. */
  hasTimeLeft(): boolean {
    if (this.#since !== undefined) return this.#clock.now() - this.#since < SLICE_MS;
    this.#since = this.#clock.now();
    // Microtasks run when all handlers of this turn have returned. A timer for each turn would keep the clock busy while nothing happens.
    void Promise.resolve().then(() => (this.#since = undefined));
    return true;
  }
}

/** Work that can pause at each `yield`. It has no clock, so the caller decides whether the event loop gets a turn there. */
export type PausableWork<T> = Generator<undefined, T>;

/** Runs the work without a pause. */
export function runToEnd<T>(work: PausableWork<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Runs the work and offers the event loop a turn at each pause. */
export async function runInSlices<T>(work: PausableWork<T>, slice: TimeSlice): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    // A promise for each step would take longer than most steps.
    if (slice.isUsedUp()) await slice.waitForNextTurn();
  }
}
