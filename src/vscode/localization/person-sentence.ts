import { formatSentence } from '../../base/sentence.ts';
import { forPerson, describeFailure } from '../../protocol/error-body.ts';
import type { RecordedResult } from '../../protocol/run-result.ts';
import { type SummaryFacts, summarySentence } from '../../protocol/sync-summary.ts';
import type { Localize } from './localize.ts';

/** The localized message and hint of an error. */
export const personSentence = (failure: Parameters<typeof forPerson>[0], { t }: Localize): string =>
  formatSentence(forPerson(failure), t);

/** The localized message of an error, without its hint. */
export const failureText = (failure: Parameters<typeof forPerson>[0], { t }: Localize): string =>
  formatSentence(describeFailure(failure), t);

/** The localized outcome of a run, with the next step. */
export const personSummary = (result: SummaryFacts, { t }: Localize): string =>
  formatSentence(summarySentence(result, 'person'), t);

/** The localized outcome of a recorded run; the recorded English summary if the record is incomplete. */
export function recordedSummary(run: RecordedResult, { t }: Localize): string {
  const status = localizedStatuses.find(one => one === run.status);
  const isComplete = run.changes.length === run.changeCount && (status !== 'error' || run.error !== undefined);
  if (status === undefined || !isComplete) return run.summary;
  // A renamed or moved file is one change.
  const shown = run.changes.filter(({ movedTo }) => movedTo === undefined);
  const changes = shown.map(({ choice, outcome, patchType }) => ({ direction: choice, outcome, patchType }));
  return personSummary({ ...run, status, changes, overrides: [] }, { t });
}
const localizedStatuses = [
  'success',
  'partial',
  'disconnected',
  'cancelled',
  'rejected',
  'review_timeout',
  'error',
] as const;
