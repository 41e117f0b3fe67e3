import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { syncRestore } from '../../../../src/sync/tools/sync-restore.ts';
import { FakeEngine } from '../../../harness/fake-engine.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { toolCall } from '../../../harness/tool-call.ts';

function start() {
  const engine = new FakeEngine();
  return { engine, deps: { clock: new ManualClock(), engine, hasher: nodeHasher } };
}

test('answers with the result of a restore that a person reviews', async () => {
  const { engine, deps } = start();
  const answer = syncRestore.call(deps, { runId: 'old', side: 'disk', ids: ['a'] }, toolCall());
  const [run] = engine.runs;
  assert.deepEqual(run?.request.restore, { runId: 'old', side: 'disk', ids: ['a'] });
  assert.equal(run?.request.mode, 'manual');
  run?.end({ status: 'rejected', summary: 'A person rejected it.' });
  const { isError, structuredContent } = await answer;
  assert.deepEqual([isError, structuredContent['summary']], [true, 'A person rejected it.']);
});

test('runs a preview as a dry run, and cancels the run with the call', async () => {
  const { engine, deps } = start();
  void syncRestore.call(deps, { runId: 'old', side: 'studio', preview: true }, toolCall());
  assert.equal(engine.runs[0]?.request.mode, 'dryrun');
  const given = new AbortController();
  const answer = syncRestore.call(deps, { runId: 'old', side: 'disk' }, toolCall({ signal: given.signal }));
  given.abort();
  assert.equal((await answer).isError, true);
  assert.equal(engine.runs[1]?.isCancelled, true);
});

test('refuses an unknown side and an empty list of changes', async () => {
  const { engine, deps } = start();
  for (const args of [{ runId: 'old', side: 'both' }, { runId: 'old', side: 'disk', ids: [] }, { side: 'disk' }])
    assert.equal((await syncRestore.call(deps, args, toolCall())).isError, true);
  assert.ok(engine.runs.every(({ request }) => request.refusal?.code === 'INVALID_INPUT'));
});
