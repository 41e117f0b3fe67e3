/** Keeps the first `limit` of the added items, ordered by `compare`. Memory stays below about twice the limit. */
export class TopItems<T> {
  readonly #limit: number;
  readonly #compare: (a: T, b: T) => number;
  #items: T[] = [];
  #isSorted = true;

  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  add(item: T): void {
    const worst = this.#items.at(-1);
    if (this.#isSorted && worst !== undefined && this.#compare(worst, item) > 0) {
      // The list stays unsorted until it is read or grows too long.
      this.#isSorted = false;
    } else if (this.#isSorted && this.#items.length >= this.#limit) return;
    this.#items.push(item);
    if (this.#items.length >= this.#limit * 2 + 16) this.#settle();
  }

  get isFull(): boolean {
    return this.#items.length >= this.#limit;
  }

  /** The kept items, sorted. */
  get items(): readonly T[] {
    this.#settle();
    return this.#items;
  }

  #settle(): void {
    if (this.#isSorted && this.#items.length <= this.#limit) return;
    this.#items.sort(this.#compare);
    this.#items.length = Math.min(this.#items.length, this.#limit);
    this.#isSorted = true;
  }
}
