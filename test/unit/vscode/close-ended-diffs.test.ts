import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

class Uri {
  readonly scheme: string;
  constructor(scheme: string) {
    this.scheme = scheme;
  }
}
const diff = (original: string, modified: string) => ({ original: new Uri(original), modified: new Uri(modified) });
const group = { tabs: [] as object[] };
const closed: object[] = [];
installFakeVsCode({
  Uri,
  window: { tabGroups: { all: [group], close: async (tabs: readonly object[]) => void closed.push(...tabs) } },
});
const { closeEndedDiffs } = await import('../../../src/vscode/close-ended-diffs.ts');

test('closes diffs whose texts ended with the window, and no other editor', async () => {
  const ended = [
    { input: diff('atlas-studio', 'atlas-studio') },
    { input: diff('atlas-compared', 'file') },
    { input: { textDiffs: [diff('atlas-syncback', 'atlas-syncback')] } },
  ];
  const others = [
    { input: { uri: new Uri('file') } },
    { input: diff('git', 'file') },
    { input: diff('atlas-recorded', 'atlas-recorded') },
    { input: { textDiffs: [diff('atlas-recorded', 'atlas-recorded')] } },
    { input: undefined },
    { input: diff('atlas-compared', 'file'), isDirty: true },
  ];
  group.tabs = [...others, ...ended];
  await closeEndedDiffs();
  assert.deepEqual(closed, ended);
});
