import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeGitRoots } from '../../../src/docs/adapters/git-roots/node-git-roots.ts';
import type { GitRoot, GitRootStatus } from '../../../src/docs/ports/git-roots.ts';
import { docsClient } from '../../harness/docs-client.ts';
import { gitRemote } from '../../harness/git-remote.ts';
import { folderHash, gitRootWorld, type RepoRow } from '../../harness/git-root-world.ts';

interface SyncRun {
  readonly signal: string | null;
  /** `undefined` if the process was killed. */
  readonly report: Readonly<Record<string, unknown>> | undefined;
}

/** Starts another process that syncs the root `kept`; see `sync-process.ts`. */
function syncProcess(cache: string, url: string, what: 'run' | 'kill' | 'hold', moment: string) {
  const program = fileURLToPath(new URL('sync-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, cache, url, what, moment], { stdio: ['ignore', 'pipe', 'inherit'] });
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<SyncRun>();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
    if (output.startsWith('held\n')) held.resolve();
  });
  child.on('close', (_code, signal) => {
    const last = output.trim().split('\n').at(-1) ?? '';
    ended.resolve({ signal, report: last === '' ? undefined : (JSON.parse(last) as SyncRun['report']) });
  });
  return { held: held.promise, ended: ended.promise, goOn: () => void child.kill('SIGCONT') };
}

test('FR-014 returns OFFLINE in offline mode without changing the cache', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await at.sync();
  await remote.commit({ 'a.md': 'two\n' });
  const before = await folderHash(at.cache);
  const offline = docsClient({ ...at.environment, WORKSPACE_DOCS_OFFLINE: '1' });
  const answer = await offline.call('repo_sync', { root: 'kept' });
  const [row] = answer.result as RepoRow[];
  assert.deepEqual([answer.isError, row?.status, row?.error?.code], [true, 'failed', 'OFFLINE']);
  assert.equal(row?.['network'], false);
  assert.equal(await folderHash(at.cache), before);
  await using away = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: 'http://127.0.0.1:1/x.git' });
  const refused = await away.sync();
  assert.deepEqual([refused.error?.code, refused.after], ['OFFLINE', null]);
  assert.ok(!existsSync(away.cache), 'a first sync without a network creates nothing');
});

test('FR-012 rejects a second sync, and takes over the lock of an ended process', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
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

test('keeps the served commit when a sync is cancelled at any step', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await at.sync();
  await remote.commit({ 'a.md': 'two\n' });
  const [root] = (await at.docs.retrieval.configuration()).roots;
  const { policy } = await at.docs.retrieval.configuration();
  for (const wanted of ['contacting the remote', 'taking the lock', 'fetching refs/heads/main', 'writing the files']) {
    const cancel = new AbortController();
    let isMet = false;
    const progress = (step: string): void => {
      if (!step.startsWith(wanted)) return;
      isMet = true;
      cancel.abort(new Error('enough'));
    };
    await assert.rejects(
      nodeGitRoots.sync(root as GitRoot, policy, { mode: 'update' }, progress, cancel.signal),
      /enough/,
      wanted,
    );
    assert.ok(isMet, wanted);
    assert.equal(await at.read(), 'one');
    assert.ok(!existsSync(join(await at.ofUrl(), 'sync.lock')), wanted);
  }
  assert.equal((await at.sync()).status, 'updated');
});

test('serves a complete tree after a kill at any moment, and the next sync succeeds', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await at.sync();
  let text = 'one';
  let commits = 0;
  // Not a divisor of the number of changes between two steps, so that the runs cover all kinds of moments.
  const step = process.env['ATLAS_KILL'] === 'every write' ? 1 : 5;
  for (let moment = 1; ; moment += step) {
    commits += 1;
    const next = `commit ${commits}`;
    const commit = await remote.commit({ 'a.md': next });
    const run = await syncProcess(at.cache, remote.url, 'kill', String(moment)).ended;
    const served = await at.read();
    assert.ok(served === text || served === next, `moment ${moment}: ${served}`);
    if (run.signal === null) {
      assert.equal(run.report?.['after'], commit);
      assert.ok(Number(run.report?.['moments']) > 10, `${String(run.report?.['moments'])} moments`);
      break;
    }
    const after = await at.sync();
    assert.equal(after.error, null, `moment ${moment}`);
    assert.deepEqual([after.after, await at.read()], [commit, next], `moment ${moment}`);
    const left = (await readdir(await at.ofUrl(), { recursive: true })).filter(name => /\.(?:new|old)-/.test(name));
    assert.deepEqual(left, [], `moment ${moment}`);
    text = next;
  }
});

