/** Runs jobs one after another, in the order of the calls. A failing job rejects only the promise of its caller. */
export class SerialQueue {
  /** Resolves without a result, which would stay in memory until the next job. */
  #tail: Promise<void> = Promise.resolve();

  run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => {
      signal.throwIfAborted();
      return job();
    });
    this.#tail = result.then(ignore, ignore);
    return result;
  }
}

const ignore = (): void => undefined;
