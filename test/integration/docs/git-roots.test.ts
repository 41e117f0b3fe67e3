import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { docsClient } from '../../harness/docs-client.ts';
import { gitRemote } from '../../harness/git-remote.ts';
import { gitRootWorld, noCommit, type RepoRow } from '../../harness/git-root-world.ts';

test('FR-010 FR-012 SC-004 each sync reports the commits before and after', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const first = remote.git('rev-parse', 'HEAD');
  assert.equal((await at.status())['state'], 'never_synced');
  assert.deepEqual(
    [await at.sync()].map(r => [r.status, r.before, r.after]),
    [['initialised', null, first]],
  );
  assert.equal(await at.read(), 'one');
  const second = await remote.commit({ 'a.md': 'two\n' });
  assert.deepEqual(
    [await at.sync('check')].map(r => [r.status, r.after, r['remote']]),
    [['checked', first, second]],
  );
  assert.equal((await at.sync('fetch')).after, first);
  assert.equal((await at.status())['state'], 'behind');
  assert.equal(await at.read(), 'one');
  const moved = await at.sync();
  assert.deepEqual([moved.status, moved.before, moved.after], ['updated', first, second]);
  assert.equal(await at.read(), 'two');
  assert.equal((await at.sync()).status, 'up_to_date');
  const status = await at.status();
  assert.deepEqual(
    [status['state'], status['commit'], status['ref'], status['head'], status['relation'], status['dirty']],
    ['clean', second, 'refs/heads/main', 'branch', 'up_to_date', false],
  );
  assert.ok(!Number.isNaN(Date.parse(String(status['last_sync_at']))));
  assert.deepEqual(await readdir(at.home.path), ['cache'], 'nothing is written outside the cache');
});

test('FR-012 fetches without history if possible, and only the named root', async () => {
  await using remote = await gitRemote();
  await remote.commit({ 'a.md': 'two\n' });
  await using at = await gitRootWorld(remote, {
    DOCS_ROOTS: 'kept,other',
    ROOT_OTHER_GIT_URL: remote.url,
    ROOT_OTHER_GIT_REF: 'main',
  });
  assert.equal((await at.sync()).status, 'initialised');
  assert.ok(existsSync(join(await at.ofUrl(), 'repo.git', 'shallow')));
  assert.ok(!existsSync(join(at.cache, 'r-other')));
});

test('refuses a rewritten history; reset moves if expected_commit is right', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const first = (await at.sync()).after;
  remote.git('checkout', '-q', '--orphan', 'fresh');
  const rewritten = await remote.commit({ 'a.md': 'rewritten\n' });
  remote.git('branch', '-q', '-f', 'main', 'fresh');
  const refused = await at.sync();
  assert.deepEqual([refused.status, refused.error?.code, refused.after], ['refused', 'DIVERGED', first]);
  assert.equal((await at.status())['state'], 'diverged');
  assert.equal(await at.read(), 'one');
  assert.equal((await at.sync('reset', { expected_commit: noCommit })).error?.code, 'EXPECTED_COMMIT_MISMATCH');
  assert.deepEqual((await at.sync('reset', { expected_commit: first })).after, rewritten);
  const back = await at.sync('checkout', { commit: first });
  assert.deepEqual([back.status, back['network'], back.after], ['updated', false, first]);
  assert.equal((await at.status())['state'], 'detached');
});

