import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { syncWorld } from '../../../harness/sync-world.ts';
import { until } from '../../../harness/until.ts';

const script = (source: string) => ({ className: 'Script', source });
const world = (unsaved: Set<string>, studio = '1\n', onDidChangeUnsaved = new Emitter<void>().event) =>
  syncWorld({
    onDidChangeUnsaved,
    files: { 'src/A.server.luau': '1\n', 'src/A.meta.json': '{}', 'src/B.server.luau': '1\n', 'note.md': '' },
    place: { 'ServerScriptService/A': script(studio), 'ServerScriptService/B': script(studio) },
    unsavedFiles: () => unsaved as ReadonlySet<string> as ReadonlySet<ProjectPath>,
  });
const one = 'src/A.server.luau has unsaved edits in the editor, which are not compared. Save it to include them.';

test('says that a file has unsaved edits when both sides are equal', async () => {
  const { status, warnings } = await (await world(new Set(['src/A.server.luau']))).sync();
  assert.deepEqual([status, warnings], ['empty', [one]]);
});

test('names all files of the project with unsaved edits', async () => {
  const unsaved = new Set(['src/A.meta.json', 'src/B.server.luau', 'note.md', 'src/Gone.luau']);
  const { warnings } = await (await world(unsaved, '2\n')).sync({ mode: 'dryrun' });
  assert.deepEqual(warnings, [
    '2 files have unsaved edits in the editor, which are not compared: src/A.meta.json, src/B.server.luau. Save them to include the edits.',
  ]);
});

test('says in a review which file has unsaved edits, until it is saved', async () => {
  const unsaved = new Set(['src/A.server.luau']);
  const { engine, reviews, files, clock } = await world(unsaved, '2\n');
  const run = engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await until(() => reviews.length > 0);
  const warnings = () => reviews[0]?.snapshot().warnings;
  assert.deepEqual(warnings(), [one]);
  unsaved.clear();
  files.set('src/A.server.luau', 'saved\n');
  await until(() => {
    clock.advance(50);
    return warnings()?.length === 0;
  });
  run.cancel();
});

test('says in a review at once that edits were made, and no longer that when they were reverted', async () => {
  const unsaved = new Set<string>();
  const changed = new Emitter<void>();
  const { engine, reviews, clock } = await world(unsaved, '2\n', changed.event);
  const run = engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await until(() => reviews.length > 0);
  const shows = async (wanted: readonly string[]): Promise<void> => {
    changed.fire();
    await until(() => {
      clock.advance(50);
      return JSON.stringify(reviews[0]?.snapshot().warnings) === JSON.stringify(wanted);
    });
  };
  unsaved.add('src/A.server.luau');
  await shows([one]);
  unsaved.clear();
  await shows([]);
  run.cancel();
});

test('names the unsaved files that a restore replaces, and no others', async () => {
  const unsaved = new Set<string>();
  const game = await world(unsaved, '2\n');
  const { runId, changes } = await game.sync({ mode: 'fastfail' });
  assert.deepEqual(
    changes.map(({ outcome }) => outcome),
    ['written', 'written'],
  );
  unsaved.add('src/A.server.luau').add('src/B.server.luau');
  const ids = changes.flatMap(({ id, path }) => (path.endsWith('/A') ? [id] : []));
  const restore = { runId, side: 'disk', ids } as const;
  assert.deepEqual((await game.sync({ mode: 'dryrun', restore })).warnings, [one]);
  const run = game.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test', restore });
  await until(() => game.reviews.length > 0);
  assert.deepEqual(game.reviews[0]?.snapshot().warnings, [one]);
  run.cancel();
  await run.result;
});
