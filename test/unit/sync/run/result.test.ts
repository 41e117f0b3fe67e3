import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acknowledge } from '../../../../src/sync/run/result.ts';
import type { RunChange } from '../../../../src/sync/changes/run-change.ts';
import { isErrorStatus, SyncStatus } from '../../../../src/protocol/sync-result.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { runChange } from '../../../harness/run-change.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const ended = (status: SyncStatus, hasBegun: boolean, outcomes: readonly RunChange['outcome'][] = []) =>
  acknowledge({
    status,
    hasBegun,
    changes: outcomes.map((outcome, index) => runChange({ id: `${index}` }, { outcome, diskHash: gitBlob('') })),
    at: undefined,
    elapsedMs: 12.3,
  });

type Row = readonly [status: SyncStatus, hasBegun: boolean, outcomes: readonly RunChange['outcome'][], outcome: string];
const rows: readonly Row[] = [
  ['success', true, ['applied', 'written'], 'done'],
  ['dryrun', false, [undefined], 'done'],
  ['empty', false, [], 'already'],
  ['review_pending', false, [], 'waiting_for_user'],
  ['rejected', false, [undefined], 'refused'],
  ['fastfail_unresolved', false, [undefined], 'refused'],
  ['review_timeout', false, [undefined], 'refused'],
  ['cancelled', false, [undefined], 'refused'],
  ['not_connected', false, [], 'refused'],
  ['sync_in_progress', false, [], 'refused'],
  ['partial', true, ['applied', 'failed'], 'failed'],
  ['partial', false, ['failed'], 'failed'],
  ['partial', true, ['applied', 'unknown'], 'unknown'],
  ['disconnected', false, [undefined], 'refused'],
  ['disconnected', true, ['failed'], 'failed'],
  ['disconnected', true, ['unknown', 'failed'], 'unknown'],
  ['error', false, [], 'refused'],
  ['error', true, ['unknown'], 'unknown'],
  ['error', true, ['applied', 'failed'], 'failed'],
];
for (const [status, hasBegun, outcomes, outcome] of rows)
  test(`outcome ${outcome} of status ${status} ${hasBegun ? 'after' : 'before'} the first change, with ${outcomes.join(' and ') || 'no changes'}`, () => {
    const acknowledged = ended(status, hasBegun, outcomes);
    assert.equal(acknowledged.outcome, outcome);
    assert.equal(['refused', 'failed', 'unknown'].includes(outcome), isErrorStatus(status));
    assert.equal(acknowledged.elapsedMs, 12);
  });

test('every status has a row', () => {
  assert.deepEqual(new Set(rows.map(([status]) => status)), new Set(SyncStatus.options));
});

test('[R13] reports the compared states and the evidence of a run', async () => {
  const world = await syncWorld({
    files: { 'src/A.luau': 'return 1\n', 'src/B.luau': 'return 2\n' },
    place: {
      'ServerScriptService/A': { className: 'ModuleScript', source: 'return 3\n' },
      'ServerScriptService/B': { className: 'ModuleScript', source: 'return 4\n' },
    },
    git: 'none',
  });
  const look = await world.sync({ mode: 'dryrun' });
  assert.deepEqual(look.evidence, { kind: 'studio.compared', strength: 'reply' });
  assert.deepEqual(look.at, { workspaceGen: world.session.revision(), connectionEpoch: 1 });
  const overrides = look.changes.map(({ id }, index) => ({ id, direction: index === 0 ? 'push' : 'pull' }) as const);
  const done = await world.sync({ overrides });
  assert.deepEqual(done.evidence, { kind: 'sides.verified', strength: 'verified', instances: 1, files: 1 });
  assert.equal(done.at?.workspaceGen, world.session.revision());
  assert.ok((done.at?.workspaceGen ?? 0) > (look.at?.workspaceGen ?? 0), 'a pull changes the state');
  const same = await world.sync();
  assert.deepEqual([same.outcome, same.at], ['already', done.at]);
});

test('[R5] reports only Studio’s reply as evidence for values that are not read back', () => {
  const pushed = runChange({ id: 'a', className: 'Part' }, { outcome: 'applied' });
  const { evidence } = acknowledge({
    status: 'success',
    changes: [pushed],
    hasBegun: true,
    at: undefined,
    elapsedMs: 0,
  });
  assert.equal(evidence?.strength, 'reply');
});

test('[R5] reports only Studio’s reply as evidence for the properties of a pushed script', () => {
  const strengthOf = (studio: Parameters<typeof runChange>[0]) => {
    const changes = [runChange(studio, { outcome: 'applied', diskHash: gitBlob('') })];
    return acknowledge({ status: 'success', changes, hasBegun: true, at: undefined, elapsedMs: 0 }).evidence?.strength;
  };
  const script = { id: 'a', className: 'Script', sourceDiffers: true };
  assert.equal(strengthOf(script), 'verified');
  assert.equal(strengthOf({ ...script, properties: { Disabled: { current: { Bool: true } } } }), 'reply');
});
