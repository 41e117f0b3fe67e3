import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposableStore } from '../../../../src/base/disposable-store.ts';
import { createLazyEditors } from '../../../../src/review/vscode/lazy-review-editors.ts';

test('loads the editors again after a failed load, and ends them with the store', async () => {
  const events: string[] = [];
  let loads = 0;
  const editors = {
    open: async (_review: unknown, id: string) => void events.push(`opened ${id}`),
    [Symbol.dispose]: () => void events.push('disposed'),
  };
  using store = new DisposableStore();
  const lazy = createLazyEditors(store, async () => {
    loads += 1;
    if (loads === 1) throw new Error('the file is missing');
    return editors as unknown as Awaited<ReturnType<Parameters<typeof createLazyEditors>[1]>>;
  });
  const open = (id: string): Promise<void> => lazy.open({} as Parameters<typeof lazy.open>[0], id, 1);
  await assert.rejects(open('a'), /the file is missing/);
  await open('b');
  await open('c');
  store[Symbol.dispose]();
  assert.deepEqual(events, ['opened b', 'opened c', 'disposed']);
  assert.equal(loads, 2);
});
