import type { RestoredSide } from '../../protocol/review.ts';
import type { JournalEnding, JournalItem, JournalRecord } from '../../protocol/journal/journal-record.ts';

type Outcomes = JournalEnding['outcomes'];

/** The effects of the changes of a recorded run, by their ids. */
interface RecordedEffects {
  readonly hasWritten: (id: string, path: string) => boolean;
  readonly hasChangedStudio: (id: string) => boolean;
}

/** Reads the effects of a run from the outcomes of its ending. A change without a known outcome may have done all that was planned. */
export function recordedEffects(outcomes: Outcomes = []): RecordedEffects {
  const byId = new Map(outcomes.map(one => [one.id, one]));
  const filesOf = new Map<string, ReadonlySet<string>>();
  for (const { id, effect } of outcomes) if (effect !== undefined) filesOf.set(id, new Set(effect.files));
  const isSkipped = (id: string): boolean => byId.get(id)?.outcome === 'skipped';
  return {
    hasWritten: (id, path) => !isSkipped(id) && (filesOf.get(id)?.has(path) ?? true),
    hasChangedStudio: id => !isSkipped(id) && (byId.get(id)?.effect?.studio ?? true),
  };
}

/** Returns the sides that each recorded change has changed, so that restoring them makes sense. */
export function touchedSides(
  { writes }: Pick<JournalRecord, 'writes'>,
  { hasWritten, hasChangedStudio }: RecordedEffects = recordedEffects(),
): (item: JournalItem) => readonly RestoredSide[] {
  // A record can have as many writes as items, so their ids are collected once.
  const written = writes && new Set(writes.flatMap(({ ids, path }) => ids.filter(id => hasWritten(id, path))));
  return ({ id, choice, files, studio, texts }) => {
    // Records of changes outside a run name the files that were replaced, and have no list of writes.
    const isOnDisk = written === undefined ? files.some(({ path }) => hasWritten(id, path)) : written.has(id);
    // Changes that Live Sync did not write are recorded with the choice `skip` and the version of Studio.
    const isOfStudio = choice === 'skip' ? studio !== null : choice !== 'pull' && hasChangedStudio(id);
    // Both sides of a `.pt` are files.
    const isInStudio = isOfStudio && texts === undefined;
    return [...(isOnDisk ? (['disk'] as const) : []), ...(isInStudio ? (['studio'] as const) : [])];
  };
}
