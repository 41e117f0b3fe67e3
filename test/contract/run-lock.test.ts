import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFileRunLock } from '../../src/adapters/node/file-run-lock.ts';
import { thisProcess } from '../../src/adapters/node/owner.ts';
import type { RunLock, HeldLock } from '../../src/ports/run-lock.ts';
import { memoryRunLock } from '../harness/memory-run-lock.ts';
import { tempFolder } from '../harness/temp-folder.ts';

function runLockContract(name: string, create: () => Promise<{ readonly lock: RunLock } & AsyncDisposable>): void {
  test(`${name}: one run has the lock, another hears which, and after it the lock is free`, async () => {
    await using world = await create();
    assert.equal(await world.lock.holder(), undefined);
    const taken = await world.lock.take('first');
    assert.equal((await world.lock.take('second')).holder, 'first');
    assert.equal(await world.lock.holder(), 'first');
    await release(taken);
    assert.equal(await world.lock.holder(), undefined);
    assert.equal((await world.lock.take('third')).holder, undefined);
  });

  test(`${name}: releasing twice frees nobody else's`, async () => {
    await using world = await create();
    const first = await world.lock.take('first');
    await release(first);
    await world.lock.take('second');
    await release(first);
    assert.equal(await world.lock.holder(), 'second');
  });

  test(`${name}: of many at once, one gets it`, async () => {
    await using world = await create();
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => world.lock.take(`run-${index}`)));
    assert.equal(all.filter(({ holder }) => holder === undefined).length, 1);
  });
}

async function release(taken: HeldLock | { readonly holder: string }): Promise<void> {
  if (taken.holder !== undefined) assert.fail(`${taken.holder} has it`);
  await taken.release();
}

runLockContract('memory', async () => ({ lock: memoryRunLock(), async [Symbol.asyncDispose]() {} }));

async function onDisk() {
  const folder = await tempFolder();
  const path = join(folder.path, 'state', 'run.lock');
  return { path, lock: createFileRunLock(path), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
runLockContract('file', onDisk);

test('two locks on one file are one lock', async () => {
  await using world = await onDisk();
  await world.lock.take('of this window');
  assert.equal((await createFileRunLock(world.path).take('of the other')).holder, 'of this window');
});

test('what a process that is gone has left behind is taken over, by one of many', async () => {
  await using world = await onDisk();
  await release(await world.lock.take('to create the folder'));
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  await writeFile(world.path, JSON.stringify({ ...thisProcess(), pid: gone.pid, runId: 'lost' }));
  const all = await Promise.all(Array.from({ length: 10 }, (_, index) => world.lock.take(`run-${index}`)));
  assert.equal(all.filter(({ holder }) => holder === undefined).length, 1);
});

test('a lock that was left empty is waited for, and then nobody’s', async () => {
  await using world = await onDisk();
  await release(await world.lock.take('to create the folder'));
  await writeFile(world.path, '');
  // However long the looks at it take on a busy machine, it is young.
  const ahead = new Date(Date.now() + 3_600_000);
  await utimes(world.path, ahead, ahead);
  await assert.rejects(world.lock.take('a'));
  await utimes(world.path, new Date(0), new Date(0));
  assert.equal((await world.lock.take('b')).holder, undefined);
});
