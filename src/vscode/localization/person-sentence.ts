import { inWords } from '../../base/sentence.ts';
import { forPerson, whatWentWrong } from '../../protocol/error-body.ts';
import type { RecordedRun } from '../../protocol/history.ts';
import { type Summarized, summarySentence } from '../../protocol/sync-summary.ts';
import type { Localize } from './localize.ts';

/** For a person who clicked: what went wrong and the next step, in their language. */
export const personSentence = (failure: Parameters<typeof forPerson>[0], { t }: Localize): string =>
  inWords(forPerson(failure), t);

/** The same without the next step. */
export const failureText = (failure: Parameters<typeof forPerson>[0], { t }: Localize): string =>
  inWords(whatWentWrong(failure), t);

/** What became of a run and what to do next, in the language of the person who is told. */
export const personSummary = (result: Summarized, { t }: Localize): string =>
  inWords(summarySentence(result, 'person'), t);

/** What is recorded of a run; its own words where the record does not hold what they were made from. */
export function recordedSummary(run: RecordedRun, { t }: Localize): string {
  const status = saidByOutcomes.find(one => one === run.status);
  if (status === undefined || run.changes.length < run.changeCount) return run.summary;
  const changes = run.changes.map(({ choice, outcome }) => ({ direction: choice, outcome }));
  return personSummary({ ...run, status, changes, overrides: [] }, { t });
}
const saidByOutcomes = ['success', 'partial', 'disconnected', 'cancelled', 'rejected', 'review_timeout'] as const;
