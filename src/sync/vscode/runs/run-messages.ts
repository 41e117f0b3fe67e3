import { plural } from '../../../base/plural.ts';
import type { RunResult } from '../../../protocol/run-result.ts';
import type { SyncStatus } from '../../../protocol/sync-result.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';
import { formatSentence } from '../../../base/sentence.ts';
import { personSummary } from '../../../vscode/localization/person-sentence.ts';

/** How a message is shown. `status`: a temporary status bar message, for outcomes without a next step. */
export type MessageKind = 'status' | 'information' | 'warning' | 'error';
export type NextStep = 'review' | 'history' | 'log' | 'createProject' | 'problems' | 'doctor' | 'untracked';

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
  const [kind, text, steps] = [kindOf(result), personSummary(result, l10n), stepsOf(result)];
  const [first] = warnings;
  if (first === undefined) return { kind, text, steps };
  // A success with warnings is shown as one.
  const more = plural(
    warnings.length,
    formatSentence(first, l10n.t),
    l10n.t('There are {0} warnings. See the log for details.', warnings.length),
  );
  return {
    kind: kind === 'error' ? kind : 'warning',
    text: `${text} ${more}`,
    steps: steps.includes('log') ? steps : [...steps, 'log'],
  };
}

/** The message for each status. */
const messages: Readonly<Record<SyncStatus, { readonly kind: MessageKind; readonly steps: readonly NextStep[] }>> = {
  success: { kind: 'information', steps: ['history'] },
  empty: { kind: 'status', steps: [] },
  dryrun: { kind: 'information', steps: ['review'] },
  review_pending: { kind: 'information', steps: ['review'] },
  partial: { kind: 'warning', steps: ['review', 'log'] },
  rejected: { kind: 'status', steps: [] },
  fastfail_unresolved: { kind: 'warning', steps: ['review'] },
  review_timeout: { kind: 'warning', steps: ['review'] },
  cancelled: { kind: 'status', steps: [] },
  not_connected: { kind: 'warning', steps: ['log'] },
  sync_in_progress: { kind: 'warning', steps: ['review'] },
  disconnected: { kind: 'error', steps: ['review', 'log'] },
  error: { kind: 'error', steps: ['log'] },
};

function kindOf({ status, untracked }: Pick<RunResult, 'status' | 'untracked'>): MessageKind {
  // Status bar messages cannot have buttons.
  return status === 'empty' && untracked !== undefined ? 'information' : messages[status].kind;
}

function stepsOf({ status, error, untracked }: RunResult): readonly NextStep[] {
  // This window cannot show the review of another window.
  if (error?.code === 'LOCKED_BY_OTHER_WINDOW') return [];
  // Buttons that fix a missing prerequisite.
  if (error?.code === 'NO_PROJECT') return ['createProject'];
  if (error?.code === 'PROJECT_INVALID') return ['problems'];
  if (error?.code === 'STUDIO_NOT_CONNECTED') return ['doctor'];
  // Its text says to run that command.
  if (error?.code === 'REVIEW_NOT_SHOWN') return ['review', 'log'];
  return status === 'empty' && untracked !== undefined ? ['untracked'] : messages[status].steps;
}
