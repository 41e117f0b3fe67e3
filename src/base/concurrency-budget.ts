/** A number of jobs that may run at the same time in all parts of one task, which may be nested. */
export class ConcurrencyBudget {
  #free: number;

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  /**
   * Maps the items and keeps their order. Starts the next item at once while the budget is not used up, and else after the current one, so
   * that nested calls never wait for each other. Throws the first failure and starts no further item after it.
   */
  async map<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    const running = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const work = async (index: number, item: T): Promise<void> => {
      try {
        results[index] = await map(item);
      } catch (error) {
        failures.push(error);
      }
    };
    for (const [index, item] of items.entries()) {
      if (failures.length > 0) break;
      if (this.#free === 0) {
        await work(index, item);
        continue;
      }
      this.#free -= 1;
      const job = work(index, item).then(() => {
        this.#free += 1;
        running.delete(job);
      });
      running.add(job);
    }
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
    return results;
  }
}
