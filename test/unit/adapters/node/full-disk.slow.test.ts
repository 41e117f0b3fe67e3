import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { endBytesOf } from '../../../../src/project/writeback/journal-writes.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { recordedReason } from '../../../../src/protocol/journal/recorded-reason.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import type { JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** Mounts a small disk, which only root can do. */
function mountSmallDisk(at: string, kilobytes: number): Disposable | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', at], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { [Symbol.dispose]: () => void execFileSync('umount', [at]) };
}

/** Fills the rest of the disk. */
async function fill(disk: string, name: string): Promise<string> {
  const filler = join(disk, name);
  await writeFile(filler, '');
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2))
    for (let isFull = false; !isFull;) await appendFile(filler, Buffer.alloc(size)).catch(() => (isFull = true));
  return filler;
}

test('leaves nothing of a record on a full disk, and still records the end of a run', async context => {
  await using folder = await tempFolder();
  const disk = join(folder.path, 'disk');
  await mkdir(disk);
  using mounted = mountSmallDisk(disk, 400);
  if (mounted === undefined) return context.skip('a small disk cannot be mounted here');
  const journal = createFileJournalStore(join(disk, 'journal'));
  const none: ReadonlyMap<string, Uint8Array> = new Map();
  await journal.append('first', { text: 'first' }, none);

  const large = new Map([['file', Uint8Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) % 251)]]);
  await assert.rejects(journal.append('large', {}, large), error => AppError.is(error, 'STATE_NOT_WRITABLE'));
  assert.deepEqual(
    (await journal.list()).map(({ runId }) => runId),
    ['first'],
  );
  await journal.append('second', { text: 'second' }, none);

  const filler = await fill(disk, 'filler');
  await assert.rejects(journal.append('third', { text: 'x'.repeat(10_000) }, none));
  await journal.finish('second', { status: 'done' });
  const again = createFileJournalStore(join(disk, 'journal'));
  assert.deepEqual(
    (await again.list()).map(({ runId, ending }) => [runId, ending]),
    [
      ['second', { status: 'done' }],
      ['first', undefined],
    ],
  );

  await rm(filler);
  await again.append('fourth', {}, none);
  assert.ok((await readdir(join(disk, 'journal'))).includes('reserve'));
});

test('records the end of a run with thousands of failed changes when its own files fill the disk', async context => {
  await using folder = await tempFolder();
  const disk = join(folder.path, 'disk');
  await mkdir(disk);
  using mounted = mountSmallDisk(disk, 24_000);
  if (mounted === undefined) return context.skip('a small disk cannot be mounted here');
  const ids = Array.from({ length: 5000 }, (_, at) => at.toString(16).padStart(32, '0'));
  const items = ids.map(id => ({ id }));
  const writes = ids.map(id => ({ ids: [id], path: `src/a folder/${id}.server.luau` }));
  const reason = recordedReason(reasonOf('cannot_write', 'a.luau', 'x'.repeat(10_000)));
  const outcomes = writes.map(({ ids: [id], path }) => ({
    id,
    outcome: 'failed',
    reason,
    effect: { files: [path], studio: false },
  }));
  const journal = createFileJournalStore(join(disk, 'journal'));
  const record = { items, writes } as unknown as Pick<JournalRecord, 'items' | 'writes'>;
  await journal.append('large', { items }, new Map(), undefined, runToEnd(endBytesOf(record)));
  await fill(disk, 'before the note');
  await journal.note('large', { ids, applied: [] });
  await fill(disk, 'written by the run');
  // Another process ends its run with the shared reserve first.
  await rm(join(disk, 'journal', 'reserve'));
  await fill(disk, 'written by others');
  await journal.finish('large', { outcomes });
  const again = createFileJournalStore(join(disk, 'journal'));
  assert.deepEqual((await again.find('large'))?.ending, { outcomes });
});
