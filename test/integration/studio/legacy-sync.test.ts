import { formatResult } from '../../../src/protocol/run-result.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncOverride } from '../../../src/protocol/sync-request.ts';
import type { SyncResult } from '../../../src/protocol/sync-result.ts';
import { gitBlob } from '../../harness/fake-studio.ts';
import { gitStatus } from '../../harness/fake-git.ts';
import { allowUnpaired, startBridge, type TestBridge } from '../../harness/start-bridge.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
  }),
  'src/Boot.server.luau': 'print("disk")',
  'src/Dock.luau': 'return "disk"',
};
const service = { ServerScriptService: { className: 'ServerScriptService' } };
const place = {
  ...service,
  'ServerScriptService/Boot': { className: 'Script', source: 'print("studio")' },
  'ServerScriptService/Dock': { className: 'ModuleScript', source: 'return "studio"' },
};

const sync = async (
  bridge: TestBridge,
  mode: 'dryrun' | 'fastfail',
  overrides: readonly SyncOverride[] = [],
): Promise<SyncResult> =>
  formatResult(await bridge.engine.start({ mode, overrides: [...overrides], requestedBy: 'test' }).result);

/** Overrides for the changes of a dry run, by the last name of each. */
const decide = (
  { changes }: SyncResult,
  directions: Readonly<Record<string, 'push' | 'pull'>>,
): readonly SyncOverride[] =>
  changes.flatMap(({ id, path, studioHash }) => {
    const direction = directions[path.split('/').at(-1) ?? ''];
    return direction === undefined ? [] : [{ id, direction, ...(studioHash !== undefined && { studioHash }) }];
  });
const outcomes = ({ changes }: SyncResult) => changes.map(({ path, outcome, reason }) => [path, outcome, reason]);

test('[G14] [G15] reports an error with the next step when the plugin cannot read a script', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  const said: readonly (readonly [message: string, code: string, shown: RegExp])[] = [
    [
      'No previous sync session. Run atlas_sync(mode: "dryrun") first to establish the instance mapping.',
      'SCRIPT_NOT_FOUND',
      /No previous sync session/,
    ],
    [
      'Instance not found by id. The sync session may be stale, run atlas_sync again.',
      'SCRIPT_NOT_FOUND',
      /not found by id/,
    ],
    ['Instance was deleted since last sync. Run atlas_sync again.', 'SCRIPT_NOT_FOUND', /deleted since last sync/],
    ['Instance is not a script (Part)', 'NOT_A_SCRIPT', /is a Part, not a script/],
  ];
  for (const [message, code, shown] of said) {
    studio.answer = () => ({ status: 'error', message });
    const { answer, isError } = await bridge.call('get_script', { id: 'f'.repeat(32) });
    const error = answer['error'] as { code: string; message: string };
    assert.deepEqual([isError, error.code], [true, code]);
    assert.match(error.message, shown);
  }
});

test('lists the differences in a dry run as with our own plugin, and changes nothing', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  const result = await sync(bridge, 'dryrun');
  assert.equal(result.status, 'dryrun');
  assert.deepEqual(
    result.changes.map(({ path, patchType, studioHash, fsPath }) => ({ path, patchType, studioHash, fsPath })),
    [
      {
        path: 'ServerScriptService/Boot',
        patchType: 'Edit',
        studioHash: gitBlob('print("studio")'),
        fsPath: 'src/Boot.server.luau',
      },
      {
        path: 'ServerScriptService/Dock',
        patchType: 'Edit',
        studioHash: gitBlob('return "studio"'),
        fsPath: 'src/Dock.luau',
      },
    ],
  );
  assert.equal(studio.place.source('ServerScriptService/Boot'), 'print("studio")');
});

