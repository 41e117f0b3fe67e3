import type { Acknowledgement, ActionOutcome, Evidence, Generations } from '../../protocol/acknowledgement.ts';
import type { ChangeOutcome, SyncStatus } from '../../protocol/sync.ts';
import type { RunChange } from '../changes/run-change.ts';

/** What is known of a run when it ends. */
export interface Acknowledged {
  readonly status: SyncStatus;
  readonly changes: readonly RunChange[];
  readonly hasBegun: boolean;
  readonly at: Generations | undefined;
  readonly elapsedMs: number;
}

export function acknowledge(known: Acknowledged): Acknowledgement {
  const { at, elapsedMs } = known;
  const evidence = evidenceOf(known);
  return {
    outcome: outcomeOf(
      known.status,
      known.changes.map(change => change.outcome),
      known.hasBegun,
    ),
    ...(evidence === undefined ? {} : { evidence }),
    ...(at === undefined ? {} : { at }),
    elapsedMs: Math.round(elapsedMs),
  };
}

/** @param hasBegun whether something was told to change; before that a run that fails has changed nothing */
export function outcomeOf(
  status: SyncStatus,
  outcomes: readonly (ChangeOutcome | undefined)[],
  hasBegun: boolean,
): ActionOutcome {
  switch (status) {
    case 'success':
    case 'dryrun':
      return 'done';
    case 'empty':
      return 'already';
    case 'review_pending':
      return 'waiting_for_user';
    case 'rejected':
    case 'fastfail_unresolved':
    case 'review_timeout':
    case 'cancelled':
    case 'not_connected':
    case 'sync_in_progress':
      return 'refused';
    case 'partial':
    case 'disconnected':
    case 'error':
      if (outcomes.includes('unknown')) return 'unknown';
      return hasBegun || status === 'partial' ? 'failed' : 'refused';
  }
}

function evidenceOf({ status, changes }: Acknowledged): Evidence | undefined {
  const pushed = changes.filter(change => change.outcome === 'applied');
  const files = changes.filter(change => change.outcome === 'written').length;
  switch (status) {
    case 'dryrun':
    case 'empty':
    case 'fastfail_unresolved':
      return { kind: 'studio.compared', strength: 'reply' };
    case 'rejected':
      return { kind: 'person.rejected', strength: 'reply' };
    case 'success':
    case 'partial':
    case 'disconnected':
    case 'error': {
      if (status !== 'success' && pushed.length + files === 0) return undefined;
      // A text that was pushed is compared by its hash, files are read again; for other values Studio's word has to do.
      const isVerified = pushed.every(change => change.diskHash !== undefined || change.studio.patchType === 'Remove');
      return {
        kind: 'sides.verified',
        strength: isVerified ? 'verified' : 'reply',
        instances: pushed.length,
        files,
      };
    }
    default:
      return undefined;
  }
}
