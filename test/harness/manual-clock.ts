import type { Clock } from '../../src/ports/clock.ts';

/** A clock that a test advances. */
export class ManualClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly fn: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  date(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#now).toISOString();
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter(other => other !== timer));
  }

  /** The pending timers; a test that ends with any has found a leak. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Advances by `ms` and runs the due timers in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter(timer => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#now = due.at;
      this.#timers = this.#timers.filter(timer => timer !== due);
      due.fn();
    }
    this.#now = end;
  }
}
