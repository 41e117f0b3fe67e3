import { say, type Sentence } from '../base/sentence.ts';
import type { Direction } from '../protocol/sync-request.ts';
import type { PatchType } from '../protocol/sync-result.ts';
import type { RestoredSide } from '../protocol/review.ts';
import type { DecisionCounts } from './decision-counts.ts';

/** Puts the name of the side that a direction changes before what happens there: "Studio: 1 new, 1 updated." */
type SideSummary = (parts: readonly Sentence[]) => Sentence;

const created = (count: number): Sentence => say`${count} new`;
const updated = (count: number): Sentence => say`${count} updated`;
const removed = (count: number): Sentence => say`${count} removed`;
const restored = (count: number): Sentence => say`${count} restored`;

/** The effect of a direction on the side that it changes. An `Add` exists only on disk, a `Remove` only in Studio. */
const effects: Readonly<Record<Direction, readonly (readonly [PatchType, (count: number) => Sentence])[]>> = {
  push: [
    ['Add', created],
    ['Edit', updated],
    ['Remove', removed],
  ],
  pull: [
    ['Remove', created],
    ['Edit', updated],
    ['Add', removed],
  ],
};

const diskAndStudio: Readonly<Record<Direction, SideSummary>> = {
  push: parts => say`Studio: ${parts}.`,
  pull: parts => say`Disk: ${parts}.`,
};

/** Summarizes what Apply will do in Studio and on disk, and how many changes are undecided. */
export function describeDecision(counts: DecisionCounts, restore: RestoredSide | undefined): Sentence {
  return describeSides(counts, diskAndStudio, restore && (restore === 'disk' ? 'pull' : 'push'));
}

/**
 * Summarizes what Apply will do on each side, and how many changes are undecided.
 *
 * @param restoring the direction that restores recorded files or instances; `undefined` for a sync
 */
export function describeSides(
  counts: DecisionCounts,
  sides: Readonly<Record<Direction, SideSummary>>,
  restoring?: Direction,
): Sentence {
  if (counts.total === 0) return say`No differences remain.`;
  const sentences: Sentence[] = [];
  for (const direction of ['push', 'pull'] as const) {
    const parts = effects[direction].flatMap(([patchType, describe]) => {
      const count = counts.instancesOf(patchType, direction);
      if (count === 0) return [];
      return [direction === restoring && patchType === 'Edit' ? restored(count) : describe(count)];
    });
    if (parts.length > 0) sentences.push(sides[direction](parts));
  }
  const merged = counts.of('Edit', 'merge');
  if (merged > 0) sentences.push(say`Both sides: ${merged} merged.`);
  const skipped = counts.of('Add', 'skip') + counts.of('Edit', 'skip') + counts.of('Remove', 'skip');
  if (skipped > 0) sentences.push(say`${skipped} skipped.`);
  if (counts.undecided > 0) sentences.push(say`${counts.undecided} undecided.`);
  return sentences.reduce((text, sentence) => say`${text} ${sentence}`);
}
