import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOutcome, deliveryOutcome, liveOutcome, syncbackOutcome } from '../../../src/vscode/command-outcome.ts';
import { reasonOf } from '../../../src/protocol/reason.ts';

const error = (code: string) => ({ ok: false as const, error: { code, message: '', hint: '' }, problems: [] });

test('reports a cancelled build as refused and an error as failed', () => {
  for (const outcomeOf of [buildOutcome, syncbackOutcome])
    assert.deepEqual([outcomeOf(error('CANCELLED')), outcomeOf(error('BAD_PROJECT'))], ['refused', 'failed']);
});

test('reports an incomplete syncback as failed and an empty one as already done', () => {
  const answer = { ok: true, written: 0, removed: 0, refused: [], notes: [] };
  const left = { ok: false, written: 3, refused: [{ path: 'A', reason: 'no file can hold it' }] };
  assert.equal(syncbackOutcome(answer), 'already');
  assert.equal(syncbackOutcome({ ...answer, removed: 1 }), 'done');
  assert.equal(syncbackOutcome({ ...answer, ...left }), 'failed');
});

test('reports a current plugin as already installed', () => {
  assert.equal(deliveryOutcome({ changed: [], current: ['a.rbxmx'] }), 'already');
  assert.equal(deliveryOutcome({ changed: ['a.rbxmx'], current: [] }), 'done');
});

test('reports Live Sync as done only when it is on', () => {
  assert.equal(liveOutcome({ kind: 'on' }), 'done');
  assert.equal(liveOutcome({ kind: 'waiting' }), 'accepted');
  assert.equal(liveOutcome({ kind: 'starting' }), 'accepted');
  assert.equal(liveOutcome({ kind: 'unsupported' }), 'refused');
  assert.equal(liveOutcome({ kind: 'failed', reason: reasonOf('no_reply') }), 'failed');
});
