import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { tryLock } from '../../../../src/adapters/node/lock-file.ts';
import { recoverInterrupted } from '../../../../src/sync/recover/recover-interrupted.ts';
import { createFileTransactions } from '../../../../src/sync/transactions/file-transactions.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** Two files that Live Sync created, while another program held the journal so that their ending could not be recorded. */
async function createdWithoutEnding(folder: string) {
  const project = join(folder, 'project');
  await mkdir(project);
  const files = createNodeFileSystem(project, nodeHasher);
  const openJournal = () => createFileJournalStore(join(folder, 'journal'));
  const journal = openJournal();
  const log = memoryLog();
  const deps = { files, journal, hasher: nodeHasher, clock: new ManualClock(), log };
  const edits = ['first.luau', 'last.luau'].map(name => ({
    kind: 'write' as const,
    path: projectPath(name),
    bytes: Buffer.from(name),
    precondition: { kind: 'absent' as const },
  }));
  const limits = () => ({ maxBytes: 1e9, maxDays: 1 });
  const transactions = createFileTransactions({ ...deps, limits, random: sequentialRandom() });
  const transaction = await transactions.begin({ requestedBy: 'Live Sync', title: 'New scripts', edits });
  for (const edit of edits) await files.replace(edit.path, edit.bytes, edit.precondition);
  const lock = await tryLock(join(folder, 'journal', 'journal.lock'));
  assert.equal(lock.kind, 'taken');
  await transaction.finish(new Map());
  if (lock.kind === 'taken') await lock[Symbol.asyncDispose]();
  assert.match(log.lines.join('\n'), /failed to record the end of a transaction/);
  await rm(join(project, 'last.luau'));
  return { project, journal, openJournal, deps, runId: transaction.runId };
}

test('does not create again the last file of a transaction that was deleted before the bridge starts again', async () => {
  await using folder = await tempFolder();
  const { project, openJournal, deps } = await createdWithoutEnding(folder.path);
  assert.deepEqual(await recoverInterrupted({ ...deps, journal: openJournal() }), []);
  assert.deepEqual(await readdir(project), ['first.luau']);
});

test('records an ending that could not be recorded with the next record', async () => {
  await using folder = await tempFolder();
  const { journal, openJournal, runId } = await createdWithoutEnding(folder.path);
  await journal.append('next', {}, new Map(), {});
  assert.deepEqual((await openJournal().find(runId))?.ending, {
    at: new ManualClock().date(),
    status: 'success',
    summary: 'New scripts: 2 files written.',
    outcomes: ['first.luau', 'last.luau'].map(id => ({ id, outcome: 'written' })),
  });
  assert.deepEqual(
    (await readdir(join(folder.path, 'journal'))).filter(name => name.startsWith('reserve-')),
    [],
  );
});