test('reports a push only after verifying it, and writes a pull itself', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  const overrides = decide(await sync(bridge, 'dryrun'), { Boot: 'push', Dock: 'pull' });
  const result = await sync(bridge, 'fastfail', overrides);
  assert.equal(result.status, 'success', JSON.stringify(result));
  assert.deepEqual(outcomes(result), [
    ['ServerScriptService/Boot', 'applied', undefined],
    ['ServerScriptService/Dock', 'written', undefined],
  ]);
  assert.equal(studio.place.source('ServerScriptService/Boot'), 'print("disk")');
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return "studio"');
  assert.deepEqual(bridge.git.staged, []);
});

test('does not trust "success" of a plugin that applied nothing', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  const overrides = decide(await sync(bridge, 'dryrun'), { Boot: 'push', Dock: 'push' });
  studio.lost.add(overrides[0]!.id);
  const result = await sync(bridge, 'fastfail', overrides);
  assert.equal(result.status, 'partial');
  assert.deepEqual(outcomes(result), [
    ['ServerScriptService/Boot', 'failed', 'the plugin reported "success", but the two sides still differ'],
    ['ServerScriptService/Dock', 'applied', undefined],
  ]);
});

test('keeps the plugin from applying its git defaults in a run of the bridge', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  bridge.git.answer = gitStatus({ changed: ['src/Boot.server.luau', 'src/Dock.luau'] });
  const studio = await bridge.connectLegacy(place);
  const overrides = decide(await sync(bridge, 'dryrun'), { Boot: 'push', Dock: 'push' });
  studio.beforeApply = () => {
    studio.place.place.set('ServerScriptService/Late', { className: 'Script', source: 'print("late")' });
  };
  assert.equal((await sync(bridge, 'fastfail', overrides)).status, 'success');
  assert.equal(studio.place.source('ServerScriptService/Late'), 'print("late")');
});

test('keeps a script that changed in Studio since the decision', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  const overrides = decide(await sync(bridge, 'dryrun'), { Boot: 'push', Dock: 'push' });
  let scripts = 0;
  studio.answer = ({ type }) => {
    // After the second check for drafts, and before the plugin gets the command to apply.
    if (type === 'getScript' && (scripts += 1) === 4)
      setImmediate(() => studio.place.edit('ServerScriptService/Dock', 'return "moved"'));
    return undefined;
  };
  const result = await sync(bridge, 'fastfail', overrides);
  assert.equal(result.status, 'partial');
  assert.equal(studio.place.source('ServerScriptService/Dock'), 'return "moved"');
});

for (const direction of ['push', 'pull'] as const)
  for (const reportsDrafts of [true, false])
    test(`reports an unsaved draft as a conflict for a ${direction}${reportsDrafts ? '' : ' when the plugin does not call it a draft'}`, async () => {
      await using bridge = await startBridge(files, allowUnpaired());
      const boot = { ...place['ServerScriptService/Boot'], draft: 'print("draft")' };
      const studio = await bridge.connectLegacy({ ...place, 'ServerScriptService/Boot': boot });
      studio.reportsDrafts = reportsDrafts;
      const overrides = decide(await sync(bridge, 'dryrun'), { Boot: direction, Dock: 'push' });
      const result = await sync(bridge, 'fastfail', overrides);
      assert.deepEqual(outcomes(result), [
        ['ServerScriptService/Boot', 'failed', 'the script has unsaved edits in Studio'],
        ['ServerScriptService/Dock', 'applied', undefined],
      ]);
      assert.equal(studio.place.place.get('ServerScriptService/Boot')?.draft, 'print("draft")');
      assert.equal(bridge.disk.text('src/Boot.server.luau'), files['src/Boot.server.luau']);
    });

test('refuses pushes with a reason when instances exist only in Studio, and still pulls scripts', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const extra = { 'ServerScriptService/Extra': { className: 'Script', source: '' } };
  const studio = await bridge.connectLegacy({ ...place, ...extra });
  const dry = await sync(bridge, 'dryrun');
  assert.deepEqual(
    dry.changes.map(change => change.patchType),
    ['Edit', 'Edit', 'Remove'],
  );
  const review = bridge.engine.start({ mode: 'fastfail', overrides: [], requestedBy: 'test' });
  assert.equal((await review.result).status, 'fastfail_unresolved');
  assert.equal(studio.place.source('ServerScriptService/Boot'), 'print("studio")');
});

