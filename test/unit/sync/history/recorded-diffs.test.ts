import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalItem, JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import { recordedDiffs } from '../../../../src/sync/history/recorded-diffs.ts';
import { enumItemNames } from '../../../../src/sync/changes/run-change.ts';
import { reflection } from '../../../harness/reflection.ts';
import { syncWorld } from '../../../harness/sync-world.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';

const main = 'ServerScriptService/Main';
const byPath = ([, a = '']: readonly string[], [, b = '']: readonly string[]): number => (a < b ? -1 : 1);
const part = 'ServerScriptService/Lamp';
const enumItem = enumItemNames(reflection);

test('shows what a run replaced and wrote, on the side that it changed', async () => {
  const world = await syncWorld({
    git: 'none',
    files: {
      'src/Main.server.luau': 'print("disk")\n',
      'src/Lamp.model.json': JSON.stringify({
        className: 'Part',
        properties: { Anchored: true, Material: 'Neon', Transparency: 0.25 },
      }),
      'src/New.luau': 'return 1\n',
    },
    place: {
      [main]: { className: 'Script', source: 'print("Studio")\n' },
      [part]: {
        className: 'Part',
        properties: { Anchored: { Bool: false }, Material: { Enum: 256 }, Transparency: { Float32: 0.5 } },
      },
    },
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const push = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  const { runId } = await world.sync({ overrides: push });
  const diffs = await recordedDiffs(world.journal, enumItem, runId, new CountingSlice());
  assert.deepEqual(diffs.map(({ side, path, before, after }) => [side, path, before, after]).toSorted(byPath), [
    [
      'studio',
      part,
      'Anchored = false\nMaterial = Plastic\nTransparency = 0.5\n',
      'Anchored = true\nMaterial = Neon\nTransparency = 0.25\n',
    ],
    ['studio', `${main}.luau`, 'print("Studio")\n', 'print("disk")\n'],
    ['studio', 'ServerScriptService/New.luau', '', 'return 1\n'],
  ]);
  assert.equal(
    (await recordedDiffs(world.journal, enumItem, runId, new CountingSlice(), [diffs[0]?.changeId ?? ''])).length,
    1,
  );
});

test('shows the replaced and the written text of each pulled file', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/Main.server.luau': 'print("disk")\n' },
    place: {
      [main]: { className: 'Script', source: 'print("Studio")\n' },
      'ServerScriptService/New': { className: 'ModuleScript', source: 'return 2\n' },
    },
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const pull = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  const { runId } = await world.sync({ overrides: pull });
  assert.deepEqual(
    (await recordedDiffs(world.journal, enumItem, runId, new CountingSlice()))
      .map(({ path, before, after }) => [path, path, before, after])
      .toSorted(byPath),
    [
      ['src/Main.server.luau', 'src/Main.server.luau', 'print("disk")\n', 'print("Studio")\n'],
      ['src/New.luau', 'src/New.luau', '', 'return 2\n'],
    ],
  );
});

test('refuses a run that is not in the journal', async () => {
  const world = await syncWorld();
  await assert.rejects(recordedDiffs(world.journal, enumItem, 'none', new CountingSlice()), {
    code: 'UNKNOWN_OPERATION',
  });
});

test('shows both of two instances with the same name', async () => {
  const item = (id: string, source: string): JournalItem => ({
    id,
    path: main,
    className: 'Script',
    patchType: 'Remove',
    choice: 'push',
    fsPath: 'src/Main.server.luau',
    files: [],
    studio: { id, name: 'Main', className: 'Script', source, properties: {}, children: [] },
  });
  const record: JournalRecord = {
    version: 1,
    runId: 'run',
    at: new Date(0).toISOString(),
    mode: 'standard',
    requestedBy: 'test',
    place: { name: 'Place', placeId: 0 },
    items: [item('a', 'print(1)\n'), item('b', 'print(2)\n')],
  };
  const { journal } = await syncWorld();
  await journal.append('run', record, new Map());
  const diffs = await recordedDiffs(journal, enumItem, 'run', new CountingSlice());
  assert.deepEqual(
    diffs.map(({ changeId, before, after }) => [changeId, before, after]),
    [
      ['a', 'print(1)\n', ''],
      ['b', 'print(2)\n', ''],
    ],
  );
});

test('shows a renamed file as one text, also when its text changed at once', async () => {
  const { journal } = await syncWorld();
  const item = (id: string, files: JournalItem['files']): JournalItem => ({
    id,
    path: main,
    className: 'Script',
    patchType: 'Edit',
    choice: 'pull',
    fsPath: 'src/Main.luau',
    files,
    studio: null,
  });
  const created = (ids: string[], path: string, blob: string) =>
    ({ ids, path, kind: 'write', before: null, after: blob, blob }) as const;
  const removed = (ids: string[], path: string, before: string) =>
    ({ ids, path, kind: 'remove', before, after: null, blob: null }) as const;
  const record: JournalRecord = {
    version: 1,
    runId: 'run',
    at: new Date(0).toISOString(),
    mode: 'standard',
    requestedBy: 'test',
    place: { name: 'Place', placeId: 0 },
    items: [
      item('to', [{ path: 'src/New.luau', blob: null }]),
      item('from', [{ path: 'src/Old.luau', blob: '1' }]),
      item('both', [
        { path: 'src/C.luau', blob: null },
        { path: 'src/B.luau', blob: '2' },
      ]),
    ],
    writes: [
      created(['to'], 'src/New.luau', '1'),
      created(['both'], 'src/C.luau', '3'),
      removed(['from'], 'src/Old.luau', '1'),
      removed(['both'], 'src/B.luau', '2'),
    ],
  };
  await journal.append('run', record, new Map(['1', '2', '3'].map(text => [text, Buffer.from(text)])));
  const diffs = await recordedDiffs(journal, enumItem, 'run', new CountingSlice());
  assert.deepEqual(
    diffs.map(({ changeId, movedFrom, path, before, after }) => [changeId, movedFrom, path, before, after]),
    [
      ['to', 'src/Old.luau', 'src/New.luau', '1', '1'],
      ['both', 'src/B.luau', 'src/C.luau', '2', '3'],
    ],
  );
  assert.equal((await recordedDiffs(journal, enumItem, 'run', new CountingSlice(), ['to'])).length, 1);
});
