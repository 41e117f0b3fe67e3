import { inWords, say, type Translate } from '../../base/sentence.ts';
import { patchTypeOf } from '../session/views/view-journal.ts';
import { describeTallies, type Tally } from '../../review/describe.ts';
import type { ReviewSides } from '../../review/review-sides.ts';
import { toReviewRow, type ViewRow } from './view-row.ts';

const tallies: readonly Tally[] = [
  [
    'push',
    'Add',
    n =>
      n === 1 ? say`1 declaration will be added to the .pluto` : say`${n} declarations will be added to the .pluto`,
  ],
  [
    'push',
    'Edit',
    n =>
      n === 1
        ? say`1 declaration will be replaced in the .pluto by the .pt`
        : say`${n} declarations will be replaced in the .pluto by the .pt`,
  ],
  [
    'push',
    'Remove',
    n =>
      n === 1
        ? say`1 declaration will be removed from the .pluto`
        : say`${n} declarations will be removed from the .pluto`,
  ],
  [
    'pull',
    'Edit',
    n =>
      n === 1
        ? say`1 declaration will be replaced in the .pt by the .pluto`
        : say`${n} declarations will be replaced in the .pt by the .pluto`,
  ],
  [
    'pull',
    'Remove',
    n => (n === 1 ? say`1 declaration will be added to the .pt` : say`${n} declarations will be added to the .pt`),
  ],
  [
    'pull',
    'Add',
    n =>
      n === 1 ? say`1 declaration will be removed from the .pt` : say`${n} declarations will be removed from the .pt`,
  ],
];

/** The sides of a review: the `.pt` takes the role of the disk, its `.pluto` that of Studio. @param view path of the `.pt` */
export function viewSides(view: string, translate?: Translate): ReviewSides<ViewRow> {
  return {
    pair: 'pluto',
    id: ({ change }) => change.id,
    patchType: ({ change }) => patchTypeOf[change.change],
    toRow: (row, marks) => toReviewRow(row, marks, view, translate),
    paths: () => ({}),
    summary: counts => inWords(describeTallies(counts, tallies), translate),
    isSame: ({ change: before }, { change: now }) =>
      before.change === now.change && before.before === now.before && before.after === now.after,
    isTargetSame: (before, now) => before.change.before === now.change.before,
    isAskedFor: ({ override }) => override !== undefined,
    fingerprint: ({ change: { id, change, before, after } }, hasher) =>
      hasher.sha256(new TextEncoder().encode(JSON.stringify([view, id, change, before, after]))),
    together: () => (chosen, choice, set) => {
      for (const row of chosen) set(row, choice, undefined);
    },
    // Declarations do not depend on each other.
    withdrawConflicts: () => undefined,
  };
}
