import { formatSentence, type Translate } from '../../base/sentence.ts';
import type { RestoredSide } from '../../protocol/review.ts';
import { chooseConsistently, indexAdditions, withdrawConflicts } from '../changes/consistency.ts';
import type { RunChange } from '../changes/run-change.ts';
import { describeDecision } from '../../review/describe.ts';
import { reviewFingerprint } from './fingerprint.ts';
import { referredPaths, toRow, type ValueNames } from './review-row.ts';
import type { ReviewSides } from '../../review/review-sides.ts';
import { hasSameSides } from './same-sides.ts';

/**
 * Disk and Studio as the two sides of a review.
 *
 * @param restore the side that is restored; `undefined` for a sync
 * @param translate into the display language; English by default
 */
export function studioSides(
  names: ValueNames,
  restore: RestoredSide | undefined,
  translate?: Translate,
): ReviewSides<RunChange> {
  return {
    pair: 'studio',
    id: ({ studio }) => studio.id,
    patchType: ({ studio }) => studio.patchType,
    instances: ({ studio }) => studio.subtree?.count ?? 1,
    toRow: (change, marks) => toRow(change, marks, names, translate),
    paths: changes => referredPaths(changes, names),
    summary: counts => formatSentence(describeDecision(counts, restore), translate),
    isSame: hasSameSides,
    merged: ({ merge }) => merge && { text: merge.source?.text },
    hasOverride: ({ override }) => override !== undefined,
    fingerprint: reviewFingerprint,
    createChooser(changes) {
      const additions = indexAdditions(changes);
      return (chosen, choice, set) => chooseConsistently(chosen, choice, additions, set);
    },
    withdrawConflicts,
  };
}
