/** Milliseconds in which the next test file of a process takes what is kept. A file that runs alone has none, and its process ends afterwards. */
const KEPT_MS = 10_000;

/** Keeps one thing for the next test file of the process. */
export class KeptForNext<T extends AsyncDisposable> implements AsyncDisposable {
  #kept: T | undefined;
  #timer: NodeJS.Timeout | undefined;

  get isEmpty(): boolean {
    return this.#kept === undefined;
  }

  keep(one: T): void {
    this.#kept = one;
    this.#timer = setTimeout(() => void this[Symbol.asyncDispose](), KEPT_MS);
  }

  take(): T | undefined {
    clearTimeout(this.#timer);
    const taken = this.#kept;
    this.#kept = undefined;
    return taken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.take()?.[Symbol.asyncDispose]();
  }
}