test('serves tags, pinned commits and the default branch, and reports missing refs', async () => {
  await using remote = await gitRemote();
  const first = remote.git('rev-parse', 'HEAD');
  remote.git('tag', '-a', '-m', 'a tag', 'v1');
  const second = await remote.commit({ 'a.md': 'two\n' });
  for (const [ref, commit, head] of [
    ['v1', first, 'tag'],
    [first, first, 'pinned'],
    [undefined, second, 'branch'],
    ['refs/heads/main', second, 'branch'],
  ] as const) {
    await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_REF: ref });
    assert.equal((await at.sync()).after, commit, ref);
    const status = await at.status();
    assert.deepEqual([status['head'], status['relation'], status['state']], [head, 'up_to_date', 'clean'], ref);
    assert.equal((await at.sync()).status, 'up_to_date', ref);
  }
  await using kept = await gitRootWorld(remote);
  await kept.sync();
  const unfetched = (await kept.sync('checkout', { commit: noCommit })).error;
  assert.match(JSON.stringify(unfetched), /Commit 0+ of root kept has not been fetched\./);
  for (const ref of ['gone', noCommit]) {
    await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_REF: ref });
    const row = await at.sync();
    assert.deepEqual([row.status, row.error?.code], ['failed', 'REF_NOT_FOUND'], ref);
  }
  await using empty = await gitRemote({});
  await using at = await gitRootWorld(empty, { ROOT_KEPT_GIT_REF: undefined });
  assert.equal((await at.sync()).error?.code, 'REF_NOT_FOUND');
});

test('follows a remote without a default branch, and the branch as soon as it has one', async () => {
  await using remote = await gitRemote();
  const first = remote.git('rev-parse', 'HEAD');
  remote.git('checkout', '-q', '--detach');
  await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_REF: undefined });
  assert.equal((await at.sync()).after, first);
  assert.equal((await at.sync()).status, 'up_to_date');
  const second = await remote.commit({ 'a.md': 'two\n' });
  assert.deepEqual([(await at.sync()).after, await at.read()], [second, 'two']);
  remote.git('checkout', '-q', '-B', 'trunk');
  const third = await remote.commit({ 'a.md': 'three\n' });
  assert.deepEqual([(await at.sync()).after, (await at.status())['ref']], [third, 'refs/heads/trunk']);
});

test('FR-016 reports and keeps locally edited files, and syncs anyway', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const first = (await at.sync()).after ?? '';
  const tree = join(await at.ofUrl(), 'trees', first);
  await writeFile(join(tree, 'a.md'), 'eno\n');
  const dirty = await at.status();
  assert.deepEqual([dirty['state'], dirty['dirty'], dirty['worktree']], ['dirty', true, 'dirty']);
  const same = await at.sync();
  assert.deepEqual(
    [same.status, same['dirty'], same.warnings.map(w => w.code)],
    ['up_to_date', true, ['DIRTY_TREE_SERVED']],
  );
  await remote.commit({ 'a.md': 'two\n' });
  const moved = await at.sync();
  assert.deepEqual(
    [moved.status, moved['dirty'], moved.warnings.map(w => w.code)],
    ['updated', true, ['DIRTY_TREE_KEPT']],
  );
  assert.equal(await readFile(join(tree, 'a.md'), 'utf8'), 'eno\n');
  const back = await at.sync('checkout', { commit: first });
  assert.deepEqual(
    back.warnings.map(w => w.code),
    ['DIRTY_TREE_KEPT'],
  );
  const short = first.slice(0, 8);
  const inCache = relative(at.cache, tree);
  assert.deepEqual(
    [same, moved, back].map(({ warnings }) => warnings.map(warning => warning.message)),
    [
      `files of ${short} in ${inCache} were changed locally and are served with these changes; delete the folder and sync to restore them`,
      `files of ${short} in ${inCache} were changed locally; the folder stays in the cache`,
      `files of ${short} in ${inCache}.dirty-1 were changed locally; the folder stays in the cache`,
    ].map(message => [message]),
  );
  assert.equal(await at.read(), 'one');
  assert.equal(await readFile(join(`${tree}.dirty-1`, 'a.md'), 'utf8'), 'eno\n');
});

