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
  const created = { applied: t('Created in Studio'), written: t('Created on disk') };
  const deleted = { applied: t('Deleted in Studio'), written: t('Deleted on disk') };
  const named: Readonly<Record<string, Partial<typeof strings.outcomes>>> = {
    // An `Add` exists only on disk, a `Remove` only in Studio.
    Add: { applied: created.applied, written: deleted.written },
    Remove: { applied: deleted.applied, written: created.written },
  };
  const words =
    outcome === undefined ? strings.choices[choice] : (named[patchType]?.[outcome] ?? strings.outcomes[outcome]);
  return reason === undefined ? words : `${words}: ${reasonText(reason, t)}`;
}

/** The outcome of a change. Live Sync and syncs of a `.pt` record none: what they record has happened. */
export function outcomeOf(
  { outcome, choice, sides }: Pick<RecordedResult['changes'][number], 'outcome' | 'choice' | 'sides'>,
  status: RecordedStatus,
): RecordedResult['changes'][number]['outcome'] {
  if (outcome !== undefined || status !== 'recorded' || choice === 'skip') return outcome;
  // Both sides of a `.pt` are files.
  if (!sides.includes('studio')) return 'written';
  return sides.includes('disk') ? 'merged' : 'applied';
}
