import { test } from 'node:test';
import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import { reasonOf, reasonText } from '../../../../src/protocol/reason.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { settle } from '../../../harness/settle.ts';
import { differing, main, mainFile, projectFile, syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const start = (world: SyncWorld) => world.engine.start({ mode: 'standard', overrides: [], requestedBy: 'test' });

test('[S24] answers not_connected with the next step when no Studio is connected', async () => {
  const world = await syncWorld({ ...differing, connected: false });
  const result = await world.sync();
  assert.equal(result.status, 'not_connected');
  assert.match(result.summary, /34873/);
  assert.equal(result.error?.code, 'STUDIO_NOT_CONNECTED');
});

test('refuses a second run with the id of the first, and allows it afterwards', async () => {
  const world = await syncWorld(differing);
  const first = start(world);
  await settle();
  const second = await world.sync();
  assert.equal(second.status, 'sync_in_progress');
  assert.match(second.summary, new RegExp(first.runId));
  first.cancel();
  assert.equal((await first.result).status, 'cancelled');
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'dryrun');
});

test('ends an unanswered review automatically, and changes nothing', async () => {
  const world = await syncWorld({ ...differing, settings: { reviewTimeoutMinutes: () => 5 } });
  const run = start(world);
  await settle();
  assert.equal(run.phase(), 'reviewing');
  world.clock.advance(5 * 60_000);
  assert.equal((await run.result).status, 'review_timeout');
  assert.equal(world.studio.source(main), 'print("Studio")\n');
  assert.equal(world.clock.pending, 0);
});

test('[S22] ends the run and ignores late decisions when Studio closes during the review', async () => {
  const world = await syncWorld(differing);
  const run = start(world);
  await settle();
  world.studio.disconnect();
  assert.equal((await run.result).status, 'disconnected');
  const [review] = world.reviews;
  assert.equal(review?.snapshot().phase, 'ended');
  assert.throws(() => review?.apply(review.snapshot().revision), { code: 'REVIEW_REFUSED' });
});

for (const [phase, command] of [
  ['comparing', 'compare'],
  ['reading', 'read'],
  ['applying', 'apply'],
] as const)
  test(`[P2] ends the run once as disconnected when Studio crashes while ${phase}`, async () => {
    const world = await syncWorld(differing);
    const id = await world.idOf(main);
    world.studio.before = arrived => {
      if (arrived.type === command) world.studio.disconnect();
    };
    const result = await world.sync({ overrides: [{ id, direction: 'pull' }] });
    assert.equal(result.status, 'disconnected');
    assert.equal(world.files.text(mainFile), 'print("disk")\n');
    assert.equal(result.changes[0]?.outcome, command === 'apply' ? 'failed' : undefined);
    assert.equal(world.clock.pending, 0);
  });

test('ends the run at its budget, and names the missing signal, when Studio does not answer', async () => {
  const world = await syncWorld(differing);
  world.studio.stalled.add('compare');
  const run = start(world);
  await settle();
  world.clock.advance(30_000);
  const result = await run.result;
  assert.equal(result.status, 'error');
  assert.deepEqual(result.error?.details, { signal: 'compared', budgetMs: 30_000 });
});

test('completes the run when it is cancelled after the first write', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  const overrides = [{ id, direction: 'push' as const }];
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  world.studio.before = command => {
    if (command.type === 'apply') run.cancel();
  };
  assert.equal((await run.result).status, 'success');
  assert.equal(world.studio.source(main), 'print("disk")\n');
});

test('stops comparing a project that changes all the time', async () => {
  const world = await syncWorld(differing);
  let count = 0;
  world.studio.before = command => {
    if (command.type === 'compare') world.files.set(mainFile, `print(${(count += 1)})\n`);
  };
  const result = await world.sync();
  assert.equal(result.error?.code, 'PROJECT_CHANGING');
  assert.equal(count, 3);
});

