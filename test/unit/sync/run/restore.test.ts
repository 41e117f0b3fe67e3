import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import type { RestoreRequest } from '../../../../src/sync/sync-engine.ts';
import type { ReviewControl } from '../../../../src/ports/review-surface.ts';
import type { SyncResult } from '../../../../src/protocol/sync-result.ts';
import { writeModel } from '../../../../src/roblox/formats/model/model-file.ts';
import { JournalItem, JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { RecordedSide, RestorePlan } from '../../../../src/sync/restore/restore-plan.ts';
import { restoreFiles } from '../../../../src/sync/restore/restore-files.ts';
import { reflection } from '../../../harness/reflection.ts';
import { instance, place } from '../../../harness/syncback.ts';
import { syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const pathOf = (name: string): string => `ServerScriptService/${name}`;
const accept = (review: ReviewControl): void => review.apply(review.snapshot().revision);

/** A differs on both sides, Gone is only in Studio, New is only on disk. */
const differing = (parts: Partial<WorldParts> = {}): Promise<SyncWorld> =>
  syncWorld({
    git: 'none',
    files: { 'src/A.luau': 'return "disk"\r\n', 'src/New.luau': 'return "new"\n' },
    place: {
      [pathOf('A')]: { className: 'ModuleScript', source: 'return "Studio"\n', properties: {} },
      [pathOf('Gone')]: { className: 'Folder' },
      [`${pathOf('Gone')}/Inside`]: { className: 'ModuleScript', source: 'return "inside"\n' },
    },
    person: accept,
    ...parts,
  });
async function syncAll(world: SyncWorld, direction: 'push' | 'pull'): Promise<string> {
  const { changes } = await world.sync({ mode: 'dryrun' });
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction })) });
  assert.equal(result.status, 'success', result.summary);
  return result.runId;
}
const restore = (world: SyncWorld, request: RestoreRequest, mode: 'dryrun' | 'standard' = 'standard') =>
  world.sync({ mode, restore: request });
const outcomes = (result: SyncResult) =>
  Object.fromEntries(result.changes.map(({ path, outcome }) => [path, outcome] as const));

/** All folders on disk below the project folder. */
const foldersOf = async ({ files }: SyncWorld): Promise<readonly string[]> =>
  Object.keys(files.copy())
    .flatMap(path => (path.endsWith('/') ? [path.slice(0, -1)] : []))
    .toSorted();

test('[P1] restores the exact bytes of pulled files after a review', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'pull');
  assert.deepEqual(
    [world.files.text('src/A.luau'), world.files.text('src/New.luau')],
    ['return "Studio"\r\n', undefined],
  );
  assert.equal(world.files.text('src/Gone/Inside.luau'), 'return "inside"\n');
  const result = await restore(world, { runId, side: 'disk' });
  assert.equal(result.status, 'success', result.summary);
  assert.equal(world.reviews.length, 1);
  assert.equal(world.files.text('src/A.luau'), 'return "disk"\r\n');
  assert.equal(world.files.text('src/New.luau'), 'return "new"\n');
  assert.equal(world.files.text('src/Gone/Inside.luau'), undefined);
  assert.equal(world.studio.source(pathOf('A')), 'return "Studio"\n', 'Studio does not change');
});

test('[P1] restores texts and removed instances of Studio, and removes what the push added', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'push');
  assert.equal(world.studio.place.has(pathOf('Gone')), false);
  assert.equal(world.studio.source(pathOf('New')), 'return "new"\n');
  const result = await restore(world, { runId, side: 'studio' });
  assert.equal(result.status, 'success', result.summary);
  assert.equal(world.studio.source(pathOf('A')), 'return "Studio"\n');
  assert.equal(world.studio.source(`${pathOf('Gone')}/Inside`), 'return "inside"\n');
  assert.equal(world.studio.place.has(pathOf('New')), false);
  assert.equal(world.files.text('src/A.luau'), 'return "disk"\r\n', 'disk does not change');
});

