/** Runs a limited number of jobs at a time. The others wait in the order of the calls. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
