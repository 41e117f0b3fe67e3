/** The first `most` of what it is given, by `compare`; holds no more than twice as many at any time. */
export class Best<T> {
  readonly #most: number;
  readonly #compare: (a: T, b: T) => number;
  #items: T[] = [];
  #isSorted = true;

  constructor(most: number, compare: (a: T, b: T) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  add(item: T): void {
    const worst = this.#items.at(-1);
    if (this.#isSorted && worst !== undefined && this.#compare(worst, item) > 0) {
      // Known to be sorted and full: what comes after the last of them never counts.
      this.#isSorted = false;
    } else if (this.#isSorted && this.#items.length >= this.#most) return;
    this.#items.push(item);
    if (this.#items.length >= this.#most * 2 + 16) this.#settle();
  }

  get isFull(): boolean {
    return this.#items.length >= this.#most;
  }

  /** Sorted. */
  get items(): readonly T[] {
    this.#settle();
    return this.#items;
  }

  #settle(): void {
    if (this.#isSorted && this.#items.length <= this.#most) return;
    this.#items.sort(this.#compare);
    this.#items.length = Math.min(this.#items.length, this.#most);
    this.#isSorted = true;
  }
}
