import { plural } from '../../../base/plural.ts';
import type { SyncStatus } from '../../../protocol/sync.ts';
import type { RunResult } from '../../../protocol/run-result.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';
import { formatSentence } from '../../../base/sentence.ts';
import { personSummary } from '../../../vscode/localization/person-sentence.ts';

/** How a message is shown. `status`: a temporary status bar message, for outcomes without a next step. */
export type MessageKind = 'status' | 'information' | 'warning' | 'error';
export type NextStep = 'review' | 'history' | 'log' | 'createProject' | 'problems' | 'doctor';

/** The message at the end of a run, for the user who started it, with the next steps as buttons. */
export function runMessage(
  result: RunResult,
  l10n: Localize,
): {
  readonly kind: MessageKind;
  readonly text: string;
  readonly steps: readonly NextStep[];
} {
  const { warnings = [] } = result;
  const [kind, text, steps] = [kindOf(result.status), personSummary(result, l10n), stepsOf(result)];
  const [first] = warnings;
  if (first === undefined) return { kind, text, steps };
  // A success with items that were not compared is shown as a warning.
  const more = plural(
    warnings.length,
    formatSentence(first, l10n.t),
    l10n.t('{0} items were not fully compared. See the log for details.', warnings.length),
  );
  return {
    kind: kind === 'error' ? kind : 'warning',
    text: `${text} ${more}`,
    steps: steps.includes('log') ? steps : [...steps, 'log'],
  };
}

function kindOf(status: SyncStatus): MessageKind {
  switch (status) {
    case 'empty':
    case 'cancelled':
    case 'rejected':
      return 'status';
    case 'success':
    case 'dryrun':
    case 'review_pending':
      return 'information';
    case 'partial':
    case 'fastfail_unresolved':
    case 'review_timeout':
    case 'not_connected':
    case 'sync_in_progress':
      return 'warning';
    case 'disconnected':
    case 'error':
      return 'error';
  }
}

function stepsOf({ status, error }: RunResult): readonly NextStep[] {
  // This window cannot show the review of another window.
  if (error?.code === 'LOCKED_BY_OTHER_WINDOW') return [];
  // Buttons that fix a missing prerequisite.
  if (error?.code === 'NO_PROJECT') return ['createProject'];
  if (error?.code === 'PROJECT_INVALID') return ['problems'];
  if (error?.code === 'STUDIO_NOT_CONNECTED') return ['doctor'];
  switch (status) {
    case 'success':
      return ['history'];
    case 'empty':
    case 'cancelled':
    case 'rejected':
      return [];
    case 'dryrun':
    case 'review_pending':
    case 'fastfail_unresolved':
    case 'review_timeout':
    case 'sync_in_progress':
      return ['review'];
    case 'partial':
    case 'disconnected':
      return ['review', 'log'];
    case 'not_connected':
    case 'error':
      return ['log'];
  }
}
