import { say, type Sentence } from '../base/sentence.ts';
import type { PatchType, Choice } from '../protocol/sync.ts';
import type { RestoredSide } from '../protocol/review.ts';
import type { DecisionCounts } from './decision-counts.ts';

/** What a choice does to changes of one kind, in words for their number. */
export type Tally = readonly [Choice, PatchType, (count: number) => Sentence];

const tallies: readonly Tally[] = [
  [
    'push',
    'Add',
    n => (n === 1 ? say`1 instance will be created in Studio` : say`${n} instances will be created in Studio`),
  ],
  [
    'push',
    'Edit',
    n =>
      n === 1
        ? say`1 instance will be replaced in Studio by disk`
        : say`${n} instances will be replaced in Studio by disk`,
  ],
  [
    'push',
    'Remove',
    n => (n === 1 ? say`1 instance will be removed from Studio` : say`${n} instances will be removed from Studio`),
  ],
  [
    'pull',
    'Edit',
    n =>
      n === 1 ? say`1 file will be replaced on disk by Studio` : say`${n} files will be replaced on disk by Studio`,
  ],
  [
    'pull',
    'Remove',
    n => (n === 1 ? say`1 instance will be written to disk` : say`${n} instances will be written to disk`),
  ],
  [
    'pull',
    'Add',
    n => (n === 1 ? say`1 instance will be removed from disk` : say`${n} instances will be removed from disk`),
  ],
];

/** In a restore the record stands where the other side stands in a sync, so one choice brings back and no side wins. */
const restored: Readonly<Record<RestoredSide, Tally>> = {
  disk: [
    'pull',
    'Edit',
    n =>
      n === 1
        ? say`1 file will be brought back on disk as recorded`
        : say`${n} files will be brought back on disk as recorded`,
  ],
  studio: [
    'push',
    'Edit',
    n =>
      n === 1
        ? say`1 instance will be brought back in Studio as recorded`
        : say`${n} instances will be brought back in Studio as recorded`,
  ],
};

/** What Apply will do, in one sentence; or what is still missing. */
export function describeDecision(counts: DecisionCounts, restore?: RestoredSide): Sentence {
  const own = restore && restored[restore];
  return describeTallies(
    counts,
    tallies.map(tally => (own !== undefined && tally[0] === own[0] && tally[1] === own[1] ? own : tally)),
  );
}

/** The same in the words for other sides. */
export function describeTallies(counts: DecisionCounts, spoken: readonly Tally[]): Sentence {
  if (counts.total === 0) return say`Nothing differs any more.`;
  const parts = spoken.flatMap(([choice, patchType, label]) => {
    const count = counts.of(patchType, choice);
    return count === 0 ? [] : [label(count)];
  });
  const skipped = counts.of('Add', 'skip') + counts.of('Edit', 'skip') + counts.of('Remove', 'skip');
  if (skipped > 0)
    parts.push(skipped === 1 ? say`1 change will be left as it is` : say`${skipped} changes will be left as they are`);
  const decided = parts.length === 0 ? say`Nothing is decided yet` : parts;
  if (counts.undecided === 0) return say`${decided}.`;
  const left =
    counts.undecided === 1 ? say`1 change still undecided` : say`${counts.undecided} changes still undecided`;
  return say`${decided}; ${left}.`;
}
