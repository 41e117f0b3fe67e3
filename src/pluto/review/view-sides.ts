import { formatSentence, say, type Translate } from '../../base/sentence.ts';
import { patchTypeOf } from '../session/views/view-journal.ts';
import { describeSides } from '../../review/describe.ts';
import type { ReviewSides } from '../../review/review-sides.ts';
import { toReviewRow, type ViewRow } from './view-row.ts';

const summaries: Parameters<typeof describeSides>[1] = {
  push: parts => say`.pluto: ${parts}.`,
  pull: parts => say`.pt: ${parts}.`,
};

/** The sides of a review: the `.pt` takes the role of the disk, its `.pluto` that of Studio. @param view path of the `.pt` */
export function viewSides(view: string, translate?: Translate): ReviewSides<ViewRow> {
  return {
    pair: 'pluto',
    id: ({ change }) => change.id,
    patchType: ({ change }) => patchTypeOf[change.change],
    toRow: (row, marks) => toReviewRow(row, marks, view, translate),
    paths: () => ({}),
    summary: counts => formatSentence(describeSides(counts, summaries), translate),
    isSame: ({ change: before }, { change: now }) =>
      before.change === now.change && before.before === now.before && before.after === now.after,
    hasOverride: ({ override }) => override !== undefined,
    fingerprint: ({ change: { id, change, before, after } }, hasher) =>
      hasher.sha256(JSON.stringify([view, id, change, before, after])),
    createChooser: () => (chosen, choice, set) => {
      for (const row of chosen) set(row, choice, undefined);
    },
    // Declarations do not depend on each other.
    withdrawConflicts: () => undefined,
  };
}
