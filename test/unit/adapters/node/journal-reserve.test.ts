import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { JournalReserve } from '../../../../src/adapters/node/journal/reserve.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const none: ReadonlyMap<string, Uint8Array> = new Map();
const kilobytes = (count: number): number => count * 1024;

async function open() {
  const folder = await tempFolder();
  const size = async (name = 'reserve'): Promise<number | undefined> =>
    (await stat(join(folder.path, name)).catch(() => undefined))?.size;
  const reserves = async (): Promise<readonly string[]> =>
    (await readdir(folder.path)).filter(name => name.startsWith('reserve')).toSorted();
  return { folder, size, reserves };
}

test('reserves the space for the ending of each run, and returns it afterwards', async () => {
  const { folder, size, reserves } = await open();
  await using _folder = folder;
  const journal = createFileJournalStore(folder.path);
  await journal.append('complete', {}, none, {});
  assert.deepEqual([await reserves(), await size()], [['reserve'], kilobytes(64)]);
  await journal.append('small', {}, none);
  assert.equal(await size('reserve-small'), kilobytes(64));
  await journal.append('large', {}, none, undefined, kilobytes(1000));
  assert.equal(await size('reserve-large'), kilobytes(1064));
  await journal.note('large', {});
  await journal.finish('small', {});
  assert.deepEqual(await reserves(), ['reserve', 'reserve-large'], 'the other run needs it');
  assert.equal(await size('reserve-large'), kilobytes(1064));
  await journal.finish('large', {});
  assert.deepEqual([await reserves(), await size()], [['reserve'], kilobytes(64)]);
});

/** Another process that appends a run and is killed when this is disposed. */
async function runInOtherProcess(folder: string, runId: string, endBytes: number): Promise<AsyncDisposable> {
  const module = new URL('../../../../src/adapters/node/journal/file-journal-store.ts', import.meta.url).href;
  const source = `
    const { createFileJournalStore } = await import(${JSON.stringify(module)});
    const journal = createFileJournalStore(${JSON.stringify(folder)});
    await journal.append(${JSON.stringify(runId)}, {}, new Map(), undefined, ${endBytes});
    console.log('appended');
    setInterval(() => undefined, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { [Symbol.asyncDispose]: kill };
}

const reservedIn = async (folder: string): Promise<number> => {
  const names = (await readdir(folder)).filter(name => name.startsWith('reserve'));
  const sizes = await Promise.all(names.map(async name => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

test('keeps the reserve of a run of another process, until its ending is recorded', async () => {
  const { folder } = await open();
  await using _folder = folder;
  const journal = createFileJournalStore(folder.path);
  {
    await using _other = await runInOtherProcess(folder.path, 'other', kilobytes(1000));
    await journal.append('own', {}, none, undefined, kilobytes(100));
    assert.ok((await reservedIn(folder.path)) >= kilobytes(1100), 'each run has its own');
    await journal.finish('own', {});
    assert.ok((await reservedIn(folder.path)) >= kilobytes(1000));
  }
  await journal.prune({ maxBytes: 1e9, maxDays: 1 });
  assert.ok((await reservedIn(folder.path)) >= kilobytes(1000), 'the recovery of the killed process needs it');
  await journal.finish('other', {});
  assert.equal(await reservedIn(folder.path), kilobytes(64));
});

test('returns the space of a process that was killed before it appended its record', async () => {
  const { folder, reserves } = await open();
  await using _folder = folder;
  const journal = createFileJournalStore(folder.path);
  await journal.append('complete', {}, none, {});
  await new JournalReserve(folder.path).hold('killed', 0);
  await journal.append('open', {}, none);
  await journal.prune({ maxBytes: 1e9, maxDays: 1 });
  assert.deepEqual(await reserves(), ['reserve', 'reserve-open']);
});

test('uses half of the reserve of the run first, then all of it, and then that of others', async () => {
  const { folder, size } = await open();
  await using _folder = folder;
  const reserve = new JournalReserve(folder.path);
  await reserve.growShared();
  await reserve.hold('run', kilobytes(36));
  const full = new AppError(
    'STATE_NOT_WRITABLE',
    { folder: folder.path, reason: 'full' },
    { cause: Object.assign(new Error('full'), { code: 'ENOSPC' }) },
  );
  const sizes: unknown[] = [];
  const failTimes = (times: number) => async () => {
    sizes.push([await size('reserve-run'), await size()]);
    if (sizes.length <= times) throw full;
  };
  await reserve.support('run', failTimes(1));
  const whole = kilobytes(64);
  assert.deepEqual(sizes.splice(0), [
    [kilobytes(100), whole],
    [kilobytes(50), whole],
  ]);
  await reserve.support('run', failTimes(4));
  assert.deepEqual(sizes.splice(0), [
    [kilobytes(50), whole],
    [kilobytes(25), whole],
    [undefined, whole],
    [undefined, kilobytes(32)],
    [undefined, undefined],
  ]);
  await assert.rejects(reserve.support('run', failTimes(5)), full);
});

test('keeps the reserve when an append fails for another reason', async () => {
  const { folder, size } = await open();
  await using _folder = folder;
  const reserve = new JournalReserve(folder.path);
  await reserve.hold('run', 0);
  await assert.rejects(
    reserve.support('run', () => Promise.reject(new Error('locked'))),
    /locked/,
  );
  assert.equal(await size('reserve-run'), kilobytes(64));
});
