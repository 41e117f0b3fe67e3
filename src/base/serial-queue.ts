/** Runs jobs one after another, in the order of the calls. A failing job rejects only the promise of its caller. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => {
      signal.throwIfAborted();
      return job();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
