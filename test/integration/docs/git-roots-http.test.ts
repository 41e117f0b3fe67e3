import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitHttpServer } from '../../harness/git-http-server.ts';
import { gitRemote } from '../../harness/git-remote.ts';
import { folderHash, gitRootWorld } from '../../harness/git-root-world.ts';

test('FR-012 fetches one commit over http without history, then new commits', async () => {
  await using remote = await gitRemote();
  const second = await remote.commit({ 'a.md': 'two\n' });
  await using server = await gitHttpServer(remote);
  await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: server.url('smart') });
  assert.deepEqual(
    [await at.sync()].map(row => [row.status, row.after]),
    [['initialised', second]],
  );
  assert.ok(existsSync(join(await at.ofUrl(), 'repo.git', 'shallow')));
  const third = await remote.commit({ 'a.md': 'three\n' });
  assert.equal((await at.sync('check'))['remote'], third);
  const moved = await at.sync();
  assert.deepEqual([moved.status, moved.before, moved.after], ['updated', second, third]);
  assert.equal(await at.read(), 'three');
  assert.equal((await at.status())['state'], 'clean');
});

test('FR-012 refuses a rewritten history over http, and serves tags and pinned commits', async () => {
  await using remote = await gitRemote();
  const first = remote.git('rev-parse', 'HEAD');
  remote.git('tag', 'v1');
  await remote.commit({ 'a.md': 'two\n' });
  await using server = await gitHttpServer(remote);
  for (const ref of ['v1', first]) {
    await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: server.url('smart'), ROOT_KEPT_GIT_REF: ref });
    assert.equal((await at.sync()).after, first, ref);
  }
  await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: server.url('smart') });
  await at.sync();
  remote.git('checkout', '-q', '--orphan', 'fresh');
  await remote.commit({ 'a.md': 'rewritten\n' });
  remote.git('branch', '-q', '-f', 'main', 'fresh');
  assert.equal((await at.sync()).error?.code, 'DIVERGED');
  assert.equal(await at.read(), 'two');
});

test('FR-014 reports a failure of the server until a sync succeeds again', async () => {
  await using remote = await gitRemote();
  await using server = await gitHttpServer(remote);
  await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: server.url('smart') });
  const first = (await at.sync()).after;
  await remote.commit({ 'a.md': 'two\n' });
  for (const [meet, code, state] of [
    [() => void (server.answers = 'denied'), 'AUTH_FAILED', 'auth_failed'],
    [() => server.stop(), 'OFFLINE', 'offline'],
  ] as const) {
    await meet();
    const refused = await at.sync();
    assert.deepEqual([refused.status, refused.error?.code, refused.after], ['failed', code, first]);
    const status = await at.status();
    assert.deepEqual([status['state'], (status['last_attempt'] as { outcome: string }).outcome], [state, code]);
    assert.equal(await at.read(), 'one', `what was synced before is served while it is ${state}`);
  }
  server.answers = 'whole';
  await server.start();
  assert.equal((await at.sync()).status, 'updated');
  assert.equal((await at.status())['state'], 'clean');
  for (const [way, code] of [
    ['closed', 'AUTH_FAILED'],
    ['gone', 'REMOTE_NOT_FOUND'],
  ] as const) {
    await using other = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: server.url(way) });
    assert.deepEqual([(await other.sync()).error?.code, existsSync(other.cache)], [code, false], way);
  }
});

test('FR-014 keeps the served commit when the server disconnects', async () => {
  await using remote = await gitRemote();
  await using server = await gitHttpServer(remote);
  await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: server.url('smart') });
  const first = (await at.sync()).after ?? '';
  const trees = join(await at.ofUrl(), 'trees');
  const before = await folderHash(trees);
  await remote.commit({ 'a.md': 'two\n', 'big.md': 'x y z\n'.repeat(10_000) });
  server.answers = 'cut';
  const broken = await at.sync();
  assert.deepEqual([broken.status, broken.after, broken.error !== null], ['failed', first, true]);
  assert.deepEqual([await at.read(), await folderHash(trees)], ['one', before]);
  server.answers = 'whole';
  assert.equal((await at.sync()).status, 'updated');
});

test('fetches the whole history from a plain http file server', async () => {
  await using remote = await gitRemote();
  const first = remote.git('rev-parse', 'HEAD');
  remote.git('update-server-info');
  await using server = await gitHttpServer(remote);
  await using at = await gitRootWorld(remote, { ROOT_KEPT_GIT_URL: server.url('plain') });
  assert.deepEqual([(await at.sync()).after, await at.read()], [first, 'one']);
});
