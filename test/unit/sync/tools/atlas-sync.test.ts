import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { BUDGET_MS } from '../../../../src/protocol/limits.ts';
import { SyncResult } from '../../../../src/protocol/sync-result.ts';
import { atlasDiff } from '../../../../src/sync/tools/atlas-diff.ts';
import { syncRestore } from '../../../../src/sync/tools/sync-restore.ts';
import { atlasSync } from '../../../../src/sync/tools/atlas-sync.ts';
import { FakeEngine } from '../../../harness/fake-engine.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { getMerge } from '../../../../src/sync/tools/get-merge.ts';
import { getScript } from '../../../../src/sync/tools/get-script.ts';
import { differing, main, syncWorld } from '../../../harness/sync-world.ts';
import { toolCall } from '../../../harness/tool-call.ts';

function start() {
  const clock = new ManualClock();
  const engine = new FakeEngine();
  return { clock, engine, deps: { clock, engine, hasher: nodeHasher } };
}

test('[A8] [A9] [A10] [A11] passes the arguments, the defaults and the client to the run', async () => {
  const { engine, deps } = start();
  engine.onStarted(run => run.end());
  await atlasSync.call(deps, {}, toolCall({ requestedBy: 'Copilot' }));
  const overrides = [{ id: 'a'.repeat(32), direction: 'push' as const, studioHash: '0'.repeat(40) }];
  await atlasSync.call(deps, { mode: 'fastfail', overrides }, toolCall());
  assert.deepEqual(
    engine.runs.map(({ request: { mode, overrides: sent, requestedBy } }) => ({ mode, overrides: sent, requestedBy })),
    [
      { mode: 'standard', overrides: [], requestedBy: 'Copilot' },
      { mode: 'fastfail', overrides, requestedBy: 'a test' },
    ],
  );
});

test('[A13] [A14] [A15] sets isError only for the statuses of the table', async () => {
  const { engine, deps } = start();
  const isError = new Map<string, boolean>();
  for (const status of SyncResult.shape.status.options) {
    const answer = atlasSync.call(deps, {}, toolCall());
    engine.runs.at(-1)?.end({ status });
    isError.set(status, (await answer).isError);
  }
  const fine = [...isError].flatMap(([status, error]) => (error ? [] : [status]));
  assert.deepEqual(fine, ['success', 'empty', 'dryrun', 'review_pending']);
});

test('answers review_pending before the client times out, and keeps the run, without progress', async () => {
  const { engine, clock, deps } = start();
  const answer = atlasSync.call(deps, {}, toolCall());
  engine.runs[0]!.progress('reviewing', 'A person is deciding.');
  clock.advance(BUDGET_MS.callWithoutProgress);
  const { structuredContent, isError } = await answer;
  assert.equal(isError, false);
  assert.deepEqual(structuredContent, {
    status: 'review_pending',
    summary:
      'A person is deciding in the review; nothing has been applied yet. ' +
      'Call operation_wait with operationId "run-1" to wait for its end.',
    runId: 'run-1',
    outcome: 'waiting_for_user',
    elapsedMs: BUDGET_MS.callWithoutProgress,
    changes: [],
    overrides: [],
  });
  assert.equal(engine.runs[0]!.isCancelled, false);
  assert.equal(clock.pending, 0);
});

test('leaves no timer after the answer', async () => {
  const { engine, clock, deps } = start();
  engine.onStarted(run => run.end());
  await atlasSync.call(deps, {}, toolCall());
  assert.equal(clock.pending, 0);
});

test('reports progress and waits for the end when the client requests progress', async () => {
  const { engine, clock, deps } = start();
  const heard: string[] = [];
  const answer = atlasSync.call(deps, {}, toolCall({ progress: message => heard.push(message) }));
  const [run] = engine.runs;
  run!.progress('reviewing', 'A person is deciding over 3 changes.');
  clock.advance(20 * 60_000);
  run!.end({ status: 'rejected', summary: 'Rejected.' });
  assert.equal((await answer).structuredContent['status'], 'rejected');
  assert.deepEqual(heard, ['Sync run run-1 is comparing.', 'A person is deciding over 3 changes.']);
  run!.progress('ended', 'after the end');
  assert.equal(heard.length, 2);
});

test('cancels the run when the client cancels its call', async () => {
  const { engine, deps } = start();
  const client = new AbortController();
  const answer = atlasSync.call(deps, {}, toolCall({ signal: client.signal }));
  client.abort();
  assert.equal((await answer).isError, true);
  assert.equal(engine.runs[0]!.isCancelled, true);
});

test('[B4] starts nothing when the mode is unknown', async () => {
  const { engine, deps } = start();
  const answer = await atlasSync.call(deps, { mode: 'turbo' }, toolCall());
  assert.match(answer.content[0].text, /mode: must be one of: standard, manual, fastfail, dryrun/);
  assert.ok(engine.runs.every(({ request }) => request.refusal?.code === 'INVALID_INPUT'));
});

