import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { test } from 'node:test';
import { nodeRootCheckouts } from '../../../../../src/docs/adapters/files/node-root-checkouts.ts';
import type { RootDefinition } from '../../../../../src/protocol/roots.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const url = 'https://git.example.test/acme/api.git';
const commit = 'a'.repeat(40);
const key = createHash('sha256').update(url).digest('hex').slice(0, 12);
const gitRoot = (changed: Partial<RootDefinition> = {}): RootDefinition => ({
  id: 'api',
  namespace: 'docs',
  title: undefined,
  source: { kind: 'git', url, ref: undefined, variable: 'ROOT_API_GIT_URL' },
  subdir: '',
  ...changed,
});
const current = JSON.stringify({
  commit,
  ref: 'refs/heads/main',
  kind: 'branch',
  syncedAt: '2026-01-01T00:00:00.000Z',
  seq: 1,
});
const word = async (root: RootDefinition, cache: string | undefined): Promise<string> => {
  const found = await nodeRootCheckouts.locate(root, cache);
  return found.kind === 'present' ? found.folder : found.code;
};

test('FR-012 serves a git root from the tree of its recorded commit', async () => {
  await using cache = await tempFolder({
    [`r-api/${key}/current.json`]: current,
    [`r-api/${key}/trees/${commit}/sub/a.md`]: 'x',
  });
  const tree = join(cache.path, 'r-api', key, 'trees', commit);
  assert.deepEqual(await nodeRootCheckouts.locate(gitRoot(), cache.path), { kind: 'present', folder: tree, commit });
  assert.equal(await word(gitRoot({ subdir: 'sub' }), cache.path), join(tree, 'sub'));
  assert.equal(await word(gitRoot({ subdir: 'gone' }), cache.path), 'ROOT_NOT_SYNCED');
  assert.equal(await word(gitRoot({ id: 'other' }), cache.path), 'ROOT_NOT_SYNCED');
  const moved = { kind: 'git', url: 'https://elsewhere.test/x', ref: undefined, variable: '' } as const;
  assert.equal(await word(gitRoot({ source: moved }), cache.path), 'ROOT_CACHE_MISMATCH');
  assert.equal(await word(gitRoot(), join(cache.path, 'none')), 'ROOT_NOT_SYNCED');
  assert.equal(await word(gitRoot(), undefined), 'ROOT_NOT_SYNCED');
});

test('[P4] ignores an invalid record, and rejects a subfolder that links out of the root', async () => {
  for (const text of ['', '{', '[]', current.replace(commit, '../../../outside'), current.replace(commit, 'main')]) {
    await using cache = await tempFolder({
      [`r-api/${key}/current.json`]: text,
      [`r-api/${key}/trees/${commit}/a.md`]: 'x',
      'outside/secret.md': 'x',
    });
    assert.equal(await word(gitRoot(), cache.path), 'ROOT_NOT_SYNCED', text);
  }
  await using cache = await tempFolder({
    [`r-api/${key}/current.json`]: current,
    [`r-api/${key}/trees/${commit}/a.md`]: 'x',
    'outside/secret.md': 'x',
  });
  await symlink(join(cache.path, 'outside'), join(cache.path, 'r-api', key, 'trees', commit, 'docs'));
  assert.equal(await word(gitRoot({ subdir: 'docs' }), cache.path), 'ROOT_NOT_SYNCED');
});

test('resolves links of a local root, or reports the reason', async () => {
  await using folder = await tempFolder({ 'a/sub/x.md': '', file: '' });
  await symlink(join(folder.path, 'a'), join(folder.path, 'link'));
  await symlink(folder.path, join(folder.path, 'a', 'up'));
  const local = (path: string, subdir = ''): RootDefinition =>
    gitRoot({ source: { kind: 'local', path: join(folder.path, path), variable: 'X' }, subdir });
  assert.equal(await word(local('link/', 'sub'), undefined), join(folder.path, 'a', 'sub'));
  const problem = async (root: RootDefinition) => {
    const found = await nodeRootCheckouts.locate(root, undefined);
    return found.kind === 'absent' ? [found.code, found.problem] : found.folder;
  };
  assert.deepEqual(await problem(local('gone')), ['ROOT_UNAVAILABLE', 'ROOT_NOT_FOUND']);
  assert.deepEqual(await problem(local('file')), ['ROOT_UNAVAILABLE', 'ROOT_NOT_DIRECTORY']);
  assert.deepEqual(await problem(local('a', 'up')), ['ROOT_UNAVAILABLE', 'ROOT_NOT_FOUND']);
});

test(
  'reports a local root without read permission',
  { skip: getuid?.() === 0 && 'root may read everything' },
  async () => {
    await using folder = await tempFolder({ 'closed/a.md': '' });
    await chmod(join(folder.path, 'closed'), 0);
    const source = { kind: 'local', path: join(folder.path, 'closed'), variable: 'X' } as const;
    const found = await nodeRootCheckouts.locate(gitRoot({ source }), undefined);
    assert.equal(found.kind === 'absent' && found.problem, 'ROOT_NOT_READABLE');
  },
);

test('reports a git root as unavailable, not as never synced, when its cache cannot be read', async () => {
  await using cache = await tempFolder({ [`r-api/${key}/trees/${commit}/a.md`]: 'x' });
  const file = join(cache.path, 'r-api', key, 'current.json');
  await symlink(file, file);
  const found = await nodeRootCheckouts.locate(gitRoot(), cache.path);
  assert.ok(found.kind === 'absent' && found.code === 'ROOT_UNAVAILABLE');
  assert.equal(found.reason, 'its links form a circle');
});
