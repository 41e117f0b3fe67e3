import type { PausableWork } from './time-slice.ts';

/** Subscribes a listener, which is called synchronously. Dispose the result to unsubscribe. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Calls its listeners in the order of subscription. A listener that is added while `fire` runs gets later values only. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = listener => {
    // The wrapper makes each subscription unique: a function added twice is removed once per disposal.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return { [Symbol.dispose]: () => void this.#listeners.delete(entry) };
  };

  fire(value: T): void {
    for (const listener of Array.from(this.#listeners)) if (this.#listeners.has(listener)) listener(value);
  }

  /** Calls the listeners as `fire` does, with a pause after each. */
  *firing(value: T): PausableWork<void> {
    for (const listener of Array.from(this.#listeners)) {
      if (this.#listeners.has(listener)) listener(value);
      yield;
    }
  }
}
