import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { followPendingChanges } from '../../../src/sync/pending-changes.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { settle } from '../../harness/settle.ts';
import { type SyncWorld, syncWorld, type WorldParts } from '../../harness/sync-world.ts';

const parts: WorldParts = {
  git: 'none',
  files: { 'src/A.luau': 'return "disk A"\n', 'src/B.luau': 'return "disk B"\n' },
  place: {
    'ServerScriptService/A': { className: 'ModuleScript', source: 'return "studio A"\n' },
    'ServerScriptService/B': { className: 'ModuleScript', source: 'return "disk B"\n' },
  },
};

async function followed(more: WorldParts = {}) {
  const world: SyncWorld = await syncWorld({ ...parts, ...more });
  const studiosChanged = new Emitter<void>();
  const projectChanged = new Emitter<void>();
  const links = { all: () => world.studios.all(), onDidChange: studiosChanged.event };
  const pending = followPendingChanges({
    engine: world.engine,
    studios: links,
    session: () => world.session,
    onDidChangeProject: projectChanged.event,
    clock: world.clock,
    log: memoryLog(),
  });
  const paths = (): readonly string[] => pending.state().changes.map(({ path, choice }) => `${path} ${choice}`);
  return { ...world, pending, paths, studiosChanged, projectChanged };
}

test('compares nothing until requested when automatic comparison is off', async () => {
  const { pending, clock, studio, studiosChanged } = await followed();
  studiosChanged.fire();
  clock.advance(60_000);
  await settle();
  assert.equal(pending.state().kind, 'unknown');
  assert.equal(studio.commands.filter(({ type }) => type === 'compare').length, 0);
});

test('lists the differences without a visible run when refreshed', async () => {
  const { pending, paths, engine } = await followed();
  const refreshed = pending.refresh();
  assert.equal(engine.current(), undefined);
  assert.ok(pending.isComparing());
  await refreshed;
  assert.deepEqual(paths(), ['ServerScriptService/A null']);
  assert.equal(pending.state().kind, 'compared');
});

test('reports to its listeners that a comparison has begun and has ended', async () => {
  const { pending } = await followed();
  const reported: boolean[] = [];
  pending.onDidChange(() => reported.push(pending.isComparing()));
  await pending.refresh();
  assert.deepEqual(reported, [true, false]);
});

test('compares once after several saved files, and when Studio connects, when automatic', async () => {
  const { pending, paths, clock, files, session, studio } = await followed();
  pending.setAutomatic(true);
  clock.advance(800);
  await settle();
  assert.deepEqual(paths(), ['ServerScriptService/A null']);
  const before = studio.commands.length;
  files.set('src/A.luau', 'return "studio A"\n');
  files.set('src/B.luau', 'return "disk B again"\n');
  await session.refresh(new AbortController().signal);
  clock.advance(800);
  await settle();
  assert.deepEqual(paths(), ['ServerScriptService/B null']);
  assert.equal(studio.commands.slice(before).filter(({ type }) => type === 'compare').length, 1);
});

test('lets a requested sync preempt the comparison, and uses its changes', async () => {
  const world = await followed();
  const { pending, paths } = world;
  const own = pending.refresh();
  const result = await world.sync({ mode: 'dryrun' });
  assert.equal(result.status, 'dryrun', 'the sync was not refused as already in progress');
  await own;
  assert.deepEqual(paths(), ['ServerScriptService/A null']);
});

test('shows the choices of an open review, and drops changes that were applied', async () => {
  const { pending, paths, engine } = await followed();
  const run = engine.start({ mode: 'manual', overrides: [], requestedBy: 'you' });
  await settle();
  const { review, kind } = pending.state();
  assert.equal(kind, 'reviewing');
  const [change] = pending.state().changes;
  review?.choose([change?.id ?? ''], 'push');
  assert.deepEqual(paths(), ['ServerScriptService/A push']);
  review?.apply(review.status().revision);
  assert.equal((await run.result).status, 'success');
  assert.equal(pending.state().kind, 'compared');
  assert.deepEqual(paths(), []);
});

test('does not take a restore for a comparison of the project', async () => {
  const world = await followed();
  const { pending, engine } = world;
  await pending.refresh();
  const overrides = pending.state().changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  const pull = await world.sync({ mode: 'fastfail', overrides });
  assert.deepEqual([pull.status, pending.state().kind], ['success', 'compared']);
  const run = engine.start({
    mode: 'manual',
    overrides: [],
    requestedBy: 'you',
    restore: { runId: pull.runId, side: 'disk' },
  });
  await settle();
  const { review } = pending.state();
  assert.ok(review !== undefined);
  review.apply(review.status().revision);
  assert.equal((await run.result).status, 'success');
  await settle();
  assert.equal(pending.state().kind, 'unknown');
});

test('waits for Studio, and rejects a requested refresh with the reason', async () => {
  const { pending, clock } = await followed({ connected: false });
  pending.setAutomatic(true);
  clock.advance(60_000);
  await settle();
  assert.equal(pending.state().kind, 'unknown', 'no Studio, no comparison');
  await pending.refresh();
  assert.match(JSON.stringify(pending.state().problem), /Studio/);
});

test('no longer says why nothing was compared after Studio connected or the project changed', async () => {
  const world = await followed({ connected: false });
  const { pending, studiosChanged, projectChanged } = world;
  await pending.refresh();
  studiosChanged.fire();
  assert.notEqual(pending.state().problem, undefined, 'Studio is still missing');
  projectChanged.fire();
  assert.equal(pending.state().problem, undefined);
  await pending.refresh();
  world.join();
  studiosChanged.fire();
  assert.equal(pending.state().problem, undefined);
});

test('compares again after a listener has thrown', async () => {
  const { pending, paths } = await followed();
  const listening = pending.onDidChange(() => {
    if (pending.state().kind === 'compared') throw new Error('the view is closed');
  });
  await assert.rejects(pending.refresh(), /the view is closed/);
  listening[Symbol.dispose]();
  await pending.refresh();
  assert.deepEqual(paths(), ['ServerScriptService/A null']);
});
