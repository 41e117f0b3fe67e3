import type { ActionOutcome } from './acknowledgement.ts';

interface StatusRow {
  readonly isError: boolean;
  /** `of_changes`: derived from the changes, because some may be done. */
  readonly outcome: ActionOutcome | 'of_changes';
}

/** All statuses of a sync. `docs/agents.md` lists their meaning. */
export const syncStatuses = {
  success: { isError: false, outcome: 'done' },
  empty: { isError: false, outcome: 'already' },
  dryrun: { isError: false, outcome: 'done' },
  review_pending: { isError: false, outcome: 'waiting_for_user' },
  partial: { isError: true, outcome: 'of_changes' },
  rejected: { isError: true, outcome: 'refused' },
  fastfail_unresolved: { isError: true, outcome: 'refused' },
  review_timeout: { isError: true, outcome: 'refused' },
  cancelled: { isError: true, outcome: 'refused' },
  not_connected: { isError: true, outcome: 'refused' },
  sync_in_progress: { isError: true, outcome: 'refused' },
  disconnected: { isError: true, outcome: 'of_changes' },
  error: { isError: true, outcome: 'of_changes' },
} as const satisfies Readonly<Record<string, StatusRow>>;
