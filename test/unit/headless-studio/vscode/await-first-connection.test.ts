import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitFirstConnection } from '../../../../src/headless-studio/vscode/await-first-connection.ts';
import type { PlaceStudio } from '../../../../src/headless-studio/vscode/place-studio.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { BUDGET_MS } from '../../../../src/protocol/limits.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';

function opened(status = 'connecting') {
  const clock = new ManualClock();
  const statuses = new Emitter<string>();
  const { promise: terminated, resolve: end } = Promise.withResolvers<{ kind: string; reason: string }>();
  const studio: PlaceStudio = {
    instances: 1,
    onLog: new Emitter<{ level: string; message: string }>().event,
    onStatus: statuses.event,
    status: () => status,
    connect: () => undefined,
    run: () => Promise.resolve({ ok: true, values: [], printed: [] }),
    format: () => Promise.resolve(new Uint8Array()),
    terminated,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { clock, statuses, end, met: awaitFirstConnection(studio, clock) };
}

test('resolves when Studio is connected, immediately or later', async () => {
  assert.equal(await opened('connected').met, true);
  const later = opened();
  later.statuses.fire('connecting');
  later.statuses.fire('connected');
  assert.equal(await later.met, true);
});

test('resolves with false when Studio is rejected, ends or times out', async () => {
  const rejected = opened();
  rejected.statuses.fire('rejected: another version');
  assert.equal(await rejected.met, false);
  const ended = opened();
  ended.end({ kind: 'failed', reason: 'out of memory' });
  assert.equal(await ended.met, false);
  const silent = opened();
  silent.clock.advance(BUDGET_MS.handshake);
  assert.equal(await silent.met, false);
});