test('names the ids of several overrides for one change', async () => {
  const { deps } = start();
  const override = (id: string) => ({ id, direction: 'push' });
  const overrides = ['b', 'a', 'a', 'c', 'A'.repeat(32), 'a'.repeat(32), 'a'].map(override);
  const answer = await atlasSync.call(deps, { overrides }, toolCall());
  assert.match(answer.content[0].text, new RegExp(`overrides: more than one override for a, ${'a'.repeat(32)}\\.`));
});

test('passes decisions for lists of changes with their filters, and none without them', async () => {
  const { engine, deps } = start();
  engine.onStarted(run => run.end());
  const single = { id: 'a'.repeat(32), direction: 'pull', diskHash: '0'.repeat(40) };
  const whole = { digest: 'd1', direction: 'push' };
  const filtered = {
    under: 'ReplicatedStorage',
    patchType: 'Edit',
    className: 'ModuleScript',
    undecided: true,
    digest: 'd2',
    direction: 'pull',
  };
  await atlasSync.call(deps, { overrides: [whole, single, filtered] }, toolCall());
  await atlasSync.call(deps, { overrides: [single] }, toolCall());
  const [both, onlySingle] = engine.runs.map(({ request }) => request);
  assert.deepEqual([both?.overrides, both?.bulk], [[single], [whole, filtered]]);
  assert.deepEqual([onlySingle?.overrides, Object.hasOwn(onlySingle ?? {}, 'bulk')], [[single], false]);
});

for (const [name, override, problem] of [
  ['neither id nor digest', {}, /each override needs either id or digest/],
  ['both id and digest', { id: 'x', digest: 'd' }, /each override needs either id or digest/],
  ['a merge of a list', { digest: 'd', direction: 'merge' }, /an override with digest cannot merge/],
  [
    'hashes for a list',
    { digest: 'd', studioHash: '0'.repeat(40), expectedProperties: {} },
    /an override with digest cannot have studioHash, expectedProperties/,
  ],
] as const)
  test(`starts no sync when an override has ${name}`, async () => {
    const { engine, deps } = start();
    engine.onStarted(run => run.end());
    const answer = await atlasSync.call(deps, { overrides: [{ direction: 'push', ...override }] }, toolCall());
    assert.match(answer.content[0].text, problem);
    assert.ok(engine.runs.every(({ request }) => request.refusal?.code === 'INVALID_INPUT'));
  });

test('takes a merge of a single change', async () => {
  const { engine, deps } = start();
  engine.onStarted(run => run.end());
  await atlasSync.call(deps, { overrides: [{ id: 'x', direction: 'merge' }] }, toolCall());
  assert.deepEqual(engine.runs[0]?.request.overrides, [{ id: 'x', direction: 'merge' }]);
});

test('answers invalid arguments with all fields of a result', async () => {
  const world = await syncWorld(differing);
  const deps = { engine: world.engine, clock: world.clock, hasher: nodeHasher };
  for (const [tool, args, problem] of [
    [atlasSync, { mode: 'quick' }, /mode: must be one of: standard/],
    [atlasSync, { overrides: [{ id: 'x', direction: 'sideways' }] }, /overrides\[0\]\.direction/],
    [atlasDiff, { limit: 'all' }, /limit/],
    [syncRestore, { runId: 'x', side: 'both' }, /side/],
  ] as const) {
    const { structuredContent, isError } = await tool.call(deps, args, toolCall());
    assert.equal(isError, true);
    const { status, runId, changes, overrides, error, outcome } = SyncResult.parse(structuredContent);
    assert.deepEqual([status, changes, overrides, outcome, error?.code], ['error', [], [], 'refused', 'INVALID_INPUT']);
    assert.match(error?.message ?? '', problem);
    assert.equal(world.engine.find(runId)?.latest()?.status, 'error');
  }
  assert.deepEqual(world.studio.commands, []);
});

test('accepts ids in upper case', async () => {
  // The ids of other worlds have only digits.
  const sequential = sequentialRandom();
  const random = { ...sequential, ref: () => sequential.ref().replace(/^0/, 'a') };
  const world = await syncWorld({ ...differing, random });
  const deps = { engine: world.engine, clock: nodeClock, hasher: nodeHasher };
  const call = async (tool: typeof atlasSync, args: object) =>
    (await tool.call(deps, args, toolCall())).structuredContent as Record<string, unknown>;
  const lower = await world.idOf(main);
  const id = lower.toUpperCase();
  assert.notEqual(id, lower);
  const script = await call(getScript, { id });
  assert.deepEqual([script['status'], script['id']], ['success', lower], JSON.stringify(script));
  const merge = await call(getMerge, { id });
  assert.deepEqual([merge['status'], merge['id']], ['no_base', lower], JSON.stringify(merge));
  const synced = await call(atlasSync, { mode: 'fastfail', overrides: [{ id, direction: 'push' }] });
  assert.equal(synced['status'], 'success', JSON.stringify(synced));
  const restore = { runId: synced['runId'], side: 'studio', ids: [id], preview: true };
  assert.equal((await call(syncRestore, restore))['status'], 'dryrun');
});
