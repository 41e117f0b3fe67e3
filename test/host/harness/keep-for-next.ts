import { afterEach } from 'node:test';

/** Milliseconds in which the next test file of a process takes what is kept, also after a test with another window. */
const KEPT_MS = 60_000;

let failures = 0;
afterEach(context => {
  if (!('passed' in context) || !context.passed) failures += 1;
});

/** Number of tests of this process that have failed. */
export const failureCount = (): number => failures;

/** Keeps one thing for the next test file of the process, unless a test failed while a file used it. */
export class KeptForNext<T extends AsyncDisposable> implements AsyncDisposable {
  #kept: { readonly one: T; readonly failuresBefore: number } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /**
   * Keeps `one`, or closes it if there is another one, no next file, a test failed, or `empty` resolves with false.
   *
   * @param failuresBefore `failureCount()` when the file took or opened it
   */
  async giveBack(one: T, failuresBefore: number, empty: () => Promise<boolean>): Promise<void> {
    const isKept = !this.#hasEnded && this.#kept === undefined && failures === failuresBefore && (await empty());
    if (!isKept) return await one[Symbol.asyncDispose]();
    this.#kept = { one, failuresBefore };
    this.#timer = setTimeout(() => void this[Symbol.asyncDispose](), KEPT_MS);
  }

  async take(): Promise<T | undefined> {
    // A test that gives something back at its end is known to have failed only later.
    if (failures !== this.#kept?.failuresBefore) await this[Symbol.asyncDispose]();
    return this.#remove();
  }

  #remove(): T | undefined {
    clearTimeout(this.#timer);
    const kept = this.#kept;
    this.#kept = undefined;
    return kept?.one;
  }

  /** There is no next test file. A file that runs alone gives its window back only after this. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#remove()?.[Symbol.asyncDispose]();
  }
}
