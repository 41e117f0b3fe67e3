import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hardenedGit } from '../../../src/docs/adapters/git-roots/hardened-git.ts';
import { checkSubdir } from '../../../src/docs/adapters/git-roots/tree.ts';
import type { RootDefinition } from '../../../src/protocol/roots.ts';
import { gitRemote } from '../../harness/git-remote.ts';
import { gitRootWorld } from '../../harness/git-root-world.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('[P4] does not follow links or submodules, and runs no filters', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const canary = join(at.home.path, 'canary');
  await at.home.write({ 'secret/file.md': 'secret' });
  await remote.link('evil', join(at.home.path, 'secret'));
  await remote.folder.write({
    '.gitattributes': '*.md filter=run\n',
    '.gitconfig': `[filter "run"]\nsmudge = touch ${canary}\n`,
  });
  remote.git('update-index', '--add', '--cacheinfo', `160000,${remote.git('rev-parse', 'HEAD')},sub`);
  await writeFile(
    join(remote.folder.path, '.gitmodules'),
    `[submodule "sub"]\npath = sub\nurl = ext::sh -c "touch ${canary}"\n`,
  );
  remote.git('add', '.gitattributes', '.gitmodules', 'evil');
  remote.git('commit', '-q', '-m', 'evil');
  const row = await at.sync();
  assert.equal(row.error, null);
  assert.deepEqual(row.warnings.map(w => w.code).toSorted(), [
    'FILTERS_NOT_RUN',
    'LINKS_AS_TEXT',
    'SUBMODULES_LEFT_OUT',
  ]);
  assert.equal(await at.read('evil'), join(at.home.path, 'secret'));
  assert.equal((await at.docs.call('open_file', { path: 'evil/file.md' })).isError, true);
  assert.equal((await at.status())['state'], 'clean');
  assert.ok(!existsSync(canary));
});

test('[P4] runs no hook from the cache, a template or the git configuration of the user', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const canary = join(at.home.path, 'canary');
  const hooks = 'post-checkout post-index-change reference-transaction pre-auto-gc post-merge post-rewrite update';
  const plant = async (folder: string): Promise<void> => {
    for (const hook of hooks.split(' ')) {
      await at.home.write({ [`${folder}/${hook}`]: `#!/bin/sh\necho ${hook} >> ${canary}\n` });
      await chmod(join(at.home.path, folder, hook), 0o755);
    }
  };
  await plant('template/hooks');
  await plant('hooks');
  await at.home.write({
    '.gitconfig': `[init]\ntemplateDir = ${at.home.path}/template\n[core]\nhooksPath = ${at.home.path}/hooks\nfsmonitor = touch ${canary}\nsshCommand = touch ${canary}\n[protocol "ext"]\nallow = always\n[url "ext::touch ${canary} "]\ninsteadOf = file://\n`,
  });
  const { HOME } = process.env;
  process.env['HOME'] = at.home.path;
  try {
    assert.equal((await at.sync()).status, 'initialised');
    await plant(`${(await at.ofUrl()).slice(at.home.path.length + 1)}/repo.git/hooks`);
    await remote.commit({ 'a.md': 'two\n' });
    assert.equal((await at.sync()).status, 'updated');
    assert.equal((await at.status())['state'], 'clean');
    assert.ok(!existsSync(canary), existsSync(canary) ? await readFile(canary, 'utf8') : '');
    const repository = join(await at.ofUrl(), 'repo.git');
    execFileSync('git', ['--git-dir', repository, 'update-ref', 'refs/x', 'refs/atlas/fetched'], { stdio: 'ignore' });
    assert.match(await readFile(canary, 'utf8'), /reference-transaction/, 'the hooks would run without hardening');
  } finally {
    if (HOME === undefined) delete process.env['HOME'];
    else process.env['HOME'] = HOME;
  }
});

test('[P4] follows no link out of the cache, and rejects an invalid subfolder', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await mkdir(at.cache);
  await mkdir(join(at.home.path, 'outside'));
  await symlink(join(at.home.path, 'outside'), join(at.cache, 'r-kept'));
  assert.equal((await at.sync()).error?.code, 'CACHE_CORRUPT');
  assert.deepEqual(await readdir(join(at.home.path, 'outside')), []);
  await remote.link('away', '/etc');
  await remote.commit({ 'in/b.md': 'b' });
  for (const [subdir, code] of [
    ['away', 'TREE_UNSAFE'],
    ['gone', 'TREE_UNSAFE'],
    ['in', undefined],
  ] as const) {
    await using other = await gitRootWorld(remote, { ROOT_KEPT_SUBDIR: subdir });
    assert.equal((await other.sync()).error?.code, code, subdir);
  }
});

test(
  '[P4] uses no cache folder of another user',
  { skip: process.getuid?.() !== 0 && 'only root can give a folder to another user' },
  async () => {
    await using remote = await gitRemote();
    await using at = await gitRootWorld(remote);
    await mkdir(at.cache);
    await chown(at.cache, 65_534, 65_534);
    assert.equal((await at.sync()).error?.code, 'CACHE_CORRUPT');
    assert.deepEqual(await readdir(at.cache), []);
  },
);