test('records a restore as a run that can be restored too', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'push');
  const back = await restore(world, { runId, side: 'studio' });
  const again = await restore(world, { runId: back.runId, side: 'studio' });
  assert.equal(again.status, 'success', again.summary);
  assert.equal(world.studio.source(pathOf('A')), 'return "disk"\n');
  assert.equal(world.studio.source(pathOf('New')), 'return "new"\n');
  assert.equal(world.studio.place.has(pathOf('Gone')), false);

  const files = await differing();
  const pulled = await restore(files, { runId: await syncAll(files, 'pull'), side: 'disk' });
  assert.equal((await restore(files, { runId: pulled.runId, side: 'disk' })).status, 'success');
  assert.equal(files.files.text('src/A.luau'), 'return "Studio"\r\n');
});

test('records the side that a restore brings back', async () => {
  const sideOf = async (world: SyncWorld, runId: string) => (await world.engine.recorded(runId))?.restoredSide;
  const world = await differing();
  const pushed = await syncAll(world, 'push');
  assert.equal(await sideOf(world, pushed), undefined);
  assert.equal(await sideOf(world, (await restore(world, { runId: pushed, side: 'studio' })).runId), 'studio');

  const files = await differing();
  const { runId } = await restore(files, { runId: await syncAll(files, 'pull'), side: 'disk' });
  assert.equal(await sideOf(files, runId), 'disk');
});

test('restores only the given changes, and nothing in a dry run', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'push');
  const recorded = await world.engine.recorded(runId);
  const ids = recorded?.changes.filter(({ path }) => path === pathOf('A')).map(({ id }) => id) ?? [];
  const preview = await restore(world, { runId, side: 'studio' }, 'dryrun');
  assert.deepEqual([preview.status, preview.changes.length], ['dryrun', 3 + 1]);
  assert.equal(world.studio.source(pathOf('A')), 'return "disk"\n');
  const result = await restore(world, { runId, side: 'studio', ids });
  assert.deepEqual(outcomes(result), { [pathOf('A')]: 'applied' });
  assert.equal(world.studio.source(pathOf('New')), 'return "new"\n');
});

test('restores nothing when a person rejects, and reports unknown runs and changes', async () => {
  const world = await differing({ person: review => review.reject(review.snapshot().revision) });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const runId = (
    await world.sync({ mode: 'fastfail', overrides: changes.map(({ id }) => ({ id, direction: 'pull' })) })
  ).runId;
  assert.equal((await restore(world, { runId, side: 'disk' })).status, 'rejected');
  assert.equal(world.files.text('src/A.luau'), 'return "Studio"\r\n');
  assert.equal((await restore(world, { runId: 'unknown', side: 'disk' })).error?.code, 'UNKNOWN_OPERATION');
  assert.equal((await restore(world, { runId, side: 'disk', ids: ['x'] })).error?.code, 'INVALID_INPUT');
});

test('says why a record cannot be restored when it is damaged or of another version', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'pull');
  world.journal.damageNewest();
  await world.journal.append('newer', { version: 99 }, new Map(), {});
  const problemOf = async (id: string) => (await restore(world, { runId: id, side: 'disk' })).error?.message;
  assert.match((await problemOf(runId)) ?? '', /cannot be read \(memory, byte 0\)/);
  assert.match((await problemOf('newer')) ?? '', /cannot be read \(it has a different version\)/);
});

test('restores nothing that both sides have already', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'pull');
  assert.equal((await restore(world, { runId, side: 'studio' })).status, 'empty');
  assert.equal(world.reviews.length, 0);
});

test('does not overwrite a file that changes during the review', async () => {
  const world = await differing({
    person: review => {
      world.files.set('src/A.luau', 'return "mine"\n');
      review.apply(review.snapshot().revision);
    },
  });
  const runId = await syncAll(world, 'pull');
  const result = await restore(world, { runId, side: 'disk' });
  assert.equal(result.status, 'partial');
  assert.equal(world.files.text('src/A.luau'), 'return "mine"\n');
});

test("restores files without Studio, but not Studio's side", async () => {
  const world = await differing();
  const runId = await syncAll(world, 'pull');
  world.studio.disconnect();
  assert.equal((await restore(world, { runId, side: 'studio' })).status, 'not_connected');
  assert.equal((await restore(world, { runId, side: 'disk' })).status, 'success');
  assert.equal(world.files.text('src/A.luau'), 'return "disk"\r\n');
});

