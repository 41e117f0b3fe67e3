import type { TestItem } from 'vscode';

/** A collection of items in the Testing view. */
export class FakeTestItems {
  #items = new Map<string, TestItem>();
  get = (id: string): TestItem | undefined => this.#items.get(id);
  add = (item: TestItem): void => void this.#items.set(item.id, item);
  delete = (id: string): void => void this.#items.delete(id);
  replace(items: readonly TestItem[]): void {
    this.#items = new Map(items.map(item => [item.id, item]));
  }
  get size(): number {
    return this.#items.size;
  }
  [Symbol.iterator](): Iterator<[string, TestItem]> {
    return this.#items[Symbol.iterator]();
  }
}

/** A controller of tests with the members that the views use. */
export class FakeTestController {
  readonly items = new FakeTestItems();
  resolveHandler: ((item?: TestItem) => unknown) | undefined;
  refreshHandler: (() => unknown) | undefined;
  createTestItem = (id: string, label: string, uri: unknown): TestItem =>
    ({ id, label, uri, children: new FakeTestItems() }) as unknown as TestItem;
  createRunProfile = (): { dispose(): void } => ({ dispose: () => undefined });
  dispose = (): void => undefined;
}

/** The labels of the items, each with those of its children. */
export const shownTests = (items: Iterable<[string, TestItem]>): readonly string[] =>
  Array.from(items, ([, { label, children }]) => [label, ...shownTests(children)].join(' > '));
