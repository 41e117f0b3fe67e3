import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { docsClient } from '../../harness/docs-client.ts';
import { gitRemote } from '../../harness/git-remote.ts';
import { folderHash, gitRootWorld, type RepoRow } from '../../harness/git-root-world.ts';

test('FR-014 offline answers OFFLINE and not one byte below the cache changes', async () => {
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
  assert.ok(!existsSync(away.cache), 'a first sync without a network makes nothing');
});

test('FR-012 one sync at a time: the second is told who syncs, a lock of a process that ended is taken over', async () => {
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

test('a sync that is cancelled at any step rejects and leaves what was served', async () => {
  await using remote = await gitRemote();
  await using at = await gitRootWorld(remote);
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
  await using at = await gitRootWorld(remote);
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

test('a root that is larger than allowed, or slower, changes nothing', async () => {
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
