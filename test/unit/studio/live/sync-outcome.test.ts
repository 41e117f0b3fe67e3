import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeResult } from '../../../../src/protocol/run-result.ts';
import { outcomeOf } from '../../../../src/studio/live/sync-outcome.ts';

const change = (fields: Partial<ChangeResult>): ChangeResult => ({
  path: 'ServerScriptService/Doors',
  id: 'doors',
  direction: 'push',
  patchType: 'Edit',
  className: 'ModuleScript',
  defaultSelection: 'push',
  fsPath: 'src/Doors.luau',
  defaultReason: 'git_new_file',
  outcome: 'applied',
  ...fields,
});
const named = { Name: { current: { String: 'Doors' }, incoming: { String: 'Gates' } } };
const moved: readonly (readonly [name: string, ChangeResult, boolean])[] = [
  ['edited a script', change({}), false],
  ['created an instance', change({ patchType: 'Add' }), true],
  ['removed an instance', change({ patchType: 'Remove' }), true],
  ['renamed an instance', change({ properties: named }), true],
  ['could not create an instance', change({ patchType: 'Add', outcome: 'failed' }), false],
  ['created a file', change({ patchType: 'Add', direction: 'pull', outcome: 'written' }), false],
];

for (const [name, one, isMoved] of moved)
  test(`${isMoved ? 'compares' : 'does not compare'} names and places again after a sync that ${name}`, () => {
    const outcome = outcomeOf({ status: 'success', changes: [one, change({})] });
    assert.equal(outcome?.isMoved, isMoved);
  });

for (const restoredSide of ['disk', 'studio'] as const)
  test(`sends a restore of ${restoredSide} as other changes are sent`, () => {
    const outcome = outcomeOf({ status: 'success', changes: [change({ patchType: 'Add' })], restoredSide });
    assert.deepEqual(outcome, { left: 0, isMoved: false });
  });

test('counts the differences that a sync leaves', () => {
  const changes = [change({}), change({ outcome: 'skipped' }), change({ outcome: 'failed' })];
  assert.equal(outcomeOf({ status: 'partial', changes })?.left, 2);
});

test('repeats no question about differences that a sync without changes does not show', () => {
  assert.equal(outcomeOf({ status: 'empty', changes: [] })?.left, Number.POSITIVE_INFINITY);
});

test('takes a run that changed nothing as no answer', () => {
  assert.equal(outcomeOf({ status: 'rejected', changes: [change({ outcome: 'skipped' })] }), undefined);
});
