import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

type Listener = (items: readonly object[]) => void;
const listeners: Record<string, Listener> = {};
const listen = (name: string) => (listener: Listener) => {
  listeners[name] = listener;
  return { dispose: () => undefined };
};
const pick = {
  activeItems: [],
  onDidChangeValue: listen('value'),
  onDidChangeActive: listen('active'),
  onDidAccept: listen('accept'),
  onDidHide: listen('hide'),
  show: () => undefined,
  dispose: () => undefined,
};
const group: { activeTab?: { readonly isPreview: boolean } | undefined } = {};
const opening = Promise.withResolvers<void>();
installFakeVsCode({
  Uri: { file: (path: string) => path, joinPath: (folder: string, ...parts: string[]) => [folder, ...parts].join('/') },
  Position: class {},
  Range: class {},
  ThemeIcon: class {},
  TabInputText: class {},
  TabInputTextDiff: class {},
  TabInputCustom: class {},
  l10n: { t: (text: string) => text },
  window: {
    createQuickPick: () => pick,
    visibleTextEditors: [],
    tabGroups: {
      activeTabGroup: group,
      close: async () => void (group.activeTab = undefined),
    },
    async showTextDocument() {
      await opening.promise;
      group.activeTab = { isPreview: true };
    },
  },
});
const { searchRoots } = await import('../../../../src/docs/vscode/search-roots.ts');

test('closes a preview that was still opening when the search was cancelled', async () => {
  const hit = { root: 'notes', path: 'todo.md', line: 1 };
  const retrieval = {
    listRoots: async () => ({
      roots: [{ definition: { id: 'notes' }, checkout: { kind: 'present', folder: '/notes' } }],
    }),
  };
  const answer = searchRoots(...([retrieval, {}, memoryLog(), ''] as unknown as Parameters<typeof searchRoots>));
  listeners['active']?.([{ hit }]);
  listeners['hide']?.([]);
  setTimeout(() => opening.resolve(), 20);
  assert.equal(await answer, undefined);
  await opening.promise;
  assert.equal(group.activeTab, undefined);
});
