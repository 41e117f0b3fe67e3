import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockState, tryLock, withFileLock } from '../../../../src/adapters/node/lock-file.ts';
import { thisProcess } from '../../../../src/adapters/node/owner.ts';
import { settle } from '../../../harness/settle.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('keeps waiting while the holder of the lock changes, also back to the same one', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'lock');
  let inside = 0;
  const turns = async (): Promise<number> => {
    let done = 0;
    const work = async (): Promise<void> => {
      assert.equal((inside += 1), 1);
      await settle(5);
      inside -= 1;
      done += 1;
    };
    for (let turn = 0; turn < 200; turn += 1) await withFileLock(path, work, 10);
    return done;
  };
  assert.deepEqual(await Promise.all([turns(), turns()]), [200, 200]);
});

test('gives up when one holder keeps the lock, and leaves the lock in place', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'lock');
  await tryLock(path);
  await assert.rejects(
    withFileLock(path, () => assert.fail('the lock is taken'), 3),
    /is held by another process/,
  );
  assert.equal((await tryLock(path)).kind, 'held');
});

test('rejects when the lock exists but cannot be read', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'lock');
  await symlink(path, path);
  await assert.rejects(lockState(path), { code: 'ELOOP' });
});

test('takes over the lock of another machine only after its time limit', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'lock');
  const lock = { ...(await thisProcess()), host: 'elsewhere', lockId: 'a', startedAt: new Date().toISOString() };
  await writeFile(path, JSON.stringify(lock));
  assert.equal((await tryLock(path, {}, { staleAfterMs: 60_000 })).kind, 'held');
  await writeFile(path, JSON.stringify({ ...lock, startedAt: new Date(Date.now() - 61_000).toISOString() }));
  const taken = await tryLock(path, {}, { staleAfterMs: 60_000 });
  assert.ok(taken.kind === 'taken' && taken.isTakenOver);
});

test('takes over a lock with the id of this process that this process does not hold', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'lock');
  await writeFile(path, JSON.stringify({ ...(await thisProcess()), lockId: 'of the process before a restart' }));
  assert.equal((await tryLock(path)).kind, 'taken');
});
