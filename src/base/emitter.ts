/** Something that can be listened to. The listener is called synchronously; dispose the result to stop. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Fires to its listeners in the order in which they came; one added while firing waits for the next value. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = listener => {
    // A separate wrapper, so that the same function added twice is removed once per disposal.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return { [Symbol.dispose]: () => void this.#listeners.delete(entry) };
  };

  fire(value: T): void {
    for (const listener of Array.from(this.#listeners)) if (this.#listeners.has(listener)) listener(value);
  }
}
