import type { RecordedStatus } from '../../../protocol/history.ts';
import { nameOfPath, pathAbove } from '../../../protocol/path-name.ts';
import { reasonText } from '../../../protocol/reason.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import { reviewStrings } from '../../../review/review-strings.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';

/** Reasons that say all about a change that no person skipped. */
const whyUnchanged: ReadonlySet<string> = new Set(['studio_had_it', 'live_ended_first']);

/** The outcome of one change, in a few words. */
export function changeOutcomeText(
  { choice, outcome, patchType, reason, path, movedFrom }: RecordedResult['changes'][number],
  { t }: Localize,
): string {
  if (movedFrom !== undefined)
    return isRenamed(path, movedFrom)
      ? t('Renamed from {0}', nameOfPath({ path: movedFrom }))
      : t('Moved from {0}', movedFrom);
  if (reason !== undefined && outcome === 'skipped' && whyUnchanged.has(reason.code)) return reasonText(reason, t);
  const strings = reviewStrings({ t }, 'en');
  const ofKind = Object.entries(strings.outcomesOfKind).find(([kind]) => kind === patchType)?.[1];
  const words = outcome === undefined ? strings.choices[choice] : (ofKind?.[outcome] ?? strings.outcomes[outcome]);
  return reason === undefined ? words : `${words}: ${reasonText(reason, t)}`;
}

/** Whether a file with another path is still in its folder. */
export const isRenamed = (path: string, from: string): boolean => pathAbove({ path }) === pathAbove({ path: from });

/** The changes that people see: a renamed or moved file is one change, under its new path. */
export const shownChanges = (changes: RecordedResult['changes']): RecordedResult['changes'] =>
  changes.filter(({ movedTo }) => movedTo === undefined);

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
