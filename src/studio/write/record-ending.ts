import type { JournalStore } from '../../ports/journal-store.ts';
import type { JournalEnding } from '../../protocol/journal/journal-record.ts';
import { recordedReason } from '../../protocol/journal/recorded-reason.ts';

/**
 * Records the ending of an entry that has one already. All such entries share a small reserve of disk space, so on a full disk only the
 * summary may fit, without the outcome of each instance. The store records the rest later if it can.
 *
 * @throws AppError STATE_NOT_WRITABLE if not even the summary was recorded
 */
export async function recordEnding(
  journal: Pick<JournalStore, 'finish'>,
  runId: string,
  ending: JournalEnding,
): Promise<void> {
  const outcomes = ending.outcomes.map(one =>
    one.reason === undefined || typeof one.reason === 'string' ? one : { ...one, reason: recordedReason(one.reason) },
  );
  try {
    await journal.finish(runId, { ...ending, outcomes });
  } catch {
    await journal.finish(runId, { ...ending, outcomes: [] });
  }
}