test('FR-016 marks an answer dirty only if it is from an edited file', async () => {
  await using remote = await gitRemote({ 'a.md': 'one\n', 'sub/b.md': 'two\n' });
  await using at = await gitRootWorld(remote);
  const first = (await at.sync()).after ?? '';
  const tree = join(await at.ofUrl(), 'trees', first);
  const isDirty = async (tool: string, args: object) => (await at.docs.call(tool, { ...args })).meta['dirty'];
  const calls = [
    ['open_file', { path: 'a.md' }],
    ['get_snippet', { path: 'a.md', start_line: 1, end_line: 1 }],
    ['search', { query: 'one' }],
    ['smart_search', { query: 'one' }],
    ['list_dir', {}],
  ] as const;
  for (const [tool, args] of calls) assert.equal(await isDirty(tool, args), undefined, tool);
  await utimes(join(tree, 'a.md'), 1, 1);
  for (const [tool, args] of calls) assert.equal(await isDirty(tool, args), undefined, `${tool}, only touched`);
  await writeFile(join(tree, 'a.md'), 'eno one\n');
  for (const [tool, args] of calls) assert.equal(await isDirty(tool, args), true, tool);
  assert.equal(await isDirty('open_file', { path: 'sub/b.md' }), undefined);
  await writeFile(join(tree, 'sub/new.md'), 'new\n');
  assert.equal(await isDirty('list_dir', { path: 'sub' }), true);
  assert.equal(await isDirty('search', { query: 'new' }), true);
});

test('reports a missing tree and restores it, and reports a changed URL', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const first = (await at.sync()).after ?? '';
  await rm(join(await at.ofUrl(), 'trees', first), { recursive: true });
  assert.equal((await at.status())['state'], 'missing');
  assert.deepEqual(
    [await at.sync()].map(r => [r.status, r.after]),
    [['updated', first]],
  );
  const renamed = docsClient({ ...at.environment, ROOT_KEPT_GIT_URL: `${remote.url}/.git` });
  assert.equal(((await renamed.call('repo_status')).result as RepoRow[])[0]?.['state'], 'source_changed');
});

test('removes trees replaced over a minute ago, except edited ones', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const commits = [remote.git('rev-parse', 'HEAD')];
  await at.sync();
  const folder = await at.ofUrl();
  const trees = async () => (await readdir(join(folder, 'trees'))).filter(name => !name.endsWith('.index')).toSorted();
  const next = async (): Promise<void> => {
    commits.push(await remote.commit({ 'a.md': `text ${commits.length}\n` }));
    assert.equal((await at.sync()).error, null);
  };
  /** Backdates the served commit by two minutes. */
  const later = async (): Promise<void> => {
    const file = join(folder, 'current.json');
    const current = JSON.parse(await readFile(file, 'utf8')) as object;
    const syncedAt = new Date(Date.now() - 120_000).toISOString();
    await writeFile(file, JSON.stringify({ ...current, syncedAt }));
  };
  await next();
  await next();
  assert.deepEqual(
    await trees(),
    commits.toSorted(),
    'a call that started before the sync may still read the old tree',
  );
  await writeFile(join(folder, 'trees', commits[1] ?? '', 'a.md'), 'mine\n');
  await later();
  await next();
  assert.deepEqual(await trees(), commits.slice(1).toSorted());
  await later();
  await next();
  assert.deepEqual(await trees(), [commits[1] ?? '', ...commits.slice(3)].toSorted());
  assert.deepEqual(
    (await readdir(join(folder, 'trees'))).filter(name => name.endsWith('.index')).length,
    (await trees()).length,
  );
});

test('repo_sync rejects invalid arguments and local roots with an explanation', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote, { CODE_ROOTS: 'here', ROOT_HERE_PATH: remote.folder.path });
  for (const [args, code] of [
    [{}, 'INVALID_INPUT'],
    [{ root: '' }, 'SCOPE_INVALID'],
    [{ root: [] }, 'SCOPE_INVALID'],
    [{ root: 'unknown' }, 'ROOT_UNKNOWN'],
    [{ root: 'here' }, 'SCOPE_INVALID'],
    [{ root: 'kept', mode: 'reset' }, 'INVALID_INPUT'],
    [{ root: 'kept', mode: 'checkout', commit: '--all' }, 'INVALID_INPUT'],
    [{ root: 'kept', force: true }, 'ARGUMENT_UNKNOWN'],
  ] as const)
    assert.equal((await at.docs.call('repo_sync', args)).code, code, JSON.stringify(args));
  const rows = (await at.docs.call('repo_status')).result as RepoRow[];
  assert.deepEqual(
    rows.map(row => [row['root'], row['state']]),
    [
      ['kept', 'never_synced'],
      ['here', 'local'],
    ],
  );
});
