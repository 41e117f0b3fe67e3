import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
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
  const size = async (): Promise<number | undefined> =>
    (await stat(join(folder.path, 'reserve')).catch(() => undefined))?.size;
  return { folder, size };
}

test('reserves the space for the ending of a large run, and returns it afterwards', async () => {
  const { folder, size } = await open();
  await using _folder = folder;
  const journal = createFileJournalStore(folder.path);
  await journal.append('small', {}, none);
  assert.equal(await size(), kilobytes(64));
  await journal.append('large', {}, none, undefined, kilobytes(1000));
  assert.equal(await size(), kilobytes(1000));
  await journal.append('complete', {}, none, {});
  await journal.finish('small', {});
  assert.equal(await size(), kilobytes(1000), 'another run needs it');
  await journal.finish('large', {});
  assert.equal(await size(), kilobytes(64));
});

test('returns the space while a run of another journal is in progress', async () => {
  const { folder, size } = await open();
  await using _folder = folder;
  await using other = await tempFolder();
  await createFileJournalStore(other.path).append('other', {}, none);
  const journal = createFileJournalStore(folder.path);
  await journal.append('large', {}, none, undefined, kilobytes(1000));
  await journal.finish('large', {});
  assert.equal(await size(), kilobytes(64));
});

test('uses half of the reserve first, and all of it only when that is not enough', async () => {
  const { folder, size } = await open();
  await using _folder = folder;
  const reserve = new JournalReserve(folder.path);
  await reserve.grow(kilobytes(100));
  const full = new AppError(
    'STATE_NOT_WRITABLE',
    { folder: folder.path, reason: 'full' },
    { cause: Object.assign(new Error('full'), { code: 'ENOSPC' }) },
  );
  const sizes: unknown[] = [];
  const failTimes = (times: number) => async () => {
    sizes.push(await size());
    if (sizes.length <= times) throw full;
  };
  await reserve.support(failTimes(1));
  assert.deepEqual(sizes.splice(0), [kilobytes(100), kilobytes(50)]);
  await reserve.support(failTimes(2));
  assert.deepEqual(sizes.splice(0), [kilobytes(50), kilobytes(25), undefined]);
  await assert.rejects(reserve.support(failTimes(3)), full);
});

test('keeps the reserve when an append fails for another reason', async () => {
  const { folder, size } = await open();
  await using _folder = folder;
  const reserve = new JournalReserve(folder.path);
  await reserve.grow(0);
  await assert.rejects(
    reserve.support(() => Promise.reject(new Error('locked'))),
    /locked/,
  );
  assert.equal(await size(), kilobytes(64));
});
