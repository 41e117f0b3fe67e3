import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUDGET_MS } from '../../../../src/protocol/limits.ts';
import { operationWait } from '../../../../src/tools/sync/operation-wait.ts';
import { FakeEngine } from '../../../harness/fake-engine.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { toolCall } from '../../../harness/tool-call.ts';

function start() {
  const clock = new ManualClock();
  const engine = new FakeEngine();
  engine.start({ mode: 'manual', overrides: [], requestedBy: 'a test' });
  return { clock, run: engine.runs[0]!, deps: { clock, engine } };
}

test('an ended run answers at once, any number of times', async () => {
  const { run, deps } = start();
  run.end({ summary: 'Synced.' });
  for (let time = 0; time < 2; time += 1) {
    const { structuredContent } = await operationWait.call(deps, { operationId: 'run-1' }, toolCall());
    assert.equal(structuredContent['summary'], 'Synced.');
  }
});

test('a running one is waited for, and the wait can be taken up again', async () => {
  const { run, clock, deps } = start();
  const first = operationWait.call(deps, { operationId: 'run-1' }, toolCall());
  clock.advance(BUDGET_MS.callWithoutProgress);
  assert.equal((await first).structuredContent['status'], 'review_pending');
  const second = operationWait.call(deps, { operationId: 'run-1' }, toolCall());
  run.end({ status: 'rejected' });
  assert.deepEqual([(await second).structuredContent['status'], (await second).isError], ['rejected', true]);
});

test('cancelling the wait leaves the run alone', async () => {
  const { run, deps } = start();
  const client = new AbortController();
  const answer = operationWait.call(deps, { operationId: 'run-1' }, toolCall({ signal: client.signal }));
  client.abort();
  assert.equal((await answer).isError, true);
  assert.equal(run.isCancelled, false);
});

test('an unknown operation is said to be unknown', async () => {
  const { deps } = start();
  const { structuredContent } = await operationWait.call(deps, { operationId: 'run-2' }, toolCall());
  assert.equal((structuredContent as { error: { code: string } }).error.code, 'UNKNOWN_OPERATION');
});
