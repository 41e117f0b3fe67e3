import type { Clock } from '../../ports/clock.ts';

/** Milliseconds of work after which others get their turn; the host must never wait longer than 20. */
const SLICE_MS = 6;

/** Cuts long work into slices: call `breathe` between steps, it waits for the next turn only when the slice is used up. */
export class Slices {
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  async breathe(): Promise<void> {
    if (this.#clock.now() - this.#since < SLICE_MS) return;
    await new Promise<void>(resolve => this.#clock.after(0, resolve));
    this.#since = this.#clock.now();
  }
}