test('declines verified overrides with approval "never", and asks a person with "ask"', async () => {
  const never = await syncWorld({ ...differing, settings: { overridesApproval: () => 'never' } });
  const id = await never.idOf(main);
  const declined = await never.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push' }] });
  assert.deepEqual([declined.status, declined.overrides[0]?.verdict], ['fastfail_unresolved', 'declined']);

  const ask = await syncWorld({
    ...differing,
    settings: { overridesApproval: () => 'ask' },
    person: review => {
      assert.deepEqual(
        review.snapshot().rows.map(row => [row.choice, row.override?.verdict]),
        [['push', 'accepted']],
      );
      review.apply(review.snapshot().revision);
    },
  });
  const unasked = await ask.sync({ mode: 'fastfail', overrides: [{ id: await ask.idOf(main), direction: 'push' }] });
  assert.equal(unasked.status, 'fastfail_unresolved');
  assert.match(unasked.summary, /a person must confirm overrides/);
  const confirmed = await ask.sync({ overrides: [{ id: await ask.idOf(main), direction: 'push' }] });
  assert.equal(confirmed.status, 'success');
  assert.equal(ask.reviews.length, 1);
});

test('refuses a destructive override without a precondition when the setting requires one', async () => {
  const world = await syncWorld({ ...differing, settings: { overridesRequirePrecondition: () => true } });
  const id = await world.idOf(main);
  const bare = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push' }] });
  assert.equal(bare.overrides[0]?.verdict, 'precondition_missing');
  const nothing = await world.sync({
    mode: 'fastfail',
    overrides: [{ id, direction: 'push', expectedProperties: {} }],
  });
  assert.equal(nothing.overrides[0]?.verdict, 'precondition_missing');
  const studioHash = gitBlob('print("Studio")\n');
  assert.equal((await world.sync({ overrides: [{ id, direction: 'push', studioHash }] })).status, 'success');
});

test('does not accept a hash as the precondition of an instance without source', async () => {
  const world = await syncWorld({
    place: { 'ReplicatedStorage/Lamp': { className: 'Part' } },
    settings: { overridesRequirePrecondition: () => true },
  });
  const override = { id: await world.idOf('ReplicatedStorage/Lamp'), direction: 'push' as const };
  const hashed = { ...override, studioHash: gitBlob('') };
  const result = await world.sync({ mode: 'fastfail', overrides: [hashed] });
  assert.equal(result.overrides[0]?.verdict, 'precondition_missing');
});

test('[S20] ends partial with the reason when a file cannot be written', async () => {
  const world = await syncWorld({
    ...differing,
    files: { ...differing.files, 'src/Other.luau': 'return 1\n' },
    place: { ...differing.place, 'ServerScriptService/Other': { className: 'ModuleScript', source: 'return 2\n' } },
    git: {},
  });
  world.files.fault = (_, path) => {
    if (path === mainFile) throw new Error('no space left on device');
  };
  const result = await world.sync();
  assert.equal(result.status, 'partial');
  assert.deepEqual(result.changes.map(change => `${change.path}: ${change.outcome}`).toSorted(), [
    `${main}: failed`,
    'ServerScriptService/Other: written',
  ]);
  assert.match(result.changes.find(change => change.path === main)?.reason ?? '', /no space left/);
});

test('[G7] [G8] [G12] reads a script by id and by path, saved or as a draft', async () => {
  const world = await syncWorld({
    ...differing,
    place: { [main]: { className: 'Script', source: 'saved', draft: 'typed' } },
  });
  const signal = new AbortController().signal;
  const id = await world.idOf(main);
  const saved = await world.engine.readScript({ id, fromDraft: false }, signal);
  assert.deepEqual(
    [saved.source, saved.studioHash, saved.fsPath, saved.isDraft],
    ['saved', gitBlob('saved'), mainFile, false],
  );
  const draft = await world.engine.readScript({ fsPath: `./${mainFile}`, fromDraft: true }, signal);
  assert.deepEqual([draft.source, draft.id, draft.isDraft], ['typed', id, true]);
});

