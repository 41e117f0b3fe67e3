import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncResult } from '../../../../src/protocol/sync-result.ts';
import type { Comparison } from '../../../../src/sync/run/compare.ts';
import {
  hasBegun,
  isCancellable,
  type RunEvent,
  type RunState,
  transition,
} from '../../../../src/sync/run/run-state.ts';

const event = (type: RunEvent['type']): RunEvent =>
  // The state machine ignores the payload of an event.
  ({ type, subject: {}, comparison: {} as Comparison, review: {}, result: {} as SyncResult }) as unknown as RunEvent;
const after = (...types: readonly RunEvent['type'][]): RunState =>
  types.reduce<RunState>((state, type) => transition(state, event(type)), { phase: 'requested' });

const compared = ['comparing', 'compared'] as const;
const committed = [...compared, 'applying', 'journaled', 'committed'] as const;
/** Every state, and the events that it allows. */
const table: readonly (readonly [reached: readonly RunEvent['type'][], allowed: readonly RunEvent['type'][]])[] = [
  [[], ['comparing', 'ending']],
  [['comparing'], ['compared', 'ending']],
  [compared, ['compared', 'reviewing', 'applying', 'ending']],
  [
    [...compared, 'reviewing'],
    ['compared', 'applying', 'ending'],
  ],
  [
    [...compared, 'applying'],
    ['journaled', 'ending'],
  ],
  [
    [...compared, 'applying', 'journaled'],
    ['committed', 'ending'],
  ],
  [committed, ['verifying', 'ending']],
  [[...committed, 'verifying'], ['ending']],
  [['ending'], ['journaled', 'ended']],
  [
    ['ending', 'ended'],
    ['journaled', 'completed'],
  ],
];
const events: readonly RunEvent['type'][] = [
  'comparing',
  'compared',
  'reviewing',
  'applying',
  'journaled',
  'committed',
  'verifying',
  'ending',
  'ended',
  'completed',
];

for (const [reached, allowed] of table)
  for (const type of events)
    test(`${allowed.includes(type) ? 'allows' : 'refuses'} ${type} after ${reached.join(', ') || 'the request'}`, () => {
      const state = after(...reached);
      if (allowed.includes(type)) assert.doesNotThrow(() => transition(state, event(type)));
      else assert.throws(() => transition(state, event(type)), /cannot become/);
    });

test('can be cancelled until the first change is committed', () => {
  for (const [reached] of table.slice(0, 6)) assert.ok(isCancellable(after(...reached)), reached.join(', '));
  for (const [reached] of table.slice(6)) assert.ok(!isCancellable(after(...reached)), reached.join(', '));
});

test('keeps the review and the step that was reached when the run ends', () => {
  const state = after(...compared, 'reviewing', 'applying', 'journaled', 'committed', 'ending', 'ended');
  assert.ok(state.phase === 'ended' && state.from.phase === 'applying');
  assert.ok(hasBegun(state.from) && state.from.review !== undefined);
});
