import type { JournalEntry, JournalStore } from '../../ports/journal-store.ts';
import { RecordTime } from '../../protocol/journal/journal-record.ts';
import { describeCause } from '../../base/describe-cause.ts';
import { isNotFound } from '../../base/errno.ts';

/** The part of a journal that history and restores read. */
export type RecordedJournal = Pick<JournalStore, 'list' | 'find' | 'damage' | 'readBlob'>;

/**
 * Reads several journals of one project as one: that of the editor, and that of its commands. A journal that cannot be read is reported as
 * damage, and the others are read nevertheless.
 */
export function joinJournals(journals: readonly RecordedJournal[]): RecordedJournal {
  /** The answer of each journal that can be read. @throws the failure of the first one if none can be read */
  const ofEach = async <T>(read: (journal: RecordedJournal) => Promise<T>): Promise<readonly T[]> => {
    const settled = await Promise.allSettled(journals.map(read));
    const answers = settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
    const [failure] = settled;
    if (answers.length === 0 && failure?.status === 'rejected') throw failure.reason;
    return answers;
  };
  /** The first answer that is not `undefined`. @throws what a journal that cannot be read throws, if no other one answers */
  const ofOne = async <T>(read: (journal: RecordedJournal) => Promise<T | undefined>): Promise<T | undefined> => {
    const failures: unknown[] = [];
    for (const journal of journals)
      try {
        const found = await read(journal);
        if (found !== undefined) return found;
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
    return undefined;
  };
  return {
    async list(limit) {
      const lists = (await ofEach(journal => journal.list(limit))).map(entries => Array.from(entries));
      const joined: JournalEntry[] = [];
      for (let next = takeNewest(lists); next !== undefined; next = takeNewest(lists)) {
        if (limit !== undefined && joined.length === limit) break;
        joined.push(next);
      }
      return joined;
    },
    find: runId => ofOne(journal => journal.find(runId)),
    async damage() {
      const found = await Promise.all(
        journals.map(journal =>
          journal.damage().catch((error: unknown) => [`a journal of this project (${describeCause(error)})`]),
        ),
      );
      return found.flat();
    },
    // Does not find the run first, because that reads its whole record for each of its blobs.
    async readBlob(runId, name) {
      const isMissing = (error: unknown): undefined => {
        if (!isNotFound(error)) throw error;
        return undefined;
      };
      const bytes = await ofOne(journal => journal.readBlob(runId, name).catch(isMissing));
      if (bytes === undefined) throw new Error(`no journal has the text ${name} of the run ${runId}`);
      return bytes;
    },
  };
}

/** Takes the newest entry of several lists, which keep their order. An entry without a readable time follows its predecessor. */
function takeNewest(lists: readonly JournalEntry[][]): JournalEntry | undefined {
  let newest: { readonly list: JournalEntry[]; readonly at: string } | undefined;
  for (const list of lists) {
    if (list[0] === undefined) continue;
    const record = RecordTime.safeParse(list[0].record);
    if (!record.success) return list.shift();
    if (newest === undefined || record.data.at > newest.at) newest = { list, at: record.data.at };
  }
  return newest?.list.shift();
}
