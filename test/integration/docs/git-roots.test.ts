import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { docsClient } from '../../harness/docs-client.ts';
import { type GitRemote, gitRemote } from '../../harness/git-remote.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

type Row = Readonly<Record<string, unknown>> & {
  readonly status: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly warnings: readonly { code: string }[];
  readonly error: { code: string } | null;
};
const never = '0'.repeat(40);

async function world(remote: GitRemote, more: Readonly<Record<string, string | undefined>> = {}) {
  const home = await tempFolder();
  const cache = join(home.path, 'cache');
  const environment = {
    DOCS_ROOTS: 'kept',
    ROOT_KEPT_GIT_URL: remote.url,
    ROOT_KEPT_GIT_REF: 'main',
    WORKSPACE_DOCS_CACHE: cache,
    WORKSPACE_DOCS_GIT_PROTOCOLS: 'https,ssh,file,http',
    ...more,
  };
  const docs = docsClient(environment);
  const rowOf = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Row> => {
    const answer = await docs.call(name, args);
    assert.ok(Array.isArray(answer.result), JSON.stringify(answer.body));
    return answer.result[0] as Row;
  };
  return {
    home,
    cache,
    environment,
    docs,
    sync: (mode = 'update', more: object = {}) => rowOf('repo_sync', { root: 'kept', mode, ...more }),
    status: () => rowOf('repo_status', { root: 'kept' }),
    read: async (path = 'a.md') => {
      const answer = await docs.call('open_file', { path });
      const { lines } = (answer.result ?? {}) as { lines?: readonly { text: string }[] };
      return lines
        ?.map(line => line.text)
        .join('\n')
        .trimEnd();
    },
    ofUrl: async () => {
      const [key = ''] = await readdir(join(cache, 'r-kept'));
      return join(cache, 'r-kept', key);
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** Every name below a folder, with what is in it. */
async function everything(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).map(entry => ({
    entry,
    path: join(entry.parentPath, entry.name),
  }));
  for (const { entry, path } of names.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(path);
    if (entry.isFile()) hash.update(await readFile(path));
    if (entry.isSymbolicLink()) hash.update(await readlink(path));
  }
  return hash.digest('hex');
}

test('FR-010 FR-012 SC-004 the first sync, a fast forward and a sync with nothing new say what was served before and after', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
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
  assert.deepEqual(await readdir(at.home.path), ['cache'], 'nothing is written beside the cache');
});

test('FR-012 history is cut where it can be, and only the named root is touched', async () => {
  await using remote = await gitRemote();
  await remote.commit({ 'a.md': 'two\n' });
  await using at = await world(remote, {
    DOCS_ROOTS: 'kept,other',
    ROOT_OTHER_GIT_URL: remote.url,
    ROOT_OTHER_GIT_REF: 'main',
  });
  assert.equal((await at.sync()).status, 'initialised');
  assert.ok(existsSync(join(await at.ofUrl(), 'repo.git', 'shallow')));
  assert.ok(!existsSync(join(at.cache, 'r-other')));
});

test('a rewritten history is refused and the old commit serves on; reset moves when the caller knows what is served', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  const first = (await at.sync()).after;
  remote.git('checkout', '-q', '--orphan', 'fresh');
  const rewritten = await remote.commit({ 'a.md': 'rewritten\n' });
  remote.git('branch', '-q', '-f', 'main', 'fresh');
  const refused = await at.sync();
  assert.deepEqual([refused.status, refused.error?.code, refused.after], ['refused', 'DIVERGED', first]);
  assert.equal((await at.status())['state'], 'diverged');
  assert.equal(await at.read(), 'one');
  assert.equal((await at.sync('reset', { expected_commit: never })).error?.code, 'EXPECTED_COMMIT_MISMATCH');
  assert.deepEqual((await at.sync('reset', { expected_commit: first })).after, rewritten);
  const back = await at.sync('checkout', { commit: first });
  assert.deepEqual([back.status, back['network'], back.after], ['updated', false, first]);
  assert.equal((await at.status())['state'], 'detached');
});

test('tags, pinned commits and the default branch are served, and what is not there is said', async () => {
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
    await using at = await world(remote, { ROOT_KEPT_GIT_REF: ref });
    assert.equal((await at.sync()).after, commit, ref);
    const status = await at.status();
    assert.deepEqual([status['head'], status['relation'], status['state']], [head, 'up_to_date', 'clean'], ref);
    assert.equal((await at.sync()).status, 'up_to_date', ref);
  }
  for (const ref of ['gone', never]) {
    await using at = await world(remote, { ROOT_KEPT_GIT_REF: ref });
    const row = await at.sync();
    assert.deepEqual([row.status, row.error?.code], ['failed', 'REF_NOT_FOUND'], ref);
  }
  await using empty = await gitRemote({});
  await using at = await world(empty, { ROOT_KEPT_GIT_REF: undefined });
  assert.equal((await at.sync()).error?.code, 'REF_NOT_FOUND');
});

