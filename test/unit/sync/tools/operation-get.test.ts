import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { RecordedRun } from '../../../../src/protocol/history.ts';
import type { RecordedResult } from '../../../../src/protocol/run-result.ts';
import { operationGet } from '../../../../src/sync/tools/operation-get.ts';
import { syncHistory } from '../../../../src/sync/tools/sync-history.ts';
import { FakeEngine } from '../../../harness/fake-engine.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { toolCall } from '../../../harness/tool-call.ts';

const change = (id: string): RecordedResult['changes'][number] => ({
  id,
  path: `ServerScriptService/${id}`,
  className: 'Script',
  sides: ['studio'],
  patchType: 'Edit',
  choice: 'pull',
  fsPath: null,
});
const recorded: RecordedResult = {
  runId: 'old',
  at: '2026-01-01T00:00:00.000Z',
  requestedBy: 'Copilot',
  mode: 'standard',
  place: { name: 'Baseplate', placeId: 7 },
  status: 'interrupted',
  summary: 'The sync was interrupted.',
  changeCount: 12,
  changes: Array.from({ length: 12 }, (_, n) => change(String(n))),
};

function start() {
  const engine = new FakeEngine();
  engine.start({ mode: 'manual', overrides: [], requestedBy: 'a test' });
  engine.recordedRuns.push(recorded);
  const deps = { clock: new ManualClock(), engine, hasher: nodeHasher };
  const get = async (operationId: string) => operationGet.call(deps, { operationId }, toolCall());
  return { deps, run: engine.runs[0]!, get };
}

test('distinguishes running runs, ended runs and runs of an earlier session, without waiting', async () => {
  const { run, get } = start();
  run.progress('reviewing', 'a person is deciding');
  const running = (await get('run-1')).structuredContent;
  assert.deepEqual([running['state'], running['phase']], ['running', 'reviewing']);
  assert.match(String(running['summary']), /operation_wait/);
  run.end({ status: 'partial', summary: 'Partly.' });
  const ended = (await get('run-1')).structuredContent;
  assert.deepEqual([ended['state'], ended['summary']], ['ended', 'Partly.']);
  const { changes, page, ...rest } = (await get('old')).structuredContent['recorded'] as RecordedRun;
  assert.deepEqual([page?.total, new Set(changes)], [12, new Set(recorded.changes)]);
  assert.deepEqual({ ...rest, changes: recorded.changes }, recorded);
});

test('answers an unknown id with an error code', async () => {
  const { isError, structuredContent } = await start().get('unknown');
  assert.equal(isError, true);
  assert.equal((structuredContent['error'] as { code: string }).code, 'UNKNOWN_OPERATION');
});

test('lists runs with their first changes, and a single run with all of them', async () => {
  const { deps } = start();
  const list = await syncHistory.call(deps, {}, toolCall());
  const [run] = list.structuredContent['runs'] as RecordedRun[];
  assert.deepEqual([run?.changeCount, run?.changes.length], [12, 10]);
  assert.equal(list.structuredContent['summary'], '1 recorded sync.');
  assert.match(list.content[0].text, /interrupted, 12 changes, requested by Copilot \(runId old\)/);
  const one = await syncHistory.call(deps, { runId: 'old' }, toolCall());
  assert.equal((one.structuredContent['runs'] as RecordedRun[])[0]?.changes.length, 12);
  assert.equal((await syncHistory.call(deps, { runId: 'unknown' }, toolCall())).isError, true);
});
