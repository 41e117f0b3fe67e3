import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';

const MAX_FILES = 500;
const stop = new AbortController();
const shown: { readonly title: string; readonly files: readonly (readonly unknown[])[] }[] = [];
const disposable = { dispose: () => undefined };
const uri = (path: string) => ({ path, fsPath: path });

installFakeVsCode({
  l10n: {
    t: (text: string, ...values: readonly unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  Uri: { from: uri, file: uri, joinPath: ({ path }: { path: string }, name: string) => uri(`${path}/${name}`) },
  commands: {
    async executeCommand(id: string, title: string, files: readonly (readonly unknown[])[]) {
      if (id !== 'vscode.changes') return;
      shown.push({ title, files });
      stop.abort();
    },
    registerCommand: () => disposable,
  },
  workspace: {
    registerTextDocumentContentProvider: () => disposable,
    fs: { stat: async () => ({}) },
  },
  window: {
    showWarningMessage: async () => 'Show Changes',
    tabGroups: {
      all: [],
      activeTabGroup: { activeTab: undefined },
      close: async () => true,
      onDidChangeTabGroups: () => disposable,
      onDidChangeTabs: () => disposable,
    },
  },
});
const { reviewSyncback } = await import('../../../../src/project/vscode/syncback-review.ts');

test('says how many files a large plan has, of which it shows the first', async () => {
  const plan = {
    writing: Array.from({ length: MAX_FILES - 1 }, (_, index) => `src/${index}.luau`),
    removing: ['src/Gone.luau'],
    counts: { writing: 20_000, removing: 1 },
    refused: [],
    notes: [],
  };
  const [folder, preview] = [uri('/project'), uri('/preview')];
  const review = { plan, folder, preview, input: 'place.rbxl', signal: stop.signal } as never;
  assert.equal(await reviewSyncback(review), false);
  const [diff, ...others] = shown;
  assert.ok(diff !== undefined && others.length === 0);
  assert.equal(diff.files.length, MAX_FILES);
  assert.equal(diff.title, 'Syncback from place.rbxl: the first 500 of 20001 files');
  assert.equal(diff.files.filter(([, , after]) => after === undefined).length, 1);
});
