/**
 * Owns other disposables. Disposes all of them, in reverse order of `add`, at most once. Replaces the native `DisposableStack`, which Node 22
 * does not have (the command line supports Node 22) and which throws on `use` after disposal instead of disposing the late item.
 */
export class DisposableStore implements Disposable {
  #items: Disposable[] | undefined = [];

  /** Adds `item` and returns it. An item added after disposal is disposed immediately. */
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
