import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunChange } from '../../../../src/sync/changes/run-change.ts';
import { MAX_SHOWN, ShownStates } from '../../../../src/sync/changes/shown-states.ts';

const change = (id: number): RunChange => ({ studio: { id: String(id) }, diskState: `disk ${id}` }) as RunChange;

test('forgets the changes that a client was shown longest ago, so that memory has a limit', () => {
  const states = new ShownStates();
  const client = {};
  const isKnown = (id: number): boolean => states.find(String(id), client) !== undefined;
  for (let id = 0; id < MAX_SHOWN; id += 1) states.note(change(id), client);
  assert.ok(isKnown(0));
  // Shown again, so it is no longer the oldest one.
  states.note(change(0), client);
  for (let id = MAX_SHOWN; id < MAX_SHOWN + 10; id += 1) states.note(change(id), client);
  assert.deepEqual([isKnown(0), isKnown(1), isKnown(10), isKnown(11)], [true, false, false, true]);
});
