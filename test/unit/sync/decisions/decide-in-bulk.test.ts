import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import type { ChangeResult } from '../../../../src/protocol/run-result.ts';
import type { BulkOverride } from '../../../../src/protocol/sync-result.ts';
import { type RunChange, toSyncChange } from '../../../../src/sync/changes/run-change.ts';
import { digestOf, matchesFilters } from '../../../../src/sync/changes/select-changes.ts';
import { decideInBulk } from '../../../../src/sync/decisions/decide-in-bulk.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { runChange } from '../../../harness/run-change.ts';

const shown = (change: RunChange): ChangeResult => toSyncChange(change, () => undefined);
const digest = (changes: readonly ChangeResult[]): string => runToEnd(digestOf(changes, nodeHasher));

/** Decides with the digest of the changes that the override selects, unless it has another one. */
function decide(changes: readonly RunChange[], ...overrides: (Omit<BulkOverride, 'digest'> & { digest?: string })[]) {
  const bulk = overrides.map(override => {
    const filters = { ...override, direction: undefined };
    return { digest: digest(changes.map(shown).filter(change => matchesFilters(change, filters))), ...override };
  });
  const decided = runToEnd(
    decideInBulk(changes, bulk, { hasher: nodeHasher, settings: defaultSettings({ overridesApproval: () => 'auto' }) }),
  );
  return {
    choices: Object.fromEntries(
      decided.changes.map(({ studio, choice, reason }) => [studio.id, reason?.code ?? choice]),
    ),
    verdicts: decided.verdicts.map(({ verdict, selected, accepted }) => ({ verdict, selected, accepted })),
  };
}

test('decides against the defaults of the selected changes, and leaves the others', () => {
  const changes = [
    runChange({ id: 'a' }, { choice: 'push' }),
    runChange({ id: 'b', className: 'ModuleScript' }, { choice: 'push' }),
    runChange({ id: 'c' }),
  ];
  assert.deepEqual(decide(changes, { className: 'Script', direction: 'pull' }), {
    choices: { a: 'pull', b: 'push', c: 'pull' },
    verdicts: [{ verdict: 'accepted', selected: 2, accepted: 2 }],
  });
  assert.deepEqual(decide(changes, { undecided: true, direction: 'pull' }).choices, {
    a: 'push',
    b: 'push',
    c: 'pull',
  });
});

test('makes the selected changes undecided when the list differs from the one of the digest', () => {
  const changes = [runChange({ id: 'a' }, { choice: 'push' }), runChange({ id: 'b' })];
  assert.deepEqual(decide(changes, { direction: 'push', digest: 'another' }), {
    choices: { a: 'list_digest_now', b: 'list_digest_now' },
    verdicts: [{ verdict: 'digest_mismatch', selected: 2, accepted: 0 }],
  });
});

test('counts no change as accepted that conflicts with its parent or has an override', () => {
  const override = { id: 'top', direction: 'pull', verdict: 'accepted' } as const;
  const changes = [
    runChange({ id: 'top', patchType: 'Add', className: 'Folder' }, { choice: 'pull', override }),
    runChange({ id: 'child', patchType: 'Add', parentId: 'top' }),
    runChange({ id: 'other', patchType: 'Add' }),
  ];
  assert.deepEqual(decide(changes, { patchType: 'Add', direction: 'push' }), {
    choices: { top: 'pull', child: reasonOf('parent_pulled_away').code, other: 'push' },
    verdicts: [{ verdict: 'accepted', selected: 3, accepted: 1 }],
  });
});

test('decides the rest of a list of undecided changes when some of it have overrides', () => {
  const top = runChange({ id: 'top', patchType: 'Add', className: 'Folder' });
  const child = runChange({ id: 'child', patchType: 'Add', parentId: 'top' }, { defaultSelection: 'push' });
  const rest = [runChange({ id: 'a' }), runChange({ id: 'b' }, { choice: 'push', defaultSelection: 'push' })];
  // Without the override, the child is undecided too, because its parent is.
  const seen = digest([top, child, ...rest.slice(0, 1)].map(shown));
  const override = { id: 'top', direction: 'push', verdict: 'accepted' } as const;
  const overridden = [{ ...top, choice: 'push' as const, override }, { ...child, choice: 'push' as const }, ...rest];
  assert.deepEqual(decide(overridden, { undecided: true, direction: 'pull', digest: seen }), {
    choices: { top: 'push', child: 'pull', a: 'pull', b: 'push' },
    verdicts: [{ verdict: 'accepted', selected: 3, accepted: 2 }],
  });
});

test('identifies a list by both sides of each change, in any order and with any decisions', () => {
  const hash = (text: string): string => nodeHasher.gitBlob(text);
  const change: ChangeResult = {
    ...shown(runChange({ id: 'a' })),
    studioHash: hash('Studio'),
    diskHash: hash('disk'),
    subtree: { count: 1, classes: {}, hash: hash('subtree') },
    properties: { Size: { current: { Float32: 1 }, incoming: { Float32: 2 } } },
  };
  const other = shown(runChange({ id: 'b' }));
  const known = digest([change, other]);
  assert.equal(digest([other, { ...change, direction: 'push', defaultSelection: 'pull' }]), known);
  const differing: readonly Partial<ChangeResult>[] = [
    { id: 'c' },
    { patchType: 'Add' },
    { path: 'ServerScriptService/Renamed' },
    { studioHash: hash('later') },
    { diskHash: hash('later') },
    { hasDraft: true },
    { subtree: { count: 1, classes: {}, hash: hash('later') } },
    { properties: { Size: { current: { Float32: 1 }, incoming: { Float32: 3 } } } },
    { properties: { Size: { current: { Float32: 0 }, incoming: { Float32: 2 } } } },
  ];
  for (const fields of differing)
    assert.notEqual(digest([{ ...change, ...fields }, other]), known, Object.keys(fields)[0]);
  assert.notEqual(digest([change]), known);
  assert.notEqual(digest([change, other, other]), known);
});
