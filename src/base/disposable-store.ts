/**
 * Owns other disposables. Disposes in reverse order of `add`, always all of them, at most once. Not the native `DisposableStack`: Node 22,
 * which the command line supports, does not have it, and it throws on `use` after disposal instead of disposing the late item.
 */
export class DisposableStore implements Disposable {
  #items: Disposable[] | undefined = [];

  /** Hands `item` back so that it can be assigned in one expression. Added after disposal, it is disposed at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#items === undefined) item[Symbol.dispose]();
    else this.#items.push(item);
    return item;
  }

  /** Runs `cleanUp` on disposal. */
  defer(cleanUp: () => void): void {
    this.add({ [Symbol.dispose]: cleanUp });
  }

  [Symbol.dispose](): void {
    const items = this.#items ?? [];
    this.#items = undefined;
    const failures: unknown[] = [];
    for (const item of items.reverse()) {
      try {
        item[Symbol.dispose]();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} of ${items.length} failed to dispose`);
  }
}