test('FR-016 what somebody has edited is reported as dirty, kept, and never makes a sync fail', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
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
  assert.equal(await at.read(), 'one');
  assert.equal(await readFile(join(`${tree}.dirty-1`, 'a.md'), 'utf8'), 'eno\n');
});

test('a tree that is missing is told and made again; another url is told too', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  const first = (await at.sync()).after ?? '';
  await rm(join(await at.ofUrl(), 'trees', first), { recursive: true });
  assert.equal((await at.status())['state'], 'missing');
  assert.deepEqual(
    [await at.sync()].map(r => [r.status, r.after]),
    [['updated', first]],
  );
  const renamed = docsClient({ ...at.environment, ROOT_KEPT_GIT_URL: `${remote.url}/.git` });
  assert.equal(((await renamed.call('repo_status')).result as Row[])[0]?.['state'], 'source_changed');
});

test('FR-014 offline answers OFFLINE and not one byte below the cache changes', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  await at.sync();
  await remote.commit({ 'a.md': 'two\n' });
  const before = await everything(at.cache);
  const offline = docsClient({ ...at.environment, WORKSPACE_DOCS_OFFLINE: '1' });
  const answer = await offline.call('repo_sync', { root: 'kept' });
  const [row] = answer.result as Row[];
  assert.deepEqual([answer.isError, row?.status, row?.error?.code], [true, 'failed', 'OFFLINE']);
  assert.equal(row?.['network'], false);
  assert.equal(await everything(at.cache), before);
  await using away = await world(remote, { ROOT_KEPT_GIT_URL: 'http://127.0.0.1:1/x.git' });
  const refused = await away.sync();
  assert.deepEqual([refused.error?.code, refused.after], ['OFFLINE', null]);
  assert.ok(!existsSync(away.cache), 'a first sync without a network makes nothing');
});

test('FR-012 one sync at a time: the second is told who syncs, a lock of a process that ended is taken over', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  const both = await Promise.all([at.sync(), at.sync()]);
  assert.ok(both.some(row => row.status === 'initialised'));
  assert.ok(
    both.every(row => row.error === null || row.error.code === 'SYNC_LOCKED'),
    JSON.stringify(both),
  );
  const lock = join(await at.ofUrl(), 'sync.lock');
  assert.ok(!existsSync(lock));
  const holder = { pid: 2 ** 30, bootedAt: 0, host: hostname(), startedAt: new Date().toISOString(), requestId: 'x' };
  await writeFile(lock, JSON.stringify({ ...holder, host: 'elsewhere' }));
  assert.equal((await at.status())['activity'], 'locked_elsewhere');
  assert.deepEqual(
    [await at.sync()].map(r => [r.status, r.error?.code]),
    [['refused', 'SYNC_LOCKED']],
  );
  await writeFile(lock, JSON.stringify(holder));
  assert.deepEqual(
    (await at.sync()).warnings.map(w => w.code),
    ['LOCK_TAKEN_OVER'],
  );
});

test('a sync that is cancelled at any step rejects and leaves what was served', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  await at.sync();
  await remote.commit({ 'a.md': 'two\n' });
  const [root] = at.docs.retrieval.configuration().roots;
  const { policy } = at.docs.retrieval.configuration();
  const { nodeGitRoots } = await import('../../../src/adapters/git-roots/node-git-roots.ts');
  for (const wanted of ['asking the remote', 'taking the lock', 'fetching refs/heads/main', 'writing the files']) {
    const cancel = new AbortController();
    let isMet = false;
    const progress = (step: string): void => {
      if (!step.startsWith(wanted)) return;
      isMet = true;
      cancel.abort(new Error('enough'));
    };
    await assert.rejects(
      nodeGitRoots.sync(root as never, policy, { mode: 'update' }, progress, cancel.signal),
      /enough/,
      wanted,
    );
    assert.ok(isMet, wanted);
    assert.equal(await at.read(), 'one');
    assert.ok(!existsSync(join(await at.ofUrl(), 'sync.lock')), wanted);
  }
  assert.equal((await at.sync()).status, 'updated');
});

