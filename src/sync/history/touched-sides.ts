import type { RestoredSide } from '../../protocol/review.ts';
import type { JournalItem, JournalRecord } from '../../protocol/journal/journal-record.ts';

/** Returns the sides that each recorded change was to change, so that restoring them makes sense. */
export function touchedSides({
  writes,
}: Pick<JournalRecord, 'writes'>): (item: JournalItem) => readonly RestoredSide[] {
  // A record can have as many writes as items, so their ids are collected once.
  const written = writes && new Set(writes.flatMap(({ ids }) => ids));
  return ({ id, choice, files, studio, texts }) => {
    // Records of changes outside a run name the files that were replaced, and have no list of writes.
    const isOnDisk = written === undefined ? files.length > 0 : written.has(id);
    // Changes that Live Sync did not write are recorded as skipped, with the version of Studio.
    const isOfStudio = choice === 'push' || choice === 'merge' || (choice === 'skip' && studio !== null);
    // Both sides of a `.pt` are files.
    const isInStudio = isOfStudio && texts === undefined;
    return [...(isOnDisk ? (['disk'] as const) : []), ...(isInStudio ? (['studio'] as const) : [])];
  };
}
