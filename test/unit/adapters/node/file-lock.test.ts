import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeLock, withFileLock } from '../../../../src/adapters/node/file-lock.ts';
import { settle } from '../../../harness/settle.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('whoever waits goes on waiting as long as the lock goes from one to the next, also to the same one again', async () => {
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

test('a lock that one holder keeps is given up, and stays', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'lock');
  await takeLock(path);
  await assert.rejects(
    withFileLock(path, () => assert.fail('it is held'), 3),
    /is held by another process/,
  );
  assert.equal(await takeLock(path), false);
});