test('FR-012 of concurrent processes one syncs, the others get SYNC_LOCKED', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const commit = remote.git('rev-parse', 'HEAD');
  const runs = await Promise.all(Array.from({ length: 4 }, () => syncProcess(at.cache, remote.url, 'run', '').ended));
  for (const { report } of runs)
    assert.ok(report?.['after'] === commit || report?.['error'] === 'SYNC_LOCKED', JSON.stringify(report));
  assert.ok(runs.some(({ report }) => report?.['status'] === 'initialised'));
  assert.deepEqual([await at.read(), (await at.status())['state']], ['one', 'clean']);
});

test('FR-012 refuses a sync while another process syncs, and still reads', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await at.sync();
  const second = await remote.commit({ 'a.md': 'two\n' });
  const other = syncProcess(at.cache, remote.url, 'hold', 'writing the files');
  await other.held;
  const refused = await at.sync();
  assert.deepEqual([refused.status, refused.error?.code], ['refused', 'SYNC_LOCKED']);
  const status = await at.status();
  assert.deepEqual([status['state'], status['activity']], ['syncing', 'locked_elsewhere']);
  assert.equal(await at.read(), 'one');
  other.goOn();
  assert.equal((await other.ended).report?.['after'], second);
  assert.deepEqual([await at.read(), (await at.status())['activity']], ['two', 'idle']);
});

test('reports the state syncing while this process syncs', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  await at.sync();
  await remote.commit({ 'a.md': 'two\n' });
  const { roots, policy } = await at.docs.retrieval.configuration();
  const seen: Promise<GitRootStatus>[] = [];
  const look = (step: string): void => {
    if (step.startsWith('fetching')) seen.push(nodeGitRoots.status(roots[0] as GitRoot, policy, signal));
  };
  const { signal } = new AbortController();
  await nodeGitRoots.sync(roots[0] as GitRoot, policy, { mode: 'update' }, look, signal);
  const states = (await Promise.all(seen)).map(({ state, activity }) => [state, activity]);
  assert.deepEqual(states, [['syncing', 'syncing']]);
});

test('reports and rebuilds a damaged repository without running anything from it', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const first = (await at.sync()).after;
  const canary = join(at.home.path, 'canary');
  const repository = join(await at.ofUrl(), 'repo.git');
  await writeFile(join(repository, 'config'), `[core]\n\tbare = true\n\tfsmonitor = "touch ${canary}"\n`);
  const [row] = (await at.docs.call('repo_status')).result as RepoRow[];
  assert.deepEqual([row?.['state'], row?.error?.code], ['error', 'CACHE_CORRUPT']);
  const rebuilt = await at.sync();
  assert.deepEqual([rebuilt.after, rebuilt.warnings.map(w => w.code)], [first, ['CACHE_REBUILT']]);
  assert.equal((await at.status())['state'], 'clean');
  await remote.commit({ 'a.md': 'two\n' });
  await writeFile(join(repository, 'shallow.lock'), '');
  assert.equal((await at.sync()).status, 'updated');
  assert.ok(!existsSync(canary));
});

test('reports a commit that git cannot read as damage, not as a diverged history', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const first = (await at.sync()).after ?? '';
  const second = await remote.commit({ 'a.md': 'two\n' });
  await at.sync('fetch');
  const objects = join(await at.ofUrl(), 'repo.git', 'objects');
  for (const commit of [first, second]) {
    await mkdir(join(objects, commit.slice(0, 2)), { recursive: true });
    await writeFile(join(objects, commit.slice(0, 2), commit.slice(2)), 'damaged');
  }
  await rm(join(objects, 'pack'), { recursive: true });
  const status = await at.status();
  assert.deepEqual([status['state'], status.error?.code], ['error', 'CACHE_CORRUPT']);
  const checkout = await at.sync('checkout', { commit: second });
  assert.deepEqual([checkout.status, checkout.error?.code], ['failed', 'CACHE_CORRUPT']);
  const rebuilt = await at.sync();
  assert.deepEqual([rebuilt.status, rebuilt.after, await at.read()], ['updated', second, 'two']);
  assert.ok(rebuilt.warnings.some(({ code }) => code === 'CACHE_REBUILT'));
});

test('changes nothing when a root exceeds the size or time limit', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
  const first = (await at.sync()).after;
  await remote.commit({ 'big.md': 'x'.repeat(2 * 1024 * 1024) });
  const small = docsClient({ ...at.environment, WORKSPACE_DOCS_GIT_MAX_MB: '1' });
  const [row] = (await small.call('repo_sync', { root: 'kept' })).result as RepoRow[];
  assert.deepEqual([row?.error?.code, row?.after], ['SYNC_TOO_LARGE', first]);
  const quick = docsClient({ ...at.environment, WORKSPACE_DOCS_GIT_TIMEOUT_MS: '1' });
  const [late] = (await quick.call('repo_sync', { root: 'kept' })).result as RepoRow[];
  assert.deepEqual([late?.error?.code, late?.after], ['SYNC_TIMEOUT', first]);
  assert.equal(await at.read(), 'one');
  assert.equal((await at.sync()).status, 'updated');
});
