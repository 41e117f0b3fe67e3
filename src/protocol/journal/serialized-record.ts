import type { JournalEnding, JournalItem, JournalRecord } from './journal-record.ts';

export interface SerializedRecord {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly requestedBy: string;
  readonly place: string;
  readonly items: readonly JournalItem[];
  readonly summary: string;
}

/**
 * What is kept by no run. It ends when it begins: each of its files is replaced whole, so nothing is left to be looked after, whatever
 * becomes of the writes.
 */
export const toJournalEntry = ({
  runId,
  at,
  requestedBy,
  place,
  items,
  summary,
}: SerializedRecord): { readonly record: JournalRecord; readonly ending: JournalEnding } => ({
  record: { version: 1, runId, at, mode: 'standard', requestedBy, place: { name: place, placeId: 0 }, items },
  ending: { at, status: 'recorded', summary, outcomes: [] },
});
