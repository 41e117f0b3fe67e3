import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { HTTP_LIMITS } from '../../../../src/protocol/limits.ts';
import { listenOnFirstFree, portCandidates } from '../../../../src/transport/http/port-choice.ts';

test('tries the preferred port, then the next ones, then any', () => {
  const candidates = portCandidates(34873);
  assert.deepEqual(candidates.slice(0, 3), [34873, 34874, 34875]);
  assert.equal(candidates.at(-1), 0);
  assert.equal(candidates.length, HTTP_LIMITS.portsToTry + 2);
});

test('tries the last port first when Studio searches there', () => {
  assert.deepEqual(portCandidates(34873, 34875).slice(0, 4), [34875, 34873, 34874, 34876]);
  assert.deepEqual(portCandidates(34873, 34873), portCandidates(34873));
  for (const kept of [1, 34872, 34873 + HTTP_LIMITS.portsToTry + 1, 60_000])
    assert.deepEqual(portCandidates(34873, kept), portCandidates(34873), `${kept}`);
  assert.deepEqual(portCandidates(0, 34875), [0]);
});

test('uses any port for 0, and no port above 65535', () => {
  assert.deepEqual(portCandidates(0), [0]);
  assert.deepEqual(portCandidates(65_534), [65_534, 65_535, 0]);
});

test('skips a port that is in use, and reports the choice', async t => {
  const [holder, second] = [createServer(), createServer()];
  t.after(() => [holder, second].map(server => server.close()));
  const taken = await listenOnFirstFree(holder, [0]);
  const chosen = await listenOnFirstFree(second, [taken, 0]);
  assert.notEqual(chosen, taken);
  assert.ok(chosen > 0);
});

test('rejects with the reason when no port is free', async t => {
  const [holder, second] = [createServer(), createServer()];
  t.after(() => holder.close());
  const taken = await listenOnFirstFree(holder, [0]);
  await assert.rejects(listenOnFirstFree(second, [taken]), { code: 'EADDRINUSE' });
});
