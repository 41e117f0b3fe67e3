import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatPlan } from '../../../../src/sync/changes/format-plan.ts';
import type { SyncChange } from '../../../../src/protocol/sync-result.ts';

type Planned = Parameters<typeof formatPlan>[0][number];

const change = (
  direction: SyncChange['direction'],
  patchType: SyncChange['patchType'],
  className = 'Script',
): Planned => ({
  direction,
  patchType,
  className,
});

test('says what is pushed, and that nothing is deleted', () => {
  assert.equal(
    formatPlan([change('push', 'Add'), change('push', 'Edit', 'ModuleScript'), change('push', 'Edit')]),
    'Push 3 scripts, delete nothing',
  );
});

test('counts scripts, instances and deletions on each side separately', () => {
  const changes = [
    change('push', 'Edit'),
    change('push', 'Edit', 'Part'),
    change('pull', 'Remove'),
    change('merge', 'Edit'),
    change('push', 'Remove', 'Folder'),
    change('pull', 'Add'),
    change('unresolved', 'Edit'),
    change('skip', 'Edit'),
  ];
  assert.equal(
    formatPlan(changes),
    'Push 1 script and 1 instance, pull 1 script, merge 1 script, delete 1 instance in Studio and 1 script on disk, 1 undecided',
  );
});

test('says that nothing changes when everything is undecided or skipped', () => {
  assert.equal(formatPlan([]), 'Change nothing');
  assert.equal(formatPlan([change('unresolved', 'Remove'), change('skip', 'Add')]), 'Change nothing, 1 undecided');
});

test('gives the same text for every order, and another one when a deletion is added', () => {
  const any = fc.record({
    direction: fc.constantFrom('push', 'pull', 'merge', 'skip', 'unresolved'),
    patchType: fc.constantFrom('Add', 'Remove', 'Edit'),
    className: fc.constantFrom('Script', 'Part'),
  }) as fc.Arbitrary<Planned>;
  fc.assert(
    fc.property(fc.array(any), changes => {
      assert.equal(formatPlan(changes.toReversed()), formatPlan(changes));
      assert.notEqual(formatPlan([...changes, change('push', 'Remove')]), formatPlan(changes));
    }),
  );
});
