import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedDiffs } from '../../../../src/sync/history/recorded-diffs.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const main = 'ServerScriptService/Main';
const byPath = ([, a = '']: readonly string[], [, b = '']: readonly string[]): number => (a < b ? -1 : 1);
const part = 'ServerScriptService/Lamp';

test('shows what a run replaced and wrote, on the side that it changed', async () => {
  const world = await syncWorld({
    git: 'none',
    files: {
      'src/Main.server.luau': 'print("disk")\n',
      'src/Lamp.model.json': JSON.stringify({ className: 'Part', properties: { Anchored: true } }),
      'src/New.luau': 'return 1\n',
    },
    place: {
      [main]: { className: 'Script', source: 'print("Studio")\n' },
      [part]: { className: 'Part', properties: { Anchored: { Bool: false } } },
    },
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const push = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  const { runId } = await world.sync({ overrides: push });
  const diffs = await recordedDiffs(world.journal, runId);
  assert.deepEqual(diffs.map(({ side, path, before, after }) => [side, path, before, after]).toSorted(byPath), [
    ['studio', part, 'Anchored = {"Bool":false}\n', 'Anchored = {"Bool":true}\n'],
    ['studio', `${main}.luau`, 'print("Studio")\n', 'print("disk")\n'],
    ['studio', 'ServerScriptService/New.luau', '', 'return 1\n'],
  ]);
  assert.equal((await recordedDiffs(world.journal, runId, [diffs[0]?.changeId ?? ''])).length, 1);
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
    (await recordedDiffs(world.journal, runId))
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
  await assert.rejects(recordedDiffs(world.journal, 'none'), { code: 'UNKNOWN_OPERATION' });
});
