import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SyncInput, SyncOverride } from '../../../src/protocol/sync-request.ts';
import { isErrorStatus, SyncChange, SyncResult, SyncStatus } from '../../../src/protocol/sync-result.ts';

const id = '00abcdef01234567890abcdef0123456';
const studioHash = 'a'.repeat(40);

test('[A1] [A2] reads the fields of an override, and leaves absent ones undefined', () => {
  const whole = {
    id,
    direction: 'push',
    studioHash,
    expectedProperties: { Disabled: false, Size: { Vector3: [0, 5, 0] } },
  };
  assert.deepEqual(SyncOverride.parse(whole), whole);
  assert.deepEqual(SyncOverride.parse({ id, direction: 'pull' }), { id, direction: 'pull' });
});

test('[A10] [A11] uses mode standard and no overrides as defaults', () => {
  assert.deepEqual(SyncInput.parse({}), { mode: 'standard', overrides: [] });
});

const wrong: readonly [name: string, input: unknown][] = [
  ['an unknown mode', { mode: 'turbo' }],
  ['an override without an id', { overrides: [{ direction: 'push' }] }],
  ['an override without a direction', { overrides: [{ id }] }],
  ['an unknown direction', { overrides: [{ id, direction: 'skip' }] }],
  ['an unknown field of an override', { overrides: [{ id, direction: 'push', path: 'a/b' }] }],
  [
    'two overrides for one id',
    {
      overrides: [
        { id, direction: 'push' },
        { id, direction: 'pull' },
      ],
    },
  ],
  ['a budget', { timeoutMs: 5 }],
];
for (const [name, input] of wrong)
  test(`${name} is refused`, () => {
    assert.equal(SyncInput.safeParse(input).success, false);
  });

test('[A4] [A5] [A6] reads a change and a result from JSON unchanged, without absent fields', () => {
  const bare = {
    path: 'Workspace/Part',
    id,
    direction: 'unresolved',
    patchType: 'Add',
    className: 'Part',
    defaultSelection: null,
    fsPath: null,
    defaultReason: 'no_git',
  } as const;
  const rich = {
    ...bare,
    patchType: 'Edit',
    studioHash,
    fsPath: 'src/Part.model.json',
    properties: { Anchored: { current: false, incoming: true }, Size: { incoming: { Vector3: [1, 2, 3] } } },
    outcome: 'written',
    reason: 'why',
  } as const;
  for (const change of [bare, rich]) assert.deepEqual(SyncChange.parse(JSON.parse(JSON.stringify(change))), change);
  const result = {
    status: 'partial',
    summary: 's',
    runId: 'r',
    outcome: 'unknown',
    evidence: { kind: 'sides.verified', strength: 'verified', instances: 1, files: 0 },
    at: { workspaceGen: 4, connectionEpoch: 2 },
    elapsedMs: 12,
    changes: [bare, rich],
    overrides: [{ id, direction: 'push', verdict: 'stale_id' }],
  };
  assert.deepEqual(SyncResult.parse(JSON.parse(JSON.stringify(result))), result);
});

test('[A13] [A14] [A15] reports exactly the statuses of the table as errors', () => {
  const errors = SyncStatus.options.filter(isErrorStatus);
  assert.deepEqual(
    SyncStatus.options.filter(status => !errors.includes(status)),
    ['success', 'empty', 'dryrun', 'review_pending'],
  );
});
