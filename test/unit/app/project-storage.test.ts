import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { hasProjectFile, isOfSameProject, projectStorage } from '../../../src/app/project-storage.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** A workspace with projects in folders, and its state. */
async function openWorkspace() {
  const folder = await tempFolder({
    'lobby/default.project.json': '{}',
    'lobby/my match.project.json': '{}',
    'arena/default.project.json5': '{}',
  });
  const state = new Map<string, unknown>();
  const memento = {
    get: <T>(key: string): T | undefined => state.get(key) as T | undefined,
    update: (key: string, value: unknown) => (state.set(key, value), Promise.resolve()),
  };
  const keyOf = (path: string): string => pathToFileURL(join(folder.path, path)).toString();
  return {
    keyOf,
    /** Creates a link to itself, which every access refuses. */
    link: (path: string) => symlink(join(folder.path, path), join(folder.path, path)),
    remove: (path: string) => rm(join(folder.path, path)),
    storage: (path: string, isFirst: boolean) => projectStorage('/storage', memento, keyOf(path), isFirst),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('gives the first project the storage of the workspace, and each other one a folder in it', async () => {
  await using workspace = await openWorkspace();
  assert.deepEqual(await workspace.storage('lobby', true), { folder: '/storage', suffix: '' });
  const others = [
    await workspace.storage('lobby/my match.project.json', false),
    await workspace.storage('arena', false),
  ];
  for (const { folder, suffix } of others) {
    assert.match(suffix, /^\.[0-9a-f]{16}$/);
    assert.equal(folder, join('/storage', 'projects', suffix.slice(1)));
  }
  assert.notEqual(others[0]?.folder, others[1]?.folder);
});

test('keeps the storage of each project when another one is shown first', async () => {
  await using workspace = await openWorkspace();
  await workspace.storage('lobby', true);
  const arena = await workspace.storage('arena', false);
  assert.deepEqual(await workspace.storage('arena', true), arena);
  assert.deepEqual(await workspace.storage('lobby', false), { folder: '/storage', suffix: '' });
});

test('passes the storage of the workspace on when the project that had it was deleted', async () => {
  await using workspace = await openWorkspace();
  await workspace.storage('lobby/my match.project.json', true);
  await workspace.remove('lobby/my match.project.json');
  assert.notEqual((await workspace.storage('lobby', false)).suffix, '');
  assert.equal((await workspace.storage('arena', true)).suffix, '');
  assert.notEqual((await workspace.storage('lobby', true)).suffix, '');
});

test('finds the file of a project, and a default one in its folder', async () => {
  await using workspace = await openWorkspace();
  const found = ['lobby', 'arena', 'lobby/my match.project.json', 'lobby/other.project.json', 'none'];
  assert.deepEqual(await Promise.all(found.map(path => hasProjectFile(workspace.keyOf(path)))), [
    true,
    true,
    true,
    false,
    false,
  ]);
  await workspace.remove('arena/default.project.json5');
  assert.equal(await hasProjectFile(workspace.keyOf('arena')), false);
});

test('keeps the storage of a project whose file cannot be accessed', async () => {
  await using workspace = await openWorkspace();
  await workspace.link('loop.project.json');
  const loop = await workspace.storage('loop.project.json', true);
  assert.equal(await hasProjectFile(workspace.keyOf('loop.project.json')), true);
  assert.notDeepEqual(await workspace.storage('arena', true), loop);
});

test('finds the storage of the same project in another window', () => {
  const [one, other] = ['/storage/a1/atlas', '/storage/a1-1/atlas'];
  const project = 'projects/0123456789abcdef/journal';
  assert.ok(isOfSameProject(`${one}/journal`, `${other}/journal`));
  assert.ok(isOfSameProject(`${one}/${project}`, `${other}/${project}`));
  assert.ok(!isOfSameProject(`${one}/journal`, `${other}/${project}`));
  assert.ok(!isOfSameProject(`${one}/${project}`, `${other}/projects/fedcba9876543210/journal`));
  assert.ok(
    isOfSameProject('C:\\a\\projects\\0123456789abcdef\\journal', 'C:\\b\\projects\\0123456789abcdef\\journal'),
  );
});