/** A record without changes, with the items of a test. */
const sideWith = (items: RecordedSide['items']): RecordedSide => ({
  record: JournalRecord.parse({
    version: 1,
    runId: 'run',
    at: '2026-01-01T00:00:00Z',
    mode: 'standard',
    requestedBy: 'a test',
    place: { name: 'Game', placeId: 0 },
    items: [],
  }),
  items,
});
const restorePlan = async (items: RecordedSide['items']): Promise<RestorePlan> => {
  const { files } = await syncWorld({ files: {} });
  return restoreFiles(sideWith(items), {
    files,
    journal: { readBlob: () => assert.fail() },
    hasher: nodeHasher,
    clock: nodeClock,
    revision: () => 0,
  });
};

test('refuses what needs Studio while files are restored', async () => {
  const { link } = await restorePlan([]);
  const { signal } = new AbortController();
  const refused = { code: 'REVIEW_REFUSED', message: /files are restored without Studio/ };
  const ignore = (): void => undefined;
  await assert.rejects(link.compare([], signal, ignore), refused);
  await assert.rejects(link.apply({ compareId: '', runId: '', decisions: [] }, signal, ignore, ignore), refused);
  await assert.rejects(link.getScript('x', false, signal, undefined), refused);
});

test('restores no file outside the project when a record names one', async () => {
  const recorded = JournalItem.parse({
    id: 'a',
    path: 'ServerScriptService/A',
    patchType: 'Edit',
    className: 'ModuleScript',
    choice: 'pull',
    fsPath: null,
    studio: null,
    files: [{ path: '../outside.luau', blob: null }],
  });
  await assert.rejects(restorePlan([recorded]), { code: 'PATH_OUTSIDE_ROOT' });
});

test('lists what a restore changes, creates and removes', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'pull');
  const { changes } = await restore(world, { runId, side: 'disk' }, 'dryrun');
  assert.deepEqual(changes.map(({ path, patchType }) => `${patchType} ${path}`).toSorted(), [
    'Add src/Gone',
    'Add src/Gone/Inside.luau',
    'Edit src/A.luau',
    'Remove src/New.luau',
  ]);
});

test('only removes outdated entries from the base after a restore', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'push');
  assert.equal((await world.sync()).status, 'empty');
  await restore(world, { runId, side: 'studio' });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const of = (path: string) => changes.find(change => change.path === pathOf(path));
  assert.deepEqual([of('A')?.defaultSelection, of('A')?.defaultReason], [null, 'no_git']);
  assert.equal(of('New')?.defaultSelection, null);
});

test('restores only what the sync changed on the chosen side', async () => {
  const world = await differing();
  const { changes } = await world.sync({ mode: 'dryrun' });
  const direction = (path: string) => (path === pathOf('A') ? ('push' as const) : ('pull' as const));
  const { runId } = await world.sync({
    overrides: changes.map(({ id, path }) => ({ id, direction: direction(path) })),
  });
  // Edited after the sync, which did not write it.
  world.files.set('src/A.luau', 'return "later"\n');
  const recorded = await world.engine.recorded(runId);
  assert.deepEqual(recorded?.changes.map(({ path, sides }) => `${path} ${sides.join()}`).toSorted(), [
    `${pathOf('A')} studio`,
    `${pathOf('Gone')} disk`,
    `${pathOf('New')} disk`,
  ]);
  assert.equal((await restore(world, { runId, side: 'disk' })).status, 'success');
  assert.equal(world.files.text('src/A.luau'), 'return "later"\n');
  const a = recorded?.changes.find(({ path }) => path === pathOf('A'))?.id ?? '';
  assert.equal((await restore(world, { runId, side: 'disk', ids: [a] })).error?.code, 'INVALID_INPUT');
  assert.deepEqual(outcomes(await restore(world, { runId, side: 'studio' })), { [pathOf('A')]: 'applied' });
});

