import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { SyncEngine } from '../../../../../src/sync/sync-engine.ts';
import { installFakeVsCode } from '../../../../harness/fake-vscode.ts';

const shown: string[] = [];
/** The answer to the list of changes; `undefined`: Escape was pressed. */
let pick: (items: readonly object[]) => readonly object[] | undefined = items => items;
installFakeVsCode({
  l10n: {
    t: (text: string, ...values: readonly unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  env: { language: 'en' },
  window: {
    showInformationMessage: async (text: string) => void shown.push(text),
    showQuickPick: async (items: readonly object[]) => pick(items),
  },
});
const { pickRestore } = await import('../../../../../src/sync/vscode/runs/run-pickers.ts');
afterEach(() => (shown.length = 0));

const recorded = {
  runId: 'run',
  at: '2026-01-02T03:04:05.000Z',
  status: 'done',
  changes: ['a', 'b'].map(id => ({ id, path: id, className: 'ModuleScript', sides: ['disk'], direction: 'pull' })),
};
const engine = { recorded: async () => recorded } as unknown as SyncEngine;

test('restores the chosen changes, and all of them without their ids', async () => {
  pick = items => items;
  assert.deepEqual(await pickRestore(engine, 'run'), { runId: 'run', side: 'disk' });
  pick = items => items.slice(1);
  assert.deepEqual(await pickRestore(engine, 'run'), { runId: 'run', side: 'disk', ids: ['b'] });
});

test('offers a renamed file as one change, and restores both of its paths', async () => {
  const file = { ...recorded.changes[0], choice: 'pull', outcome: 'written' };
  const changes = [
    { ...file, id: '1', path: 'src/B.luau', movedFrom: 'src/A.luau' },
    { ...file, id: '2', path: 'src/A.luau', movedTo: 'src/B.luau' },
    { ...file, id: '3', path: 'src/C.luau' },
  ];
  const renamed = { recorded: async () => ({ ...recorded, changes }) } as unknown as SyncEngine;
  let labels: unknown;
  pick = items => {
    labels = items.map(item => ('label' in item ? item.label : undefined));
    return items.slice(0, 1);
  };
  assert.deepEqual(await pickRestore(renamed, 'run'), { runId: 'run', side: 'disk', ids: ['1', '2'] });
  assert.deepEqual(labels, ['src/B.luau', 'src/C.luau']);
  pick = items => items;
  assert.deepEqual(await pickRestore(renamed, 'run'), { runId: 'run', side: 'disk' });
});

test('says that nothing was restored when the list is accepted with no change', async () => {
  pick = () => [];
  assert.equal(await pickRestore(engine, 'run'), undefined);
  assert.deepEqual(shown, ['No change was chosen, so nothing was restored.']);
});

test('[P6] restores all changes of a run with thousands, which the review lists', async () => {
  pick = () => assert.fail('VS Code would convert the whole list in one step');
  const changes = Array.from({ length: 5_000 }, (_, index) => ({ ...recorded.changes[0], id: `${index}` }));
  const large = { recorded: async () => ({ ...recorded, changes }) } as unknown as SyncEngine;
  assert.deepEqual(await pickRestore(large, 'run'), { runId: 'run', side: 'disk' });
});

test('says nothing when the list is closed', async () => {
  pick = () => undefined;
  assert.equal(await pickRestore(engine, 'run'), undefined);
  assert.deepEqual(shown, []);
});