test('[G9] [G10] refuses unknown ids, outside paths and other instances with separate codes', async () => {
  const world = await syncWorld({ ...differing, files: { ...differing.files, 'src/lib/init.meta.json': '{}' } });
  const signal = new AbortController().signal;
  await world.sync({ mode: 'dryrun' });
  const read = (request: { id?: string; fsPath?: string }) =>
    world.engine.readScript({ ...request, fromDraft: false }, signal);
  await assert.rejects(read({ fsPath: 'src/lib' }), { code: 'NOT_A_SCRIPT' });
  await assert.rejects(read({ fsPath: 'src/none.luau' }), { code: 'SCRIPT_NOT_FOUND' });
  await assert.rejects(read({ fsPath: '../secret.luau' }), { code: 'PATH_OUTSIDE_ROOT' });
  await assert.rejects(read({ id: 'f'.repeat(32) }), {
    code: 'SCRIPT_NOT_FOUND',
    message: new RegExp(`^There is no script for ${'f'.repeat(32)}\\. .*[^.]\\.$`),
  });
  await assert.rejects(read({}), { code: 'INVALID_INPUT' });
});

test('compares the saved text of a file that the watcher has not reported yet', async () => {
  const disk = new MemoryFileSystem({
    'default.project.json': projectFile,
    'src/': '',
    'shared/': '',
    ...differing.files,
  });
  const world = await syncWorld({ ...differing, disk });
  // The world watches another folder, so it gets no event for this change.
  disk.set(mainFile, 'print("Studio")\n');
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'empty');
  assert.equal(world.studio.commands.filter(({ type }) => type === 'compare').length, 2);
});

test('records success when the project is closed after the last file of a pull was written', async () => {
  const world = await syncWorld(differing);
  const { changes } = await world.sync({ mode: 'dryrun' });
  const session: { [Symbol.dispose]?(): void } = world.session;
  world.files.fault = (_, path) => {
    if (path === mainFile) session[Symbol.dispose]?.();
  };
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'pull' as const })) });
  assert.deepEqual([result.status, result.changes.map(({ outcome }) => outcome)], ['success', ['written']]);
  assert.equal((await world.engine.recorded(result.runId))?.status, 'success');
});

test('fails the pulls with the reason when the disk is full after Studio has applied the pushes', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/A.luau': 'return "disk"\n', 'src/B.luau': 'return "disk"\n' },
    place: {
      'ServerScriptService/A': { className: 'ModuleScript', source: 'return "Studio"\n' },
      'ServerScriptService/B': { className: 'ModuleScript', source: 'return "Studio"\n' },
    },
  });
  const [push, pull] = [await world.idOf('ServerScriptService/A'), await world.idOf('ServerScriptService/B')];
  world.journal.note = () => Promise.reject(new AppError('STATE_NOT_WRITABLE', { folder: 'state', reason: 'ENOSPC' }));
  const result = await world.sync({
    overrides: [
      { id: push, direction: 'push' },
      { id: pull, direction: 'pull' },
    ],
  });
  assert.equal(result.status, 'partial', result.summary);
  assert.deepEqual(
    result.changes.map(({ path, outcome, reason }) => [path, outcome, reason]),
    [
      ['ServerScriptService/A', 'applied', undefined],
      ['ServerScriptService/B', 'failed', reasonText(reasonOf('state_not_writable', 'state', 'ENOSPC'))],
    ],
  );
  assert.equal(world.studio.source('ServerScriptService/A'), 'return "disk"\n');
  assert.equal(world.files.text('src/B.luau'), 'return "disk"\n');
  const recorded = await world.engine.recorded(result.runId);
  assert.deepEqual(
    recorded?.changes.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['applied', undefined],
      ['failed', reasonOf('state_not_writable', 'state', 'ENOSPC')],
    ],
  );
});
