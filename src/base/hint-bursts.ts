/** Number of hints without a pause from which on some may have been dropped: Linux queues 16,384 events by default. */
const BURST_SIZE = 1_000;
/** The pause that ends a burst. */
const PAUSE_MS = 1_000;

interface Timers {
  now(): number;
  after(ms: number, fn: () => void): () => void;
}

/**
 * Calls `onEnd` after a large burst of hints. Operating systems and VS Code drop events when a program does not read them in time, and do
 * not always report that; a full scan then finds the dropped changes.
 */
export class HintBursts implements Disposable {
  readonly #clock: Timers;
  readonly #onEnd: () => void;
  #count = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Timers, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  add(): void {
    const now = this.#clock.now();
    this.#count = now - this.#lastAt > PAUSE_MS ? 1 : this.#count + 1;
    this.#lastAt = now;
    if (this.#count >= BURST_SIZE && this.#cancelTimer === undefined) this.#wait(PAUSE_MS);
  }

  [Symbol.dispose](): void {
    this.#cancelTimer?.();
  }

  #wait(ms: number): void {
    this.#cancelTimer = this.#clock.after(ms, () => {
      const left = this.#lastAt + PAUSE_MS - this.#clock.now();
      if (left > 0) return this.#wait(left);
      this.#cancelTimer = undefined;
      this.#count = 0;
      this.#onEnd();
    });
  }
}