test('a process killed at any step of a sync leaves a whole tree serving, and the next sync goes through', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  await at.sync();
  const program = fileURLToPath(new URL('killed-sync.ts', import.meta.url));
  const run = (killAt: number): Promise<{ signal: string | null; output: string }> =>
    new Promise(resolve => {
      const child = spawn(process.execPath, [program, at.cache, remote.url, String(killAt)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', chunk => (output += String(chunk)));
      child.on('close', (_code, signal) => resolve({ signal, output }));
    });
  let text = 'one';
  let steps = 0;
  for (let step = 1; ; step += 1) {
    const next = `of step ${step}`;
    const commit = await remote.commit({ 'a.md': next });
    const { signal, output } = await run(step);
    const served = await at.read();
    assert.ok(served === text || served === next, `step ${step}: ${served}`);
    if (signal === null) {
      steps = (JSON.parse(output) as { steps: number }).steps;
      break;
    }
    const after = await at.sync();
    assert.equal(after.error, null, `step ${step}`);
    assert.deepEqual([after.after, await at.read()], [commit, next], `step ${step}`);
    assert.deepEqual(
      (await readdir(join(await at.ofUrl(), 'trees'))).filter(name => name.includes('.new-')),
      [],
    );
    text = next;
  }
  assert.ok(steps >= 6, `${steps} steps`);
});

test('a damaged repository in the cache is told, runs nothing, and is made anew', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  const first = (await at.sync()).after;
  const canary = join(at.home.path, 'canary');
  const repository = join(await at.ofUrl(), 'repo.git');
  await writeFile(join(repository, 'config'), `[core]\n\tbare = true\n\tfsmonitor = "touch ${canary}"\n`);
  const [row] = (await at.docs.call('repo_status')).result as Row[];
  assert.deepEqual([row?.['state'], row?.error?.code], ['error', 'CACHE_CORRUPT']);
  const rebuilt = await at.sync();
  assert.deepEqual([rebuilt.after, rebuilt.warnings.map(w => w.code)], [first, ['CACHE_REBUILT']]);
  assert.equal((await at.status())['state'], 'clean');
  await remote.commit({ 'a.md': 'two\n' });
  await writeFile(join(repository, 'shallow.lock'), '');
  assert.equal((await at.sync()).status, 'updated');
  assert.ok(!existsSync(canary));
});

test('[P4] links, submodules and filters of a repository lead nowhere and run nothing', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
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

test('[P4] links in the cache are not followed out of it, and a subfolder that is not one is refused', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
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
    await using other = await world(remote, { ROOT_KEPT_SUBDIR: subdir });
    assert.equal((await other.sync()).error?.code, code, subdir);
  }
});

test('options, other transports and credentials in urls and refs never reach git', async () => {
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
    await using at = await world(remote, changed);
    assert.equal((await at.docs.call('repo_sync', { root: 'kept' })).code, 'CONFIG_INVALID', JSON.stringify(changed));
  }
  assert.ok(!existsSync(canary));
});

test('a root that is larger than allowed, or slower, changes nothing', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
  const first = (await at.sync()).after;
  await remote.commit({ 'big.md': 'x'.repeat(2 * 1024 * 1024) });
  const small = docsClient({ ...at.environment, WORKSPACE_DOCS_GIT_MAX_MB: '1' });
  const [row] = (await small.call('repo_sync', { root: 'kept' })).result as Row[];
  assert.deepEqual([row?.error?.code, row?.after], ['SYNC_TOO_LARGE', first]);
  const quick = docsClient({ ...at.environment, WORKSPACE_DOCS_GIT_TIMEOUT_MS: '1' });
  const [late] = (await quick.call('repo_sync', { root: 'kept' })).result as Row[];
  assert.deepEqual([late?.error?.code, late?.after], ['SYNC_TIMEOUT', first]);
  assert.equal(await at.read(), 'one');
  assert.equal((await at.sync()).status, 'updated');
});

test('FR-014 a plain file server over http gives its whole history; refusals over http have their codes', async () => {
  await using remote = await gitRemote();
  const first = remote.git('rev-parse', 'HEAD');
  remote.git('update-server-info');
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    if (path.startsWith('/closed')) return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    void readFile(join(remote.folder.path, '.git', path.replace(/^\/repo/, ''))).then(
      bytes => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const [name, code] of [
      ['repo', undefined],
      ['closed', 'AUTH_FAILED'],
      ['gone', 'REMOTE_NOT_FOUND'],
    ] as const) {
      await using at = await world(remote, { ROOT_KEPT_GIT_URL: `http://127.0.0.1:${port}/${name}` });
      const row = await at.sync();
      assert.deepEqual([row.error?.code, row.after], [code, code === undefined ? first : null], name);
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('[P4] FR-011 no retrieval call starts git, whatever the state of a git root', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote);
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
    assert.ok(existsSync(canary), 'the false git is the one that would have been met');
  } finally {
    process.env['PATH'] = path;
  }
});

test('arguments of repo_sync that do not fit are refused in words, local roots too', async () => {
  await using remote = await gitRemote();
  await using at = await world(remote, { CODE_ROOTS: 'here', ROOT_HERE_PATH: remote.folder.path });
  for (const [args, code] of [
    [{}, 'INVALID_INPUT'],
    [{ root: '' }, 'SCOPE_INVALID'],
    [{ root: [] }, 'SCOPE_INVALID'],
    [{ root: 'nobody' }, 'ROOT_UNKNOWN'],
    [{ root: 'here' }, 'SCOPE_INVALID'],
    [{ root: 'kept', mode: 'reset' }, 'INVALID_INPUT'],
    [{ root: 'kept', mode: 'checkout', commit: '--all' }, 'INVALID_INPUT'],
    [{ root: 'kept', force: true }, 'ARGUMENT_UNKNOWN'],
  ] as const)
    assert.equal((await at.docs.call('repo_sync', args)).code, code, JSON.stringify(args));
  const rows = (await at.docs.call('repo_status')).result as Row[];
  assert.deepEqual(
    rows.map(row => [row['root'], row['state']]),
    [
      ['kept', 'never_synced'],
      ['here', 'local'],
    ],
  );
});
