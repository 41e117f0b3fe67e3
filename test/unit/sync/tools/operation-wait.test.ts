import type { RecordedRun } from '../../../../src/protocol/history.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { RecordedResult } from '../../../../src/protocol/run-result.ts';
import { BUDGET_MS } from '../../../../src/protocol/limits.ts';
import { operationWait } from '../../../../src/sync/tools/operation-wait.ts';
import { FakeEngine } from '../../../harness/fake-engine.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { settle } from '../../../harness/settle.ts';
import { toolCall } from '../../../harness/tool-call.ts';

function start() {
  const clock = new ManualClock();
  const engine = new FakeEngine();
  engine.start({ mode: 'manual', overrides: [], requestedBy: 'a test' });
  return { clock, run: engine.runs[0]!, deps: { clock, engine, hasher: nodeHasher } };
}

test('answers at once for an ended run, any number of times', async () => {
  const { run, deps } = start();
  run.end({ summary: 'Synced.' });
  for (let time = 0; time < 2; time += 1) {
    const { structuredContent } = await operationWait.call(deps, { operationId: 'run-1' }, toolCall());
    assert.equal(structuredContent['summary'], 'Synced.');
  }
});

test('waits for a running run, and can wait again', async () => {
  const { run, clock, deps } = start();
  const first = operationWait.call(deps, { operationId: 'run-1' }, toolCall());
  clock.advance(BUDGET_MS.callWithoutProgress);
  assert.equal((await first).structuredContent['status'], 'review_pending');
  const second = operationWait.call(deps, { operationId: 'run-1' }, toolCall());
  run.end({ status: 'rejected' });
  assert.deepEqual([(await second).structuredContent['status'], (await second).isError], ['rejected', true]);
});

test('leaves the run alone when the wait is cancelled', async () => {
  const { run, deps } = start();
  const client = new AbortController();
  const answer = operationWait.call(deps, { operationId: 'run-1' }, toolCall({ signal: client.signal }));
  client.abort();
  assert.equal((await answer).isError, true);
  assert.equal(run.isCancelled, false);
});

const recorded: RecordedResult = {
  runId: 'earlier',
  at: '2026-11-21T10:00:00.000Z',
  endedAt: '2026-11-21T10:00:03.000Z',
  requestedBy: 'an agent',
  mode: 'standard',
  place: { name: 'Harbor', placeId: 7 },
  status: 'partial',
  summary: 'The sync was only partly done.',
  changeCount: 2,
  changes: [
    {
      id: 'a',
      path: 'A',
      className: 'Script',
      patchType: 'Edit',
      choice: 'push',
      fsPath: null,
      sides: ['studio'],
      outcome: 'applied',
    },
    {
      id: 'b',
      path: 'B',
      className: 'Script',
      patchType: 'Edit',
      choice: 'push',
      fsPath: null,
      sides: ['studio'],
      outcome: 'unknown',
    },
  ],
};
type Row = readonly [recorded: Partial<RecordedResult>, answer: Readonly<Record<string, unknown>>, isError: boolean];
const rows: readonly Row[] = [
  [{}, { status: 'partial', outcome: 'unknown', elapsedMs: 3000 }, true],
  [{ status: 'success', changes: recorded.changes.slice(0, 1) }, { status: 'success', outcome: 'done' }, false],
  [{ status: 'interrupted' }, { status: 'error', outcome: 'unknown' }, true],
  [{ status: 'cancelled', changes: [] }, { status: 'cancelled', outcome: 'refused' }, true],
  [{ status: 'recorded' }, { status: 'success', outcome: 'done' }, false],
];
for (const [fields, expected, isFailure] of rows)
  test(`answers from the journal for a run of an earlier session with status ${fields.status ?? 'partial'}`, async () => {
    const { deps } = start();
    deps.engine.recordedRuns = [{ ...recorded, ...fields }];
    const { structuredContent, isError } = await operationWait.call(deps, { operationId: 'earlier' }, toolCall());
    assert.partialDeepStrictEqual(structuredContent, { runId: 'earlier', ...expected });
    const { page, ...shown } = structuredContent['recorded'] as RecordedRun;
    const [known] = deps.engine.recordedRuns;
    assert.deepEqual({ ...shown, changes: new Set(shown.changes) }, { ...known, changes: new Set(known?.changes) });
    assert.equal(page?.total, shown.changes.length === 0 ? undefined : shown.changes.length);
    assert.equal(isError, isFailure);
  });

test('reads the record of a run of another window again only at the end of the call', async () => {
  const { deps, clock } = start();
  deps.engine.elsewhere.add('theirs');
  const first = operationWait.call(deps, { operationId: 'theirs' }, toolCall());
  await settle();
  assert.equal(clock.pending, 1);
  clock.advance(BUDGET_MS.callWithoutProgress);
  const { structuredContent, isError } = await first;
  assert.deepEqual(
    [structuredContent['status'], structuredContent['outcome'], isError],
    ['review_pending', 'accepted', false],
  );
  const second = operationWait.call(deps, { operationId: 'theirs' }, toolCall());
  await settle();
  deps.engine.elsewhere.delete('theirs');
  deps.engine.recordedRuns = [{ ...recorded, runId: 'theirs' }];
  clock.advance(BUDGET_MS.callWithoutProgress);
  assert.equal((await second).structuredContent['status'], 'partial');
  assert.equal(clock.pending, 0);
});

test('leaves no timer when the client cancels the wait for a run of another window', async () => {
  const { deps, clock } = start();
  deps.engine.elsewhere.add('theirs');
  const client = new AbortController();
  const answer = operationWait.call(deps, { operationId: 'theirs' }, toolCall({ signal: client.signal }));
  await settle();
  client.abort();
  assert.equal((await answer).isError, true);
  assert.equal(clock.pending, 0);
});

test('answers an unknown operation with an error', async () => {
  const { deps } = start();
  const { structuredContent } = await operationWait.call(deps, { operationId: 'run-2' }, toolCall());
  assert.equal((structuredContent as { error: { code: string } }).error.code, 'UNKNOWN_OPERATION');
});