test('[S23] reports that the plugin is busy or in a live session', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  studio.answer = () => ({ status: 'already_connected', changes: [], message: 'live' });
  const result = await sync(bridge, 'dryrun');
  assert.equal(result.status, 'error');
  assert.match(result.summary, /the plugin is in a live session; disconnect it in the plugin's window/);
});

test('refuses the comparison of a plugin that has not read the project', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  studio.answer = () => ({ status: 'empty', changes: [] });
  const result = await sync(bridge, 'dryrun');
  assert.equal(result.status, 'error');
  assert.match(
    result.summary,
    /the plugin compared without reading the project first\. Check the Output window of Studio/,
  );
});

test('reads a script from the unmodified plugin', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  await bridge.connectLegacy(place);
  await sync(bridge, 'dryrun');
  const read = await bridge.engine.readScript(
    { fsPath: 'src/Dock.luau', fromDraft: false },
    new AbortController().signal,
  );
  assert.equal(read.source, 'return "studio"');
  assert.equal(read.studioHash, gitBlob('return "studio"'));
});

test('reports a draft of the unmodified plugin only when it differs from the saved text', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  await sync(bridge, 'dryrun');
  // The plugin reads the text of the editor also when no editor is open.
  let draft = 'return "studio"';
  studio.answer = ({ type, fromDraft }) =>
    type === 'getScript' && fromDraft === true
      ? {
          status: 'success',
          source: draft,
          studioHash: gitBlob(draft),
          className: 'ModuleScript',
          instancePath: 'ServerScriptService/Dock',
          isDraft: true,
        }
      : undefined;
  const read = async () => {
    const request = { fsPath: 'src/Dock.luau', fromDraft: true };
    const { source, isDraft } = await bridge.engine.readScript(request, new AbortController().signal);
    return [source, isDraft];
  };
  assert.deepEqual(await read(), [draft, false]);
  draft = 'return "typed"';
  assert.deepEqual(await read(), [draft, true]);
});

test('ignores replies of an unknown form or to another request', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  studio.send({ requestId: 'other', status: 'empty', changes: [] });
  studio.answer = ({ type }) => {
    studio.send({ requestId: 'other', status: 'empty', changes: [] });
    return type === 'sync' ? { status: 'dryrun', changes: [{ id: 7 }] } : undefined;
  };
  const result = await sync(bridge, 'dryrun');
  assert.equal(result.status, 'error');
  assert.match(result.summary, /a reply that Atlas Bridge does not support/);
});

for (const [at, name] of [
  'the comparison',
  'a script to push',
  'a script to pull',
  'its draft',
  'the order to apply',
  'the look afterwards',
  'the script that was pushed',
].entries())
  test(`[P2] ends the run and writes no file when the link is cut at message ${at + 1}, ${name}`, async () => {
    await using bridge = await startBridge(files, allowUnpaired());
    const studio = await bridge.connectLegacy(place);
    const overrides = decide(await sync(bridge, 'dryrun'), { Boot: 'push', Dock: 'pull' });
    const before = studio.commands.length;
    studio.answer = () => {
      if (studio.commands.length - before <= at) return undefined;
      studio.cut();
      return 'nothing';
    };
    const result = await sync(bridge, 'fastfail', overrides);
    assert.equal(result.status, 'disconnected', JSON.stringify(result));
    assert.equal(studio.commands.length - before, at + 1);
    assert.equal(bridge.disk.text('src/Dock.luau'), 'return "disk"');
    assert.ok(result.changes.every(change => change.outcome !== 'applied' && change.outcome !== 'written'));
    await bridge.connectLegacy(place);
    assert.equal((await sync(bridge, 'dryrun')).status, 'dryrun');
  });
