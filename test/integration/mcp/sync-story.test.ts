import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBridge } from '../../harness/start-bridge.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $className: 'ServerScriptService', $path: 'src' } },
  }),
  'src/Boot.server.luau': 'print("disk")\n',
  'src/Score.luau': 'return 1\n',
};
const place = {
  ServerScriptService: { className: 'ServerScriptService' },
  'ServerScriptService/Boot': { className: 'Script', source: 'print("studio")\n' },
};
interface Change {
  readonly id: string;
  readonly path: string;
  readonly direction: string;
  readonly fsPath: string | null;
  readonly studioHash?: string;
  readonly outcome?: string;
}
const changesOf = (answer: Record<string, unknown>): readonly Change[] => answer['changes'] as readonly Change[];

test('[W6] [W7] probes, reads the conflict, merges and syncs by hash until both sides match', async () => {
  await using bridge = await startBridge(files);
  const { studio } = await bridge.connectStudio(place);

  const probe = await bridge.call('atlas_sync', { mode: 'fastfail' });
  assert.deepEqual([probe.isError, probe.answer['status']], [true, 'fastfail_unresolved']);
  assert.deepEqual(
    changesOf(probe.answer).map(({ path, direction, fsPath }) => [path, direction, fsPath]),
    [
      ['ServerScriptService/Boot', 'unresolved', 'src/Boot.server.luau'],
      ['ServerScriptService/Score', 'unresolved', 'src/Score.luau'],
    ],
  );
  const [boot, score] = changesOf(probe.answer) as [Change, Change];

  const byId = await bridge.call('get_script', { id: boot.id });
  const byPath = await bridge.call('get_script', { fsPath: 'src/Boot.server.luau' });
  assert.deepEqual(byId.answer, byPath.answer);
  assert.equal(byId.answer['source'], 'print("studio")\n');
  assert.equal(byId.answer['studioHash'], boot.studioHash);

  const merged = 'print("studio")\nprint("disk")\n';
  bridge.disk.set('src/Boot.server.luau', merged);
  const overrides = [
    { id: boot.id, direction: 'push', studioHash: byId.answer['studioHash'] },
    { id: score.id, direction: 'push' },
  ];
  const done = await bridge.call('atlas_sync', { overrides });
  assert.deepEqual([done.isError, done.answer['status']], [false, 'success'], done.text);
  assert.deepEqual(
    changesOf(done.answer).map(({ path, outcome }) => [path, outcome]),
    [
      ['ServerScriptService/Boot', 'applied'],
      ['ServerScriptService/Score', 'applied'],
    ],
  );
  assert.equal(studio.source('ServerScriptService/Boot'), merged);
  assert.equal(studio.source('ServerScriptService/Score'), 'return 1\n');
  assert.ok((await bridge.journal.list()).length > 0, 'the replaced text is in the journal');
  assert.equal((await bridge.call('atlas_sync')).answer['status'], 'empty');
});

test('[S16] [B4] answers a verdict for an outdated hash of Studio, and overwrites nothing', async () => {
  await using bridge = await startBridge(files);
  const { studio } = await bridge.connectStudio(place);
  const dry = await bridge.call('atlas_sync', { mode: 'dryrun' });
  const [boot] = changesOf(dry.answer) as [Change];
  studio.edit('ServerScriptService/Boot', 'print("edited meanwhile")\n');
  const override = { id: boot.id, direction: 'push', studioHash: boot.studioHash };
  const { answer } = await bridge.call('atlas_sync', { mode: 'fastfail', overrides: [override] });
  assert.equal(answer['status'], 'fastfail_unresolved');
  assert.equal((answer['overrides'] as { verdict: string }[])[0]?.verdict, 'hash_mismatch');
  assert.equal(studio.source('ServerScriptService/Boot'), 'print("edited meanwhile")\n');
});

test('[B5] ends the run with the reason when Studio disconnects', async () => {
  await using bridge = await startBridge(files);
  const { studio } = await bridge.connectStudio(place);
  studio.before = command => {
    if (command.type === 'compare') studio.disconnect();
  };
  const { isError, answer } = await bridge.call('atlas_sync', { mode: 'dryrun' });
  assert.deepEqual([isError, answer['status']], [true, 'disconnected']);
  assert.equal((await bridge.call('atlas_sync')).answer['status'], 'not_connected');
});

test('atlas_diff lists what a sync would do in one line, and changes nothing', async () => {
  await using bridge = await startBridge({ ...files, 'src/Boot.server.luau': 'print("studio")\n' });
  const { studio } = await bridge.connectStudio(place);
  const before = bridge.disk.text('src/Boot.server.luau');
  const { isError, answer, text } = await bridge.call('atlas_diff');
  assert.deepEqual([isError, answer['status'], answer['plan']], [false, 'dryrun', 'Change nothing, 1 undecided'], text);
  assert.match(text, /Plan: Change nothing, 1 undecided\./);
  assert.equal(studio.source('ServerScriptService/Score'), undefined);
  assert.equal(bridge.disk.text('src/Boot.server.luau'), before);
  assert.equal((await bridge.journal.list()).length, 0);
});

test('syncs with the plan that a person has allowed, and refuses any other', async () => {
  await using bridge = await startBridge(files);
  const { studio } = await bridge.connectStudio(place);
  const { answer } = await bridge.call('atlas_diff');
  const overrides = changesOf(answer).map(({ id, studioHash }) => ({ id, direction: 'push', studioHash }));
  const refused = await bridge.call('atlas_sync', { overrides, plan: 'Push 1 script, delete nothing' });
  assert.equal((refused.answer['error'] as { code: string }).code, 'PLAN_CHANGED', refused.text);
  assert.equal(refused.answer['outcome'], 'refused');
  assert.match(refused.text, /Push 2 scripts, delete nothing/);
  assert.equal(studio.source('ServerScriptService/Boot'), 'print("studio")\n');
  const done = await bridge.call('atlas_sync', { overrides, plan: 'Push 2 scripts, delete nothing' });
  assert.equal(done.answer['status'], 'success', done.text);
  assert.equal(studio.source('ServerScriptService/Boot'), 'print("disk")\n');
});
