/** How many places at the front may be empty. */
const MAX_EMPTY = 1024;

/** First in, first out. Taking the first of an array moves all others, which is slow where there are many. */
export class Queue<T> {
  #items: T[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** `undefined` where nothing is left. */
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
