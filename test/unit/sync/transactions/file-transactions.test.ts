import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { AppError } from '../../../../src/base/errors.ts';
import type { FileEdit } from '../../../../src/ports/file-system.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { createFileTransactions } from '../../../../src/sync/transactions/file-transactions.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

const edits: readonly FileEdit[] = [
  {
    kind: 'write',
    path: projectPath('a.luau'),
    bytes: Buffer.from('new'),
    precondition: { kind: 'hash', gitBlob: nodeHasher.gitBlob(Buffer.from('old')) },
  },
];
const request = { requestedBy: 'test', title: 'Save', edits };

function world(files = new MemoryFileSystem({ 'a.luau': 'old' })) {
  const journal = new MemoryJournalStore();
  const transactions = createFileTransactions({
    files,
    journal,
    limits: () => ({ maxBytes: 1e9, maxDays: 1 }),
    hasher: nodeHasher,
    random: sequentialRandom(),
    clock: new ManualClock(),
    log: memoryLog(),
  });
  const recorded = async () => (await recordedRuns(journal, 1, new CountingSlice()))[0];
  return { journal, transactions, recorded };
}

test('records which files a transaction replaces, and that they were written', async () => {
  const { transactions, recorded } = world();
  const transaction = await transactions.begin(request);
  assert.equal((await recorded())?.status, 'running');
  await transaction.finish(new Map());
  const run = await recorded();
  assert.deepEqual([run?.status, run?.summary], ['success', 'Save: 1 file written.']);
  assert.deepEqual(run?.changes[0]?.sides, ['disk']);
});

test('records a transaction as failed when the disk is full before it may write', async () => {
  const { journal, transactions, recorded } = world();
  journal.note = () => Promise.reject(new AppError('STATE_NOT_WRITABLE', { folder: 'state', reason: 'ENOSPC' }));
  await assert.rejects(transactions.begin(request), { code: 'STATE_NOT_WRITABLE' });
  const run = await recorded();
  assert.deepEqual([run?.status, run?.changes[0]?.outcome], ['partial', 'failed']);
  assert.equal(run?.changes[0]?.reason?.code, 'state_not_writable');
  assert.deepEqual(await journal.unfinished(), []);
});

test('offers to restore a file whose write failed only when its content changed nevertheless', async () => {
  const reason = { code: 'cannot_write', args: ['a.luau', 'the disk returned other bytes than were written'] };
  for (const [now, expected] of [
    ['old', []],
    ['broken', ['disk']],
  ] as const) {
    const files = new MemoryFileSystem({ 'a.luau': 'old' });
    const { transactions, recorded } = world(files);
    const transaction = await transactions.begin(request);
    files.set('a.luau', now);
    await transaction.finish(new Map([[projectPath('a.luau'), reason]]));
    files.set('a.luau', 'a later edit');
    assert.deepEqual((await recorded())?.changes[0]?.sides, expected);
  }
});

test('offers no file to restore that changed before its turn, after other files were written', async () => {
  const files = new MemoryFileSystem({ 'a.luau': 'old' });
  const { transactions, recorded } = world(files);
  const transaction = await transactions.begin(request);
  files.set('a.luau', 'mine');
  const changed = reasonOf('changed_since_comparison', 'a.luau');
  await transaction.finish(new Map([[projectPath('a.luau'), reasonOf('partly_written', changed, 'b.luau')]]));
  assert.deepEqual((await recorded())?.changes[0]?.sides, []);
});

test('counts a renamed file once, and records both of its paths', async () => {
  const { transactions, recorded } = world();
  const hash = nodeHasher.gitBlob(Buffer.from('old'));
  const created = { path: projectPath('b.luau'), bytes: Buffer.from('old'), precondition: { kind: 'absent' } } as const;
  const removed = { path: projectPath('a.luau'), precondition: { kind: 'hash', gitBlob: hash } } as const;
  const rename: readonly FileEdit[] = [
    { kind: 'write', ...created },
    { kind: 'remove', ...removed },
  ];
  const done = await transactions.begin({ ...request, title: 'Rename to b', edits: rename });
  await done.finish(new Map());
  const run = await recorded();
  assert.equal(run?.summary, 'Rename to b: 1 file written.');
  const pathsOf = () => run?.changes.map(({ path, movedFrom, movedTo }) => [path, movedFrom, movedTo]);
  assert.deepEqual(pathsOf(), [
    ['b.luau', 'a.luau', undefined],
    ['a.luau', undefined, 'b.luau'],
  ]);
  const halfDone = await transactions.begin({ ...request, title: 'Rename to b', edits: rename });
  await halfDone.finish(new Map([[projectPath('a.luau'), reasonOf('failure', 'EACCES')]]));
  const half = await recorded();
  assert.equal(half?.summary, 'Rename to b: 1 of 2 files written.');
  assert.ok(half.changes.every(({ movedFrom, movedTo }) => movedFrom === undefined && movedTo === undefined));
});
