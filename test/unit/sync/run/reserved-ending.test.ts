import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { JournalEnding } from '../../../../src/protocol/journal/journal-record.ts';
import { createFileTransactions } from '../../../../src/sync/transactions/file-transactions.ts';
import { failureReason } from '../../../../src/protocol/failure-reasons.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { type Person, syncWorld } from '../../../harness/sync-world.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
/** A name of which each character takes three bytes. */
const NAME = '作'.repeat(60);
const nameOf = (at: number): string => `${NAME}${at}`;

/** A journal that remembers what was reserved. */
class ReservingJournal extends MemoryJournalStore {
  reserved = 0;

  override async append(...[runId, record, blobs, ending, endBytes]: Parameters<MemoryJournalStore['append']>) {
    this.reserved = endBytes ?? 0;
    await super.append(runId, record, blobs, ending);
  }

  /** The note and the ending of the newest run, each of which needs half of what was reserved. */
  async parts() {
    const [entry] = await this.list(1);
    return { note: entry?.notes[0], ending: entry?.ending as JournalEnding };
  }
}

function assertReserved(reserved: number, { note, ending }: Awaited<ReturnType<ReservingJournal['parts']>>): void {
  assert.ok(bytesOf(ending) <= reserved / 2, `the ending has ${bytesOf(ending)} bytes of ${reserved / 2}`);
  assert.ok(bytesOf(note) <= reserved / 2, `the note has ${bytesOf(note)} bytes of ${reserved / 2}`);
}

/** A world with `count` scripts that differ in two files each. */
async function differing(count: number, journalStore: ReservingJournal, person?: Person) {
  const indexes = Array.from({ length: count }, (_, at) => at);
  const entries = indexes.flatMap(at => [
    [`src/${nameOf(at)}.server.luau`, 'return "disk"\n'] as const,
    [`src/${nameOf(at)}.meta.json`, '{ "properties": { "Disabled": false } }\n'] as const,
  ]);
  const place = indexes.map(at => [
    `ServerScriptService/${nameOf(at)}`,
    { className: 'Script', source: 'return "Studio"\n', properties: { Disabled: { Bool: true } } },
  ]);
  const parts = { files: Object.fromEntries(entries), place: Object.fromEntries(place) };
  return await syncWorld({ git: 'none', journalStore, ...(person && { person }), ...parts });
}

test('reserves enough for an ending in which each change failed after a part of its files was written', async () => {
  const journal = new ReservingJournal();
  const world = await differing(20, journal);
  const problem = `'disk' failed: ${'磁'.repeat(2000)}`;
  const begun = new Set<string>();
  world.files.fault = async (_, path) => {
    const script = path.split('.')[0] ?? '';
    if (begun.has(script)) throw new Error(problem);
    begun.add(script);
  };
  const { changes } = await world.sync({ mode: 'dryrun' });
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  const result = await world.sync({ mode: 'standard', overrides });
  assert.deepEqual(
    result.changes.map(({ outcome }) => outcome),
    overrides.map(() => 'failed'),
  );
  const parts = await journal.parts();
  assert.ok(parts.ending.outcomes.every(({ effect }) => effect?.files.length === 1));
  assertReserved(journal.reserved, parts);
});

test('records only the outcomes of recorded changes, because the others have no reserved space', async () => {
  const journal = new ReservingJournal();
  const world = await differing(100, journal, review => {
    const [first, ...others] = review.snapshot().rows.map(row => row.id);
    review.choose(first === undefined ? [] : [first], 'pull');
    review.choose(others, 'skip');
    review.apply(review.snapshot().revision);
  });
  const result = await world.sync({ mode: 'manual' });
  assert.equal(result.status, 'success');
  const parts = await journal.parts();
  assert.deepEqual(
    parts.ending.outcomes.map(({ outcome }) => outcome),
    ['written'],
  );
  assert.equal(result.changes.length, 100);
  assertReserved(journal.reserved, parts);
});

test('reserves enough for the ending of a transaction in which each file failed', async () => {
  const journal = new ReservingJournal();
  const paths = Array.from({ length: 20 }, (_, at) => projectPath(`${'a folder/'.repeat(20)}${nameOf(at)}.luau`));
  const transactions = createFileTransactions({
    files: new MemoryFileSystem(Object.fromEntries(paths.map(path => [path, 'old']))),
    journal,
    limits: () => ({ maxBytes: 1e9, maxDays: 1 }),
    hasher: nodeHasher,
    random: sequentialRandom(),
    clock: new ManualClock(),
    log: memoryLog(),
  });
  const precondition = { kind: 'hash', gitBlob: nodeHasher.gitBlob('old') } as const;
  const edits = paths.map(path => ({ kind: 'write' as const, path, bytes: Buffer.from('new'), precondition }));
  const transaction = await transactions.begin({ requestedBy: 'test', title: 'Save', edits });
  const reason = failureReason(new Error('"\u0001'.repeat(2000)));
  await transaction.finish(new Map(paths.map(path => [path, reason])));
  const parts = await journal.parts();
  assert.equal(parts.ending.outcomes.length, 20);
  assertReserved(journal.reserved, parts);
});