test('[P1] restores only the files that the sync wrote, not another file of the instance', async () => {
  const meta = (value: boolean): string => JSON.stringify({ properties: { Disabled: value } });
  const file = 'src/Main.server.luau';
  const world = await differing({
    files: { [file]: 'print(1)\n', 'src/Main.meta.json': meta(false) },
    place: {
      [pathOf('Main')]: { className: 'Script', source: 'print(1)\n', properties: { Disabled: { Bool: true } } },
    },
  });
  const runId = await syncAll(world, 'pull');
  assert.notEqual(world.files.text('src/Main.meta.json'), meta(false));
  world.files.set(file, 'print("later")\n');
  const result = await restore(world, { runId, side: 'disk' });
  assert.deepEqual(outcomes(result), { 'src/Main.meta.json': 'written' });
  assert.equal(world.files.text('src/Main.meta.json'), meta(false));
  assert.equal(world.files.text(file), 'print("later")\n');
});

test('shows the recorded text beside the text of now, and offers no other side', async () => {
  const shown: unknown[] = [];
  let refused: unknown;
  const world = await differing({
    person: review => {
      const { rows, restore: side } = review.snapshot();
      const row = rows.find(({ path }) => path.endsWith('A') || path.endsWith('A.luau'));
      assert.ok(row !== undefined);
      try {
        review.choose([row.id], side === 'disk' ? 'push' : 'pull');
      } catch (error) {
        refused = error;
      }
      void review.texts(row.id).then(({ disk, studio }) => {
        shown.push([studio?.text, disk?.text]);
        review.reject(review.status().revision);
      });
    },
  });
  await restore(world, { runId: await syncAll(world, 'push'), side: 'studio' });
  assert.deepEqual(shown, [['return "disk"\n', 'return "Studio"\n']]);
  assert.equal(AppError.is(refused, 'REVIEW_REFUSED'), true);

  const ofFiles: unknown[] = [];
  const files = await differing({
    person: review => {
      const row = review.snapshot().rows.find(({ path }) => path === 'src/A.luau');
      void review.texts(row?.id ?? '').then(({ disk, studio }) => {
        ofFiles.push([studio?.text, disk?.text]);
        review.reject(review.status().revision);
      });
    },
  });
  await restore(files, { runId: await syncAll(files, 'pull'), side: 'disk' });
  assert.deepEqual(ofFiles, [['return "disk"\r\n', 'return "Studio"\r\n']]);
});

test('removes the folders that a pull created, but none with files of others', async () => {
  const deep = { [`${pathOf('Gone')}/Deep`]: { className: 'Folder' } };
  const differs = await differing();
  const withDeep = { ...Object.fromEntries(differs.studio.place), ...deep };
  const world = await differing({ place: withDeep });
  const runId = await syncAll(world, 'pull');
  assert.equal(world.files.text('src/Gone/Deep/.gitkeep'), '');
  assert.equal((await restore(world, { runId, side: 'disk' })).status, 'success');
  assert.deepEqual(await foldersOf(world), ['shared', 'src']);
  assert.deepEqual(
    (await world.sync({ mode: 'dryrun' })).changes.map(({ path, patchType }) => [path, patchType]),
    [
      [pathOf('A'), 'Edit'],
      [pathOf('New'), 'Add'],
      [pathOf('Gone'), 'Remove'],
    ],
  );

  const shared = await differing({ place: withDeep });
  const pulled = await syncAll(shared, 'pull');
  shared.files.set('src/Gone/Mine.luau', 'return "mine"\n');
  const result = await restore(shared, { runId: pulled, side: 'disk' });
  assert.equal(result.status, 'success', result.summary);
  assert.deepEqual(await foldersOf(shared), ['shared', 'src', 'src/Gone']);
});

test('restores a script that became a folder to one file', async () => {
  const world = await differing({
    place: {
      [pathOf('A')]: { className: 'ModuleScript', source: 'return "disk"\n' },
      [`${pathOf('A')}/Child`]: { className: 'ModuleScript', source: 'return "child"\n' },
    },
  });
  const runId = await syncAll(world, 'pull');
  assert.equal(world.files.text('src/A/init.luau'), 'return "disk"\r\n');
  assert.equal((await restore(world, { runId, side: 'disk' })).status, 'success');
  assert.deepEqual(await foldersOf(world), ['shared', 'src']);
  assert.equal(world.files.text('src/A.luau'), 'return "disk"\r\n');
});

