import type { JournalEntry, JournalStore } from '../../ports/journal-store.ts';
import { RecordTime } from '../../protocol/journal/journal-record.ts';
import { isNotFound } from '../../base/errno.ts';

/** The part of a journal that history and restores read. */
export type RecordedJournal = Pick<JournalStore, 'list' | 'find' | 'damage' | 'readBlob'>;

/** Reads several journals of one project as one: that of the editor, and that of its commands. */
export function joinJournals(journals: readonly RecordedJournal[]): RecordedJournal {
  const holderOf = async (runId: string): Promise<RecordedJournal | undefined> => {
    for (const journal of journals) if ((await journal.find(runId)) !== undefined) return journal;
    return undefined;
  };
  return {
    async list(limit) {
      const lists = await Promise.all(journals.map(async journal => Array.from(await journal.list(limit))));
      const joined: JournalEntry[] = [];
      for (let next = takeNewest(lists); next !== undefined; next = takeNewest(lists)) {
        if (limit !== undefined && joined.length === limit) break;
        joined.push(next);
      }
      return joined;
    },
    find: async runId => (await holderOf(runId))?.find(runId),
    damage: async () => (await Promise.all(journals.map(journal => journal.damage()))).flat(),
    async readBlob(runId, name) {
      // Does not find the run first, because that reads its whole record for each of its blobs.
      let missing: unknown = new Error(`no journal has the run ${runId}`);
      for (const journal of journals)
        try {
          return await journal.readBlob(runId, name);
        } catch (error) {
          if (!isNotFound(error)) throw error;
          missing = error;
        }
      throw missing;
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
