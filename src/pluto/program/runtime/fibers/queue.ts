/** Maximum number of empty slots at the front. */
const MAX_EMPTY = 1024;

/** A first-in, first-out queue. `Array.shift` moves all remaining elements, which is slow for long arrays. */
export class Queue<T> {
  #items: T[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** `undefined` if the queue is empty. */
  get first(): T | undefined {
    return this.#items[this.#first];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }

  /** `undefined` if the queue is empty. */
  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    this.#first += 1;
    if (this.#first > MAX_EMPTY && this.#first > this.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
