import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

const commands = new Map<string, () => Promise<unknown>>();
const shown: string[] = [];
const fake = {
  l10n: { t: (text: string) => text },
  commands: {
    registerCommand(id: string, run: () => Promise<unknown>) {
      commands.set(id, run);
      return { dispose: () => undefined };
    },
    executeCommand: async () => undefined,
  },
  window: { showErrorMessage: async (text: string) => void shown.push(text) },
  TreeItemCollapsibleState: {},
};
installFakeVsCode(fake);
const { registerSetUp } = await import('../../../../src/setup/vscode/register-set-up.ts');

test('a command loads the set-up again after a failed load', async () => {
  const onDidChange = () => ({ [Symbol.dispose]: () => undefined });
  let loads = 0;
  using _ = registerSetUp({
    lifecycle: { state: () => ({ kind: 'idle' }), onDidChange, bridges: () => [] },
    forwarded: { place: { kind: 'here' } },
    version: '1.0.0',
    schedule: () => undefined,
    loadFlows: async () => {
      loads += 1;
      if (loads === 1) throw new Error('the file is missing');
      return { createProject: async () => 'created', [Symbol.dispose]: () => undefined };
    },
    log: memoryLog(),
  } as unknown as Parameters<typeof registerSetUp>[0]);
  const create = commands.get('atlas.createProject');
  assert.equal(await create?.(), undefined);
  assert.equal(shown.length, 1);
  assert.equal(await create?.(), 'created');
  assert.equal(await create?.(), 'created');
  assert.equal(loads, 2);
});