test('restores a folder that a pull removed while it was empty', async () => {
  const world = await differing({ files: { 'src/Empty/': '' }, place: {} });
  const { runId } = await world.sync({
    overrides: [{ id: await world.idOf(pathOf('Empty')), direction: 'pull' }],
  });
  assert.deepEqual(await foldersOf(world), ['shared', 'src']);
  assert.equal((await restore(world, { runId, side: 'disk' })).status, 'success');
  assert.equal(world.files.text('src/Empty/.gitkeep'), '');
});

test('keeps a folder that became empty but existed before the pull', async () => {
  const world = await differing({
    files: { 'src/Kept/Old.luau': 'return "old"\n' },
    place: {
      [pathOf('Kept')]: { className: 'Folder' },
      [pathOf('Kept/Old')]: { className: 'ModuleScript', source: 'return "old"\n' },
      [pathOf('Kept/Gone')]: { className: 'Folder' },
      [pathOf('Kept/Gone/Inside')]: { className: 'ModuleScript', source: 'return "inside"\n' },
    },
  });
  const runId = await syncAll(world, 'pull');
  world.files.delete('src/Kept/Old.luau');
  assert.equal((await restore(world, { runId, side: 'disk' })).status, 'success');
  assert.deepEqual(await foldersOf(world), ['shared', 'src', 'src/Kept']);
});

test('restores the rest when a person has removed a created folder', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'pull');
  world.files.delete('src/Gone');
  const result = await restore(world, { runId, side: 'disk' });
  assert.equal(result.status, 'success', result.summary);
  assert.deepEqual(outcomes(result), { 'src/A.luau': 'written', 'src/New.luau': 'written' });
});

test('adds no file to a removed folder that exists again', async () => {
  const world = await differing({ files: { 'src/Empty/': '' }, place: {} });
  const overrides = [{ id: await world.idOf(pathOf('Empty')), direction: 'pull' as const }];
  const { runId } = await world.sync({ overrides });
  world.files.set('src/Empty/Mine.luau', 'return "mine"\n');
  // The pull has created this file, so that git keeps the folder.
  assert.deepEqual(outcomes(await restore(world, { runId, side: 'disk' })), { 'src/.gitkeep': 'written' });
  assert.equal(world.files.text('src/Empty/.gitkeep'), undefined);
});

test('keeps a created folder while a person keeps a file in it', async () => {
  const world = await differing({
    person: review => {
      const kept = review.snapshot().rows.find(({ path }) => path === 'src/Gone/Inside.luau');
      review.choose([kept?.id ?? ''], 'skip');
      review.apply(review.snapshot().revision);
    },
  });
  const runId = await syncAll(world, 'pull');
  const result = await restore(world, { runId, side: 'disk' });
  assert.equal(result.status, 'success', result.summary);
  assert.deepEqual(outcomes(result), {
    'src/A.luau': 'written',
    'src/Gone': 'skipped',
    'src/Gone/Inside.luau': 'skipped',
    'src/New.luau': 'written',
  });
});

test('shows the text of every restored file, also of one in a created folder', async () => {
  const binary = writeModel(place(instance('Part', 'Box')), 'rbxm', reflection);
  assert.ok(binary.ok);
  const shown: unknown[] = [];
  const world = await differing({
    files: { 'src/A.luau': 'return "disk"\r\n', 'src/Box.rbxm': binary.value },
    person: review => {
      const { rows } = review.snapshot();
      const inside = rows.find(({ path }) => path === 'src/Gone/Inside.luau');
      shown.push(rows.map(({ path, className, hasSource }) => `${className} ${path} ${hasSource}`).toSorted());
      void review.texts(inside?.id ?? '').then(({ disk, studio }) => {
        shown.push([studio?.text, disk?.text]);
        review.reject(review.status().revision);
      });
    },
  });
  const pulled = await syncAll(world, 'pull');
  await restore(world, { runId: pulled, side: 'disk' });
  assert.deepEqual(shown, [
    ['File src/A.luau true', 'File src/Box.rbxm false', 'File src/Gone/Inside.luau true', 'Folder src/Gone false'],
    [undefined, 'return "inside"\n'],
  ]);
});
