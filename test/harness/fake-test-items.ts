/** An item of the Testing view, with the members that tests look at. */
export interface FakeTestItem {
  readonly id: string;
  readonly label: string;
  readonly uri: unknown;
  readonly children: FakeTestItems;
}

/** A collection of items in the Testing view. */
export class FakeTestItems {
  #items = new Map<string, FakeTestItem>();
  get = (id: string): FakeTestItem | undefined => this.#items.get(id);
  add = (item: FakeTestItem): void => void this.#items.set(item.id, item);
  delete = (id: string): void => void this.#items.delete(id);
  replace = (items: readonly FakeTestItem[]): void => void (this.#items = new Map(items.map(item => [item.id, item])));
  [Symbol.iterator](): Iterator<[string, FakeTestItem]> {
    return this.#items[Symbol.iterator]();
  }
}

/** A controller of tests with the members that the views use. */
export class FakeTestController {
  readonly items = new FakeTestItems();
  resolveHandler: (() => unknown) | undefined;
  createTestItem = (id: string, label: string, uri: unknown): FakeTestItem => {
    return { id, label, uri, children: new FakeTestItems() };
  };
  createRunProfile = (): { dispose(): void } => ({ dispose: () => undefined });
  dispose = (): void => undefined;
}

/** The labels of the items, each with those of its children. */
export const shownTests = (items: Iterable<[string, FakeTestItem]>): readonly string[] =>
  Array.from(items, ([, { label, children }]) => [label, ...shownTests(children)].join(' > '));
