import type { SyncResult, SyncStatus } from '../../protocol/sync-result.ts';
import { fill } from '../fill.ts';

/** Every text of the card. The card runs in the chat client of an agent, so it cannot use `vscode.l10n`. */
export const texts = {
  waiting: 'Comparing disk and Studio…',
  nothing: 'Nothing to decide.',
  title: 'Undecided changes: {0}',
  disk: 'Push',
  studio: 'Pull',
  showBoth: 'Show both sides',
  inStudio: 'In Studio',
  onDisk: 'On disk',
  noValue: 'no value',
  diskUnknown: 'The text is in {0}.',
  studioUnknown: 'Could not read the script from Studio.',
  addPush: 'Push creates it in Studio. Pull deletes its files.',
  removePush: 'Push deletes it from Studio. Pull writes its files.',
  apply: 'Apply',
  left: '{0} undecided',
  review: 'Decide in Review',
  working: 'Working…',
  noResult: 'The sync failed without a result.',
  moved: 'Changed since you decided. Choose again.',
  synced: 'Synced.',
  success: 'Synced: {2}.',
  partial: 'Partly synced: {2}.',
  pushed: '{0} pushed to Studio',
  written: '{0} written to disk',
  deleted: '{0} deleted from disk',
  skipped: '{0} skipped',
  failed: '{0} failed or unknown',
  empty: 'No differences between disk and Studio.',
  dryrun: 'Changes: {0}, undecided: {1}. Nothing was changed.',
  undecided: 'Undecided: {1} of {0}. Nothing was changed.',
  confirm: 'A person must confirm the decisions of agents. Nothing was changed.',
  pending: 'The review is open in VS Code.',
  rejected: 'The changes were rejected. Nothing was changed.',
  timeout: 'The review timed out. Nothing was changed.',
  cancelled: 'The sync was cancelled. Nothing was changed.',
};

/** Statuses with a sentence of the card. The others carry an error, which the summary of the bridge describes. */
const sentences: Readonly<Partial<Record<SyncStatus, keyof typeof texts>>> = {
  success: 'success',
  partial: 'partial',
  empty: 'empty',
  dryrun: 'dryrun',
  review_pending: 'pending',
  rejected: 'rejected',
  review_timeout: 'timeout',
  cancelled: 'cancelled',
};

/** The outcome of the sync, for the user. The summary of the result is for the agent. */
export function outcomeText({ status, changes, overrides, summary }: SyncResult): string {
  const count = (...outcomes: readonly string[]): number =>
    changes.filter(({ outcome }) => outcome !== undefined && outcomes.includes(outcome)).length;
  const deleted = changes.filter(({ outcome, patchType }) => outcome === 'written' && patchType === 'Add').length;
  const open = changes.filter(({ direction }) => direction === 'unresolved').length;
  const blocked = open === 0 ? 'confirm' : 'undecided';
  const sentence = status === 'fastfail_unresolved' ? blocked : sentences[status];
  // The card reports mismatches itself; only the summary explains the other verdicts.
  const isFullyCovered = overrides.every(({ verdict }) => verdict === 'accepted' || verdict.endsWith('_mismatch'));
  if (sentence === undefined || !isFullyCovered) return summary;
  const counts = [
    [texts.pushed, count('applied', 'merged')],
    [texts.written, count('written', 'merged') - deleted],
    [texts.deleted, deleted],
    [texts.skipped, count('skipped')],
    [texts.failed, count('failed', 'unknown')],
  ] as const;
  const named = counts.flatMap(([text, number]) => (number === 0 ? [] : [fill(text, number)]));
  if (named.length === 0 && status === 'success') return texts.synced;
  if (named.length === 0 && status === 'partial') return summary;
  return fill(texts[sentence], changes.length, open, named.join(', '));
}
