/** The part of a clock that cutting work into slices needs. */
interface SliceClock {
  now(): number;
  after(ms: number, fn: () => void): () => void;
}

/** Milliseconds of work after which others get their turn; the host must never wait longer than 20, garbage collection included. */
const SLICE_MS = 4;

/**
 * Cuts long work into slices: call `breathe` between steps, it waits for the next turn only when the slice is used up. Of many that
 * wait, as many go on in one turn as have room in one slice.
 */
export class Slices {
  readonly #clock: SliceClock;
  #since: number;
  #isTurnDue = false;

  constructor(clock: SliceClock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  async breathe(): Promise<void> {
    if (!this.#isUsedUp()) return;
    await new Promise<void>(resolve => this.#nextTurn(resolve));
  }

  #isUsedUp(): boolean {
    return this.#clock.now() - this.#since >= SLICE_MS;
  }

  #nextTurn(resolve: () => void): void {
    if (!this.#isTurnDue) {
      this.#isTurnDue = true;
      // The first of the turn, since callbacks come in the order in which they were asked for.
      this.#clock.after(0, () => {
        this.#isTurnDue = false;
        this.#since = this.#clock.now();
      });
    }
    this.#clock.after(0, () => (this.#isUsedUp() ? this.#nextTurn(resolve) : resolve()));
  }
}
