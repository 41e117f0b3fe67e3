import type { RecordedStatus } from '../../../protocol/history.ts';
import { reasonText } from '../../../protocol/reason.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import { reviewStrings } from '../../../review/review-strings.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';

/** The outcome of one change, in a few words. */
export function changeOutcomeText(
  { choice, outcome, patchType, reason }: RecordedResult['changes'][number],
  { t }: Localize,
): string {
  const strings = reviewStrings({ t }, 'en');
  const ofKind = Object.entries(strings.outcomesOfKind).find(([kind]) => kind === patchType)?.[1];
  const words = outcome === undefined ? strings.choices[choice] : (ofKind?.[outcome] ?? strings.outcomes[outcome]);
  return reason === undefined ? words : `${words}: ${reasonText(reason, t)}`;
}

/** The outcome of a change. Live Sync and syncs of a `.pt` record none: what they record has happened. */
export function recordedOutcome(
  { outcome, choice, sides }: Pick<RecordedResult['changes'][number], 'outcome' | 'choice' | 'sides'>,
  status: RecordedStatus,
): RecordedResult['changes'][number]['outcome'] {
  if (outcome !== undefined || status !== 'recorded' || choice === 'skip') return outcome;
  // Both sides of a `.pt` are files.
  if (!sides.includes('studio')) return 'written';
  return sides.includes('disk') ? 'merged' : 'applied';
}