test('[P4] serves no subfolder that is a link out of the tree', async () => {
  // Git writes links as text here, so that none is there unless another program creates it.
  await using folder = await tempFolder({ 'tree/in/a.md': 'a', 'outside/b.md': 'b' });
  await symlink('../outside', join(folder.path, 'tree/out'));
  const check = (subdir: string): Promise<void> =>
    checkSubdir(join(folder.path, 'tree'), { id: 'kept', subdir } as RootDefinition);
  await check('in');
  await assert.rejects(check('out'), { code: 'TREE_UNSAFE', message: /leaves the root/ });
});

test('refuses a repository whose trees stand for 33 million files before it lists them', async () => {
  await using remote = await gitRemote();
  const make = (lines: readonly string[]): string =>
    execFileSync('git', ['mktree'], { cwd: remote.folder.path, input: lines.join('\n'), encoding: 'utf8' }).trim();
  let entry = `100644 blob ${remote.git('rev-parse', 'HEAD:a.md')}`;
  for (let level = 0; level < 5; level++)
    entry = `040000 tree ${make(Array.from({ length: 32 }, (_, index) => `${entry}\t${index}`))}`;
  remote.git('update-ref', 'refs/heads/main', remote.git('commit-tree', '-m', 'bomb', entry.split(' ')[2] ?? ''));
  await using at = await gitRootWorld(remote);
  const before = process.memoryUsage().rss;
  assert.equal((await at.sync()).error?.code, 'TREE_UNSAFE');
  assert.ok(process.memoryUsage().rss - before < 300 * 1024 * 1024);
});

test('[P4] git contacts a remote by the protocols of the call only', async () => {
  await using remote = await gitRemote();
  await using folder = await tempFolder();
  const { signal } = new AbortController();
  const list = (protocols: readonly string[]): Promise<string> =>
    hardenedGit({ gitDir: folder.path, protocols, signal }, ['ls-remote', '--', remote.url, 'main']);
  assert.match(await list(['file']), /refs\/heads\/main/);
  for (const protocols of [['https', 'ssh'], []])
    await assert.rejects(list(protocols), /transport 'file' not allowed/, protocols.join());
});

test('never passes options, other transports or credentials to git', async () => {
  await using remote = await gitRemote();
  await using folder = await tempFolder();
  const canary = join(folder.path, 'canary');
  for (const changed of [
    { ROOT_KEPT_GIT_URL: `--upload-pack=touch ${canary}` },
    { ROOT_KEPT_GIT_URL: `ext::sh -c touch% ${canary}` },
    { ROOT_KEPT_GIT_URL: `ssh://-oProxyCommand=touch${canary}/x` },
    { ROOT_KEPT_GIT_URL: remote.folder.path },
    { ROOT_KEPT_GIT_URL: remote.url, WORKSPACE_DOCS_GIT_PROTOCOLS: 'https,ssh' },
    { ROOT_KEPT_GIT_URL: 'https://user:word@example.test/x' },
    { ROOT_KEPT_GIT_REF: `--upload-pack=touch ${canary}` },
    { ROOT_KEPT_GIT_REF: 'main:refs/heads/x' },
  ]) {
    await using at = await gitRootWorld(remote, changed);
    assert.equal((await at.docs.call('repo_sync', { root: 'kept' })).code, 'CONFIG_INVALID', JSON.stringify(changed));
  }
  assert.ok(!existsSync(canary));
});

test('[P4] FR-011 no retrieval call starts git in any state of a git root', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await at.sync();
  const canary = join(at.home.path, 'canary');
  await at.home.write({ 'bin/git': `#!/bin/sh\ntouch ${canary}\n` });
  await chmod(join(at.home.path, 'bin/git'), 0o755);
  const path = process.env['PATH'];
  process.env['PATH'] = `${join(at.home.path, 'bin')}:${path}`;
  try {
    for (const [name, args] of [
      ['list_dir', {}],
      ['open_file', { path: 'a.md' }],
      ['get_snippet', { path: 'a.md', start_line: 1, end_line: 1 }],
      ['search', { query: 'one' }],
      ['smart_search', { query: 'one' }],
      ['roots_list', {}],
    ] as const)
      assert.equal((await at.docs.call(name, args)).isError, false, name);
    assert.ok(!existsSync(canary));
    await at.docs.call('repo_status');
    assert.ok(existsSync(canary), 'a git process would run the fake git');
  } finally {
    process.env['PATH'] = path;
  }
});

test('FR-014 reports a missing or too old git before anything is written', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await at.home.write({ 'old/git': '#!/bin/sh\necho git version 2.20.1\n', 'none/.x': '' });
  await chmod(join(at.home.path, 'old/git'), 0o755);
  const { PATH } = process.env;
  try {
    for (const [folder, code] of [
      ['old', 'GIT_TOO_OLD'],
      ['none', 'GIT_NOT_FOUND'],
    ] as const) {
      process.env['PATH'] = join(at.home.path, folder);
      assert.equal((await at.sync()).error?.code, code);
      assert.equal((await at.status()).error?.code, code);
    }
  } finally {
    process.env['PATH'] = PATH;
  }
  assert.ok(!existsSync(at.cache));
});
