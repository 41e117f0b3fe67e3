import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { main, mainFile, syncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { MemoryTextStore } from '../../../harness/memory-text-store.ts';

const signal = new AbortController().signal;
const common = 'local speed = 1\n\nlocal health = 2\n';
const hash = (text: string): string => nodeHasher.gitBlob(new TextEncoder().encode(text));

/** A script that was equal on both sides, and has changed on both since. */
async function movedWorld(parts: WorldParts = {}) {
  const texts = new MemoryTextStore();
  const world = await syncWorld({
    files: { [mainFile]: common },
    place: { [main]: { className: 'Script', source: common } },
    git: 'none',
    texts,
    ...parts,
  });
  await world.sync();
  world.files.set(mainFile, common.replace('speed = 1', 'speed = 10'));
  world.studio.edit(main, common.replace('health = 2', 'health = 20'));
  await world.sync({ mode: 'dryrun' });
  return { ...world, texts };
}

test('merges both sides of a script with their common text', async () => {
  const { engine } = await movedWorld();
  const { merge, studioHash, diskHash, fsPath } = await engine.readMerge({ fsPath: mainFile }, signal);
  assert.deepEqual(merge, { text: 'local speed = 10\n\nlocal health = 20\n', conflicts: [], problem: undefined });
  assert.equal(studioHash, hash('local speed = 1\n\nlocal health = 20\n'));
  assert.equal(diskHash, hash('local speed = 10\n\nlocal health = 2\n'));
  assert.equal(fsPath, mainFile);
});

test('reads the base text from git, and stores no text that git has', async () => {
  const world = await syncWorld({
    files: { [mainFile]: common },
    place: { [main]: { className: 'Script', source: common } },
    git: {},
    texts: new MemoryTextStore(),
  });
  world.git.blobs.set(hash(common), common);
  await world.sync();
  world.files.set(mainFile, common.replace('speed = 1', 'speed = 10'));
  world.studio.edit(main, common.replace('health = 2', 'health = 20'));
  const { merge } = await world.engine.readMerge({ fsPath: mainFile }, signal);
  assert.equal(merge?.text, 'local speed = 10\n\nlocal health = 20\n');
});

test('stores the common text of a script, and not the same text twice', async () => {
  const { texts } = await movedWorld();
  assert.deepEqual(Array.from(texts.texts), [[hash(common), common]]);
});

test('reads the base text from the journal, and stores no text that a run recorded', async () => {
  const world = await movedWorld();
  const { engine, texts, files, studio } = world;
  texts.texts.clear();
  await world.sync({ overrides: [{ id: await world.idOf(main), direction: 'push' }] });
  const pushed = common.replace('speed = 1', 'speed = 10');
  files.set(mainFile, pushed.replace('speed = 10', 'speed = 100'));
  studio.edit(main, pushed.replace('health = 2', 'health = 200'));
  await world.sync({ mode: 'dryrun' });
  const { merge } = await engine.readMerge({ fsPath: mainFile }, signal);
  assert.equal(merge?.text, 'local speed = 100\n\nlocal health = 200\n');
  assert.deepEqual(texts.texts, new Map());
});

test('merges nothing when the common text is no longer known', async () => {
  const { engine, texts } = await movedWorld();
  texts.texts.clear();
  assert.equal((await engine.readMerge({ fsPath: mainFile }, signal)).merge, undefined);
});

test('refuses a script that disk does not have', async () => {
  const world = await movedWorld();
  world.studio.place.set('ServerScriptService/Other', { className: 'Script', source: 'x()' });
  const id = await world.idOf('ServerScriptService/Other');
  await assert.rejects(world.engine.readMerge({ id }, signal), error => AppError.is(error, 'SCRIPT_NOT_FOUND'));
});
