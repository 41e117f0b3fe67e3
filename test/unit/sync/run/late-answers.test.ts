import { formatResult } from '../../../../src/protocol/run-result.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEnding } from '../../../../src/protocol/journal/journal-record.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { settle } from '../../../harness/settle.ts';
import { syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const path = (name: string): string => `ServerScriptService/${name}`;
const createWorld = (): Promise<SyncWorld> =>
  syncWorld({
    git: 'none',
    files: { 'src/A.luau': 'return "disk A"\n', 'src/B.luau': 'return "disk B"\n' },
    place: {
      [path('A')]: { className: 'ModuleScript', source: 'return "Studio A"\n' },
      [path('B')]: { className: 'ModuleScript', source: 'return "Studio B"\n' },
    },
  });

/** Pushes A and pulls B with a Studio that never confirms, until the budget ends. */
async function unanswered(world: SyncWorld, studioDoes: () => void) {
  const { changes } = await world.sync({ mode: 'dryrun' });
  const overrides = changes.map(({ id, path: at }) => ({
    id,
    direction: at === path('A') ? ('push' as const) : ('pull' as const),
  }));
  world.studio.stalled.add('apply');
  world.studio.before = command => {
    if (command.type === 'apply') studioDoes();
  };
  const run = world.engine.start({ mode: 'standard', overrides, requestedBy: 'test' });
  await settle();
  world.clock.advance(30_000);
  await settle();
  return { run, result: formatResult(await run.result) };
}
const outcomes = (
  result: { readonly changes: readonly { path: string; outcome?: string | undefined }[] } | undefined,
) => Object.fromEntries((result?.changes ?? []).map(change => [change.path.slice(-1), change.outcome]));

test('[R6] reads Studio once before reporting unknown, and reports what it reads', async () => {
  const world = await createWorld();
  const { result } = await unanswered(world, () => world.studio.edit(path('A'), 'return "disk A"\n'));
  assert.deepEqual(outcomes(result), { A: 'applied', B: 'failed' });
  assert.deepEqual([result.status, result.error?.code], ['error', 'STUDIO_NOT_RESPONDING']);
  assert.equal(world.studio.commands.filter(({ type }) => type === 'read').length, 2);
  assert.equal(world.files.text('src/B.luau'), 'return "disk B"\n');
});

test('[R6] reports unknown when reading Studio shows no result', async () => {
  const world = await createWorld();
  const { result } = await unanswered(world, () => undefined);
  assert.deepEqual(outcomes(result), { A: 'unknown', B: 'failed' });
  assert.equal(result.outcome, 'unknown');
  assert.match(result.changes.find(change => change.path === path('A'))?.reason ?? '', /did not confirm/);
});

for (const [what, isApplied, outcome] of [
  ['reads Studio', true, 'applied'],
  ['reports unknown', false, 'unknown'],
] as const)
  test(`${what} when an answer has no result of a push`, async () => {
    const world = await createWorld();
    const { changes } = await world.sync({ mode: 'dryrun' });
    world.studio.stalled.add('apply');
    world.studio.before = command => {
      if (command.type !== 'apply') return;
      if (isApplied) world.studio.edit(path('A'), 'return "disk A"\n');
      setImmediate(() => world.studio.sendRaw({ type: 'applied', requestId: command.requestId, results: [] }));
    };
    const overrides = changes.map(({ id }, index) => ({ id, direction: index === 0 ? 'push' : 'pull' }) as const);
    const result = await world.sync({ mode: 'standard', overrides });
    assert.deepEqual(outcomes(result), { A: outcome, B: 'failed' });
    assert.equal(result.outcome, isApplied ? 'failed' : 'unknown');
    assert.equal(world.files.text('src/B.luau'), 'return "disk B"\n');
  });

for (const [what, hasResults] of [
  ['an answer', true],
  ['an answer without results', false],
] as const)
  test(`keeps the outcomes and their record when ${what} arrives after Studio was read`, async () => {
    const world = await createWorld();
    const { run } = await unanswered(world, () => world.studio.edit(path('A'), 'return "disk A"\n'));
    const command = world.studio.commands.find(({ type }) => type === 'apply');
    assert.ok(command?.type === 'apply');
    const known = command.decisions.map(({ id }) => ({ id, ok: true, studioHash: gitBlob('return "disk A"\n') }));
    const results = hasResults ? known : [];
    world.studio.sendRaw({ type: 'applied', requestId: command.requestId, results });
    await settle();
    assert.deepEqual(outcomes(run.latest()), { A: 'applied', B: 'failed' });
    assert.equal(run.latest()?.status, 'error');
    const ending = (await world.journal.find(run.runId))?.ending as JournalEnding;
    assert.deepEqual([ending.status, ending.outcomes.length], ['error', 2]);
  });

test('[R10] completes the record of its run with a late answer, and no other run', async () => {
  const world = await createWorld();
  const { run, result } = await unanswered(world, () => undefined);
  const command = world.studio.commands.find(({ type }) => type === 'apply');
  assert.ok(command?.type === 'apply');
  let notifications = 0;
  world.engine.onDidChange(() => (notifications += 1));
  const results = command.decisions.map(({ id, direction }) => ({
    id,
    ok: true,
    studioHash: gitBlob(direction === 'push' ? 'return "disk A"\n' : 'return "Studio B"\n'),
  }));
  for (let time = 0; time < 2; time += 1)
    world.studio.sendRaw({ type: 'applied', requestId: command.requestId, results });
  await settle();
  assert.equal(notifications, 1, 'the second answer is ignored');
  assert.deepEqual(outcomes(result), { A: 'unknown', B: 'failed' }, 'the returned result does not change');
  assert.deepEqual(outcomes(run.latest()), { A: 'applied', B: 'failed' });
  assert.deepEqual([run.latest()?.status, run.latest()?.outcome], ['partial', 'failed']);
  const ending = (await world.journal.find(run.runId))?.ending as JournalEnding;
  assert.deepEqual(
    ending.outcomes.map(({ outcome }) => outcome).toSorted((a, b) => (a < b ? -1 : 1)),
    ['applied', 'failed'],
  );
  assert.equal(world.clock.pending, 0);
});

test('[R10] reports what Studio confirms while the end of the run is being recorded', async () => {
  const world = await createWorld();
  const finish = world.journal.finish.bind(world.journal);
  let isAnswered = false;
  world.journal.finish = async (...ending) => {
    const command = world.studio.commands.find(({ type }) => type === 'apply');
    if (!isAnswered && command?.type === 'apply') {
      isAnswered = true;
      const results = command.decisions.map(({ id }) => ({ id, ok: true, studioHash: gitBlob('return "disk A"\n') }));
      world.studio.sendRaw({ type: 'applied', requestId: command.requestId, results });
      await settle();
    }
    await finish(...ending);
  };
  const { run, result } = await unanswered(world, () => undefined);
  await settle();
  assert.deepEqual(outcomes(result), { A: 'applied', B: 'failed' });
  assert.deepEqual([run.latest()?.status, result.status], ['partial', 'partial']);
  const { ending } = (await world.journal.find(run.runId)) ?? {};
  assert.equal((ending as JournalEnding).status, 'partial');
});
