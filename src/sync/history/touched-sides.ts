import type { RestoredSide } from '../../protocol/review.ts';
import type { JournalItem, JournalRecord } from '../../protocol/journal/journal-record.ts';

/** The sides that a recorded change was to change, so that restoring them makes sense. */
export function touchedSides({ writes }: Pick<JournalRecord, 'writes'>, item: JournalItem): readonly RestoredSide[] {
  const { id, choice, files, studio } = item;
  // Records of changes outside a run name the files that were replaced, and have no list of writes.
  const isOnDisk = writes === undefined ? files.length > 0 : writes.some(({ ids }) => ids.includes(id));
  // What Live Sync did not write is recorded as skipped, with the version of Studio.
  const isInStudio = choice === 'push' || choice === 'merge' || (choice === 'skip' && studio !== null);
  return [...(isOnDisk ? (['disk'] as const) : []), ...(isInStudio ? (['studio'] as const) : [])];
}
