import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';

class Uri {
  readonly scheme: string;
  readonly path: string;
  constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }
}
const merge = (path: string): object => ({ input: { result: new Uri('atlas-merge-result', path) } });
const other = { input: { uri: new Uri('file', '/game/src/Shop.luau') } };
const closed: object[] = [];
const warnings: string[] = [];
const group = { tabs: [] as object[] };
const fake = {
  Uri,
  l10n: {
    t: (text: string, ...parts: readonly string[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => parts[Number(at)] ?? ''),
  },
  window: {
    tabGroups: { all: [group], close: async (tabs: readonly object[]) => void closed.push(...tabs) },
    showWarningMessage: async (text: string) => void warnings.push(text.replaceAll('\u2060', '')),
  },
  TreeItemCollapsibleState: {},
};
installFakeVsCode(fake);
const { closeAbandonedMerges } = await import('../../../../src/review/vscode/merge-results.ts');

test('names each merge that a reload of the window ended, and closes its editor', async () => {
  const shop = merge('/game/src/Shop.luau');
  group.tabs = [other, shop];
  await closeAbandonedMerges();
  assert.deepEqual(closed, [shop]);
  assert.deepEqual(warnings.splice(0), [
    'The window reloaded before the merge of Shop.luau was complete, so its text is lost. Start the review again to merge it.',
  ]);
  group.tabs = [shop, merge('/game/src/Boot.luau')];
  await closeAbandonedMerges();
  assert.match(warnings.splice(0).join(), /these merges were complete.*Shop\.luau, Boot\.luau/);
});

test('says nothing when no merge was open', async () => {
  closed.length = 0;
  group.tabs = [other];
  await closeAbandonedMerges();
  assert.deepEqual([closed, warnings], [[], []]);
});
