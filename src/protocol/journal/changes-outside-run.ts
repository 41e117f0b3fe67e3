import type { JournalEnding, JournalItem, JournalRecord } from './journal-record.ts';

/** Changes outside a sync run that the journal records. */
export interface ChangesOutsideRun {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly requestedBy: string;
  readonly place: string;
  readonly items: readonly JournalItem[];
  readonly summary: string;
}

/**
 * Creates the journal entry of changes outside a sync run. The entry is complete immediately: each file is replaced atomically, so a crash
 * leaves nothing to recover.
 */
export const toJournalEntry = ({
  runId,
  at,
  requestedBy,
  place,
  items,
  summary,
}: ChangesOutsideRun): { readonly record: JournalRecord; readonly ending: JournalEnding } => ({
  record: { version: 1, runId, at, mode: 'standard', requestedBy, place: { name: place, placeId: 0 }, items },
  ending: { at, status: 'recorded', summary, outcomes: [] },
});
