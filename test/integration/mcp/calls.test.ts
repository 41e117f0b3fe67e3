import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUDGET_MS } from '../../../src/protocol/limits.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { startEndpoint } from '../../harness/start-endpoint.ts';
import { until } from '../../harness/until.ts';

test('repeats progress notifications until the run ends', async () => {
  const clock = new ManualClock();
  await using server = await startEndpoint(clock);
  await using connected = await connectClient(server.url, server.token);
  const heard: { progress: number; message?: string | undefined }[] = [];
  const answer = connected.client.callTool({ name: 'atlas_sync' }, undefined, {
    onprogress: progress => heard.push(progress),
  });
  await until(() => heard.length === 1);
  const [run] = server.engine.runs;
  clock.advance(1_000);
  run!.progress('reviewing', 'A person is deciding over 3 changes.');
  await until(() => heard.length === 2);
  for (let beat = 3; beat <= 5; beat += 1) {
    clock.advance(BUDGET_MS.progressEvery);
    await until(() => heard.length === beat);
  }
  run!.end();
  assert.equal((await answer).isError, false);
  assert.deepEqual(
    heard.map(({ progress, message }) => [progress, message]),
    [[1, 'Sync run run-1 is comparing.'], ...[2, 3, 4, 5].map(step => [step, 'A person is deciding over 3 changes.'])],
  );
});

test('[W6] answers review_pending without progress, and continues with operation_wait', async () => {
  const clock = new ManualClock();
  await using server = await startEndpoint(clock);
  await using connected = await connectClient(server.url, server.token);
  server.engine.onStarted(run => run.progress('reviewing', 'A person is deciding.'));
  const pending = callTool(connected.client, 'atlas_sync', { mode: 'manual' });
  await until(() => server.engine.runs.length === 1 && clock.pending > 0);
  clock.advance(BUDGET_MS.callWithoutProgress);
  const { isError, answer } = await pending;
  assert.deepEqual([isError, answer['status'], answer['runId']], [false, 'review_pending', 'run-1']);
  const waiting = callTool(connected.client, 'operation_wait', { operationId: answer['runId'] });
  server.engine.runs[0]!.end({ summary: 'Synced.' });
  assert.equal((await waiting).answer['summary'], 'Synced.');
});

test('cancels the run and frees the connection when the client cancels', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  const abort = new AbortController();
  const answer = connected.client.callTool({ name: 'atlas_sync' }, undefined, { signal: abort.signal });
  await until(() => server.engine.runs.length === 1);
  abort.abort('changed my mind');
  await assert.rejects(answer);
  await until(() => server.engine.runs[0]!.isCancelled);
  const next = callTool(connected.client, 'atlas_sync');
  await until(() => server.engine.runs.length === 2);
  server.engine.runs[1]!.end({ summary: 'The next call works.' });
  assert.equal((await next).answer['summary'], 'The next call works.');
});

test('cancels the calls of a session when it ends', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  const answer = assert.rejects(connected.client.callTool({ name: 'atlas_sync' }));
  await until(() => server.engine.runs.length === 1);
  await connected.transport.terminateSession();
  await until(() => server.engine.runs[0]!.isCancelled);
  await connected.client.close();
  await answer;
});

test('keeps the sessions of two clients separate', async () => {
  await using server = await startEndpoint();
  await using one = await connectClient(server.url, server.token);
  await using other = await connectClient(`${server.url}/sync`, server.token);
  assert.notEqual(one.transport.sessionId, other.transport.sessionId);
  server.engine.onStarted(run => run.end({ summary: run.runId }));
  const answers = await Promise.all([one, other].map(({ client }) => callTool(client, 'atlas_sync')));
  assert.deepEqual(new Set(answers.map(({ answer }) => answer['summary'])), new Set(['run-1', 'run-2']));
});
