import { reasonOf } from '../../protocol/reason.ts';
import { formatSentence, say, type Sentence, type Translate } from '../../base/sentence.ts';
import type { ChangedSide, ReviewReason, ReviewRow } from '../../protocol/review.ts';
import type { Choice, Direction } from '../../protocol/sync-request.ts';
import type { ChangeOutcome } from '../../protocol/sync-result.ts';
import { choiceOf, patchTypeOf } from '../session/views/view-journal.ts';
import { type DecidedChange, type OverrideResult, takeBySides } from '../session/views/compare-with-module.ts';
import { type ReviewItem, type DecisionMarks, toDecision } from '../../review/review-sides.ts';

/** One declaration in a review of a `.pt`. */
export interface ViewRow extends ReviewItem {
  readonly change: DecidedChange;
  readonly override: OverrideResult | undefined;
  outcome: ChangeOutcome | undefined;
}

/** The row of a declaration, preselected by an accepted override or by the default. */
export function viewRow(change: DecidedChange, override: OverrideResult | undefined): ViewRow {
  const isRefused = override !== undefined && override.verdict !== 'accepted';
  const choice = override?.verdict === 'accepted' ? choiceOf[override.take] : defaultChoice(change);
  return {
    change,
    override,
    choice: isRefused ? null : choice,
    reason: isRefused ? (override.reason ?? reasonOf('failure', override.verdict)) : undefined,
    outcome: undefined,
  };
}

/** A deletion is never preselected. */
function defaultChoice(change: DecidedChange): Direction | null {
  if (change.change === 'deleted') return null;
  const take = takeBySides(change);
  return take === undefined ? null : take === 'pt' ? 'push' : 'pull';
}

const sideOf: Readonly<Record<DecidedChange['moved'], ChangedSide>> = {
  view: 'disk',
  container: 'studio',
  both: 'both',
  unknown: 'unknown',
};

function defaultReasonOf({ change, moved }: DecidedChange): ReviewReason {
  if (change === 'deleted' || (change === 'added' && moved !== 'view')) return 'removal';
  return (
    { view: 'base_disk_moved', container: 'base_studio_moved', both: 'base_both_moved', unknown: 'no_base' } as const
  )[moved];
}

/** @param view the path of the `.pt` */
export function toReviewRow(
  row: ViewRow,
  marks: DecisionMarks,
  view: string,
  translate: Translate | undefined,
): ReviewRow {
  const { change, override, outcome } = row;
  return {
    ...toDecision(change.id, row, marks),
    path: change.name,
    className: change.kind,
    patchType: patchTypeOf[change.change],
    fsPath: view,
    hasSource: true,
    properties: {},
    defaultSelection: defaultChoice(change),
    defaultReason: defaultReasonOf(change),
    explanation: explain(change)
      .map(sentence => formatSentence(sentence, translate))
      .join(' '),
    side: sideOf[change.moved],
    override: directionOf(override),
    outcome: outcome ?? null,
  };
}

/** An override that skips requests no side. */
function directionOf(override: OverrideResult | undefined): ReviewRow['override'] {
  if (override === undefined || override.take === 'skip') return null;
  return { direction: override.take === 'pt' ? 'push' : 'pull', verdict: override.verdict };
}

/** How each side differs from the time when the `.pt` was generated. */
function explain({ change, moved, reason }: DecidedChange): readonly Sentence[] {
  const isMatched = change === 'updated' && (reason === 'content' || reason === 'similar');
  const match = isMatched ? [say`Its name or position differs; it was matched by its source.`] : [];
  const base = {
    view: say`Only the .pt has changed since it was generated.`,
    container: say`Only the .pluto has changed since the .pt was generated.`,
    both: say`Both have changed since the .pt was generated.`,
    unknown: say`No common version is known.`,
  }[moved];
  return [...match, base];
}

/** A merge is written into the `.pt` first. */
export const takeByChoice: Readonly<Record<Choice, 'pt' | 'pluto' | 'skip'>> = {
  push: 'pt',
  pull: 'pluto',
  merge: 'pt',
  skip: 'skip',
};
