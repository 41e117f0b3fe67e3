import type { RestoredSide } from '../../protocol/review.ts';
import type { JournalEnding, JournalItem, JournalRecord } from '../../protocol/journal/journal-record.ts';

/**
 * Returns the sides that each recorded change was to change, so that restoring them makes sense.
 *
 * @param outcomes those of the record's ending: Studio may have had a change of Live Sync already
 */
export function touchedSides(
  { writes }: Pick<JournalRecord, 'writes'>,
  outcomes: JournalEnding['outcomes'] = [],
): (item: JournalItem) => readonly RestoredSide[] {
  const skipped = new Set(outcomes.flatMap(({ id, outcome }) => (outcome === 'skipped' ? [id] : [])));
  // A record can have as many writes as items, so their ids are collected once.
  const written = writes && new Set(writes.flatMap(({ ids }) => ids));
  return ({ id, choice, files, studio, texts }) => {
    // Records of changes outside a run name the files that were replaced, and have no list of writes.
    const isOnDisk = written === undefined ? files.length > 0 : written.has(id);
    // Changes that Live Sync did not write are recorded as skipped, with the version of Studio.
    const isOfStudio =
      (choice === 'push' && !skipped.has(id)) || choice === 'merge' || (choice === 'skip' && studio !== null);
    // Both sides of a `.pt` are files.
    const isInStudio = isOfStudio && texts === undefined;
    return [...(isOnDisk ? (['disk'] as const) : []), ...(isInStudio ? (['studio'] as const) : [])];
  };
}
