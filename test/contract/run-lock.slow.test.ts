import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFileRunLock } from '../../src/adapters/node/file-run-lock.ts';
import { thisProcess } from '../../src/adapters/node/owner.ts';
import type { RunLock, HeldLock } from '../../src/ports/run-lock.ts';
import { memoryRunLock } from '../harness/memory-run-lock.ts';
import { memoryLog } from '../harness/memory-log.ts';
import { tempFolder } from '../harness/temp-folder.ts';

function runLockContract(name: string, create: () => Promise<{ readonly lock: RunLock } & AsyncDisposable>): void {
  test(`${name}: gives the lock to one run, and reports that run to others until it is released`, async () => {
    await using world = await create();
    assert.equal(await world.lock.holder(), undefined);
    const taken = await world.lock.take('first');
    assert.equal((await world.lock.take('second')).holder, 'first');
    assert.equal(await world.lock.holder(), 'first');
    await release(taken);
    assert.equal(await world.lock.holder(), undefined);
    assert.equal((await world.lock.take('third')).holder, undefined);
  });

  test(`${name}: does not release the lock of another run when released twice`, async () => {
    await using world = await create();
    const first = await world.lock.take('first');
    await release(first);
    await world.lock.take('second');
    await release(first);
    assert.equal(await world.lock.holder(), 'second');
  });

  test(`${name}: gives the lock to one of many concurrent runs`, async () => {
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

test('shares the lock between two objects for one file', async () => {
  await using world = await onDisk();
  await world.lock.take('of this window');
  assert.equal((await createFileRunLock(world.path).take('of the other')).holder, 'of this window');
});

test('lets only one of many take over the lock of an ended process', async () => {
  await using world = await onDisk();
  await release(await world.lock.take('to create the folder'));
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  await writeFile(
    world.path,
    JSON.stringify({ ...(await thisProcess()), instance: 'gone', pid: gone.pid, runId: 'lost' }),
  );
  const all = await Promise.all(Array.from({ length: 10 }, (_, index) => world.lock.take(`run-${index}`)));
  assert.equal(all.filter(({ holder }) => holder === undefined).length, 1);
});

for (const [content, what] of [
  ['', 'empty'],
  ['{"pid":', 'half-written'],
  ['{"owner":"me"}', 'without an owner'],
] as const)
  test(`takes over and logs a lock that is ${what}, whatever its time`, async () => {
    await using world = await onDisk();
    await release(await world.lock.take('to create the folder'));
    await writeFile(world.path, content);
    const ahead = new Date(Date.now() + 3_600_000);
    await utimes(world.path, ahead, ahead);
    const log = memoryLog();
    assert.equal((await createFileRunLock(world.path, log).take('b')).holder, undefined);
    assert.match(log.lines.join('\n'), /took over the lock/);
  });

test('keeps the lock of a living process, whatever its time', async () => {
  await using world = await onDisk();
  const taken = await world.lock.take('living');
  for (const days of [-40, 40]) {
    const at = new Date(Date.now() + days * 24 * 3_600_000);
    await utimes(world.path, at, at);
    assert.equal((await createFileRunLock(world.path).take('other')).holder, 'living');
  }
  await release(taken);
});

test('takes over a lock whose process id was reused, also by this process', async () => {
  await using world = await onDisk();
  await release(await world.lock.take('to create the folder'));
  const reused = [
    { pid: process.pid },
    { pid: process.pid, processStart: 'a' },
    { pid: process.ppid, processStart: 'a' },
  ];
  for (const owner of reused) {
    await writeFile(world.path, JSON.stringify({ ...owner, instance: 'ended', lockId: 'x', runId: 'lost' }));
    await release(await world.lock.take('next'));
  }
});

test('removes the temporary files of a process that was killed during a takeover', async () => {
  await using world = await onDisk();
  await release(await world.lock.take('to create the folder'));
  await writeFile(world.path, '');
  await writeFile(`${world.path}.breaking`, JSON.stringify({ pid: 2 ** 22 + 1 }));
  await release(await world.lock.take('a'));
  await writeFile(world.path, '');
  await mkdir(`${world.path}.breaking`);
  await release(await world.lock.take('b'));
});
