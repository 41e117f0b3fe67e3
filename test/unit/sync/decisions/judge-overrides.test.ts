import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import type { Ref } from '../../../../src/base/brand.ts';
import type { Instance } from '../../../../src/roblox/instances/instance.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';
import type { SyncOverride } from '../../../../src/protocol/sync-request.ts';
import type { Compared, StudioChange, StudioVerdict } from '../../../../src/protocol/studio/stream.ts';
import { BaseStates } from '../../../../src/sync/base/base-state.ts';
import { judgeOverrides } from '../../../../src/sync/decisions/judge-overrides.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { runChange } from '../../../harness/run-change.ts';

const id = '0123456789abcdef0123456789abcdef';
const hash = (text: string): string => nodeHasher.gitBlob(text);
const subtree = { count: 2, classes: { Folder: 1, Script: 1 }, hash: hash('subtree'), listed: [] };
const onlyInStudio: Partial<StudioChange> = { patchType: 'Remove', className: 'Folder', subtree };
const onlyOnDisk: Partial<StudioChange> = { patchType: 'Add' };
const edited: Partial<StudioChange> = { studioHash: hash('Studio') };

const onDisk: Instance = {
  id: id as Ref,
  parent: NULL_REF,
  name: 'Main',
  className: 'Script',
  properties: new Map([['Source', { type: 'String', value: 'disk' }]]),
  children: [],
  metadata: { ignoreUnknownInstances: false, globIgnoredChildren: false, source: undefined, relevantPaths: [] },
};

/** The verdict on one override, and its reason. `inStudio`: the verdict of Studio. */
function judge(
  change: Partial<StudioChange>,
  override: Omit<SyncOverride, 'id'>,
  requiresPrecondition = true,
  inStudio: Omit<StudioVerdict, 'id' | 'direction'> = { verdict: 'accepted' },
) {
  const { studio } = runChange({ id, ...change });
  const compared: Compared = {
    type: 'compared',
    requestId: '',
    place: { name: 'Game', placeId: 1 },
    messageCursor: 0,
    changes: [studio],
    overrides: [{ id, direction: override.direction === 'merge' ? 'push' : override.direction, ...inStudio }],
  };
  const deps = {
    session: { get: () => onDisk },
    hasher: nodeHasher,
    settings: defaultSettings({ overridesRequirePrecondition: () => requiresPrecondition }),
    baseStates: new BaseStates(nodeHasher),
  };
  const [verdict] = runToEnd(judgeOverrides([{ id, ...override }], compared, deps));
  return [verdict?.verdict, verdict?.reason?.code];
}

test('requires the hash of the side that a removal removes, whatever else is quoted', () => {
  const expectedProperties = { Name: 'Notes' };
  const studioHash = hash('Studio');
  for (const quoted of [{}, { expectedProperties }, { studioHash }]) {
    assert.deepEqual(judge(onlyInStudio, { direction: 'push', ...quoted }), [
      'precondition_missing',
      'pass_subtree_hash',
    ]);
    assert.deepEqual(judge(onlyOnDisk, { direction: 'pull', ...quoted }), ['precondition_missing', 'pass_disk_hash']);
  }
  assert.deepEqual(judge(onlyInStudio, { direction: 'push', subtreeHash: subtree.hash }), ['accepted', undefined]);
});

test('answers why Studio refused an override, whatever else is wrong with it', () => {
  const inStudio = { verdict: 'hash_mismatch', reason: reasonOf('script_changed') } as const;
  for (const direction of ['push', 'pull', 'merge'] as const)
    assert.deepEqual(judge(edited, { direction }, true, inStudio), ['hash_mismatch', 'script_changed']);
});

test('requires a precondition of the losing side of an edit', () => {
  const missing = ['precondition_missing', 'pass_studio_hash'];
  assert.deepEqual(judge(edited, { direction: 'push' }), missing);
  const missingOnDisk = ['precondition_missing', 'pass_disk_hash_of_pull'];
  for (const quoted of [{}, { expectedProperties: { Name: 'A' } }, { studioHash: hash('Studio') }])
    assert.deepEqual(judge(edited, { direction: 'pull', ...quoted }), missingOnDisk, 'a pull keeps Studio');
  assert.deepEqual(judge(edited, { direction: 'push', diskHash: hash('disk') }), missing, 'a push keeps disk');
  assert.deepEqual(judge(edited, { direction: 'pull', diskHash: hash('disk') }), ['accepted', undefined]);
  assert.deepEqual(judge(onlyOnDisk, { direction: 'pull', diskHash: hash('disk') }), ['accepted', undefined]);
  assert.deepEqual(judge(edited, { direction: 'push', studioHash: hash('Studio') }), ['accepted', undefined]);
  assert.deepEqual(judge({}, { direction: 'push', studioHash: hash('Studio') }), missing, 'it has no script in Studio');
});

test('requires no precondition where nothing is replaced, or where the setting is off', () => {
  assert.deepEqual(judge(onlyInStudio, { direction: 'pull' }), ['accepted', undefined]);
  assert.deepEqual(judge(onlyOnDisk, { direction: 'push' }), ['accepted', undefined]);
  assert.deepEqual(judge(edited, { direction: 'push' }, false), ['accepted', undefined]);
  assert.deepEqual(judge(onlyOnDisk, { direction: 'pull' }, false), ['accepted', undefined]);
});

test('refuses a subtreeHash for a change that has no subtree', () => {
  const quoted = { direction: 'push', subtreeHash: subtree.hash } as const;
  assert.deepEqual(judge(edited, quoted), ['hash_mismatch', 'no_subtree']);
  assert.deepEqual(judge(onlyInStudio, { ...quoted, subtreeHash: hash('older') }), ['hash_mismatch', 'subtree_now']);
});

test('refuses a diskHash for an instance that is not on disk', () => {
  const quoted = { direction: 'push', diskHash: hash('disk') } as const;
  assert.deepEqual(judge(onlyInStudio, quoted), ['disk_mismatch', 'not_on_disk']);
});

test('accepts a merge of an edit with the hashes of both sides only', () => {
  const both = { diskHash: hash('disk'), studioHash: hash('Studio') };
  assert.deepEqual(judge(onlyOnDisk, { direction: 'merge', ...both }), ['not_mergeable', 'one_side_only']);
  for (const quoted of [{}, { diskHash: both.diskHash }, { studioHash: both.studioHash }])
    assert.deepEqual(judge(edited, { direction: 'merge', ...quoted }), ['precondition_missing', 'merge_requires']);
  assert.deepEqual(judge(edited, { direction: 'merge', ...both }), ['accepted', undefined]);
  assert.deepEqual(judge({ className: 'Part' }, { direction: 'merge', diskHash: both.diskHash }), [
    'accepted',
    undefined,
  ]);
  assert.deepEqual(judge(edited, { direction: 'push', text: 'x', ...both }), ['not_mergeable', 'text_requires_merge']);
});
