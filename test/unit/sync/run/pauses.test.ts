import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { encodeInSteps } from '../../../../src/adapters/node/journal/frames.ts';
import type { PausableWork } from '../../../../src/base/time-slice.ts';
import { BaseStates } from '../../../../src/sync/base/base-state.ts';
import { withdrawConflictsInSteps } from '../../../../src/sync/changes/consistency.ts';
import { judgeOverrides } from '../../../../src/sync/decisions/judge-overrides.ts';
import { toSyncResult } from '../../../../src/sync/run/result.ts';
import { journalWrites } from '../../../../src/project/writeback/journal-writes.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { runChange } from '../../../harness/run-change.ts';

const COUNT = 200;
const many = <T>(item: (id: string) => T): readonly T[] => Array.from({ length: COUNT }, (_, at) => item(`${at}`));
const changes = many(id => runChange({ id, patchType: 'Add' }));
const place = { name: 'Game', placeId: 1 };

/** Work on all changes of a run, each of which must not take longer than one turn may. */
const works: Readonly<Record<string, () => PausableWork<unknown>>> = {
  'withdrawing conflicts': () => withdrawConflictsInSteps(changes),
  'building the result': () =>
    toSyncResult(
      { status: 'dryrun' },
      {
        runId: 'run',
        place,
        studio: undefined,
        changes,
        overrides: [],
        warnings: [],
        untracked: 0,
        hasBegun: false,
        at: undefined,
        elapsedMs: 1,
        enumItem: () => undefined,
      },
    ),
  'judging overrides': () =>
    judgeOverrides(
      many(id => ({ id, direction: 'push' as const })),
      { type: 'compared', requestId: '1', messageCursor: 1, place, changes: [], overrides: [] },
      {
        session: { get: () => undefined },
        hasher: nodeHasher,
        settings: defaultSettings(),
        baseStates: new BaseStates(nodeHasher),
      },
    ),
  'planning the writes of the journal': () =>
    journalWrites(
      many(id => ({
        edit: {
          kind: 'write' as const,
          path: projectPath(`src/${id}.luau`),
          bytes: new Uint8Array(8),
          precondition: { kind: 'absent' as const },
        },
        ids: [id],
      })),
      new Map(),
      new Map(),
      nodeHasher,
    ),
  'planning the write of one large file in the journal': () =>
    journalWrites(
      [
        {
          edit: {
            kind: 'write',
            path: projectPath('model.rbxm'),
            bytes: new Uint8Array(COUNT * 256 * 1024),
            precondition: { kind: 'absent' },
          },
          ids: ['1'],
        },
      ],
      new Map(),
      new Map(),
      nodeHasher,
    ),
  'encoding a record': () =>
    encodeInSteps(
      'record',
      'entry',
      'run',
      many(() => new Uint8Array(8)),
    ),
};

for (const [name, start] of Object.entries(works))
  test(`pauses at every item when ${name}`, () => {
    const work = start();
    let pauses = 0;
    while (work.next().done !== true) pauses += 1;
    assert.ok(pauses >= COUNT, `${pauses} pauses`);
  });
