/** Runs jobs one after another in call order. A failing job fails its own caller only. */
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
