import { plural } from '../../../base/plural.ts';
import { splitPaths } from '../../../protocol/path-name.ts';
import type { RecordedStatus } from '../../../protocol/history.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';
import { reviewStrings } from '../../../review/review-strings.ts';
import { recordedSummary } from '../../../vscode/localization/person-sentence.ts';
import type { RowText } from '../../../vscode/safe-window.ts';
import { changeOutcomeText, recordedOutcome, shownChanges } from '../runs/change-outcome.ts';
import { escapeMarkdown } from '../runs/escape-markdown.ts';
import { MAX_LISTED_CHANGES, reportList, unlistedText } from '../runs/report-list.ts';
import { type LineIcon, unchangedIcon } from './change-text.ts';

const okIcon: LineIcon = { id: 'pass', color: 'charts.green' };
const warningIcon: LineIcon = { id: 'warning', color: 'list.warningForeground' };

export function statusIcon(
  status: RecordedStatus,
  changes: readonly Pick<RecordedResult['changes'][number], 'outcome'>[] = [],
): LineIcon {
  if (changes.length > 0 && changes.every(({ outcome }) => outcome === 'skipped')) return unchangedIcon;
  if (status === 'success' || status === 'empty') return okIcon;
  if (status === 'running') return { id: 'sync~spin' };
  if (status === 'recorded') return { id: 'git-commit' };
  if (status === 'rejected' || status === 'cancelled') return { id: 'circle-slash' };
  return warningIcon;
}

/** The row below the listed changes of a run; `undefined` if all are listed. */
export function unlistedRow(count: number, { t }: Localize): RowText | undefined {
  const text = unlistedText(count, { t });
  if (text === undefined) return undefined;
  const rest = count - MAX_LISTED_CHANGES;
  return {
    label: plural(rest, t('1 more change'), t('{0} more changes', rest)),
    description: t('not listed'),
    tooltip: [withNextStep(text, { t })],
    spoken: withNextStep(t('not listed.'), { t }),
  };
}

const withNextStep = (text: string, { t }: Localize): string => `${text} ${t('Restore shows every change.')}`;

/** Formats a recorded run as a Markdown document. `time`: its localized time. */
export function recordedReport(run: RecordedResult, time: string, { t }: Localize): string {
  const strings = reviewStrings({ t }, 'en');
  const shown = shownChanges(run.changes);
  const listed = shown.slice(0, MAX_LISTED_CHANGES);
  const unlisted = unlistedText(shown.length, { t });
  const namesOf = splitPaths(shown);
  const changes = listed.map(change => ({
    names: namesOf(change),
    decision: [
      strings.choices[change.choice],
      changeOutcomeText({ ...change, outcome: recordedOutcome(change, run.status) }, { t }),
    ],
    details: [change.className, change.fsPath ?? ''],
  }));
  return `${[
    `# ${t('Sync of {0}', time)}`,
    '',
    escapeMarkdown(recordedSummary(run, { t })),
    '',
    `- ${t('Place: {0}', escapeMarkdown(run.place.name))}`,
    `- ${t('Requested by {0}', escapeMarkdown(run.requestedBy))}`,
    `- ${t('Mode: {0}', run.mode)}`,
    `- ${t('Run: {0}', run.runId)}`,
    '',
    ...reportList(changes),
    ...(unlisted === undefined ? [] : ['', withNextStep(unlisted, { t })]),
  ].join('\n')}\n`;
}

/** In place of a recorded text that an editor shows again, if no journal has it. */
export const missingRecord = ({ t }: Localize): string =>
  t('This sync is not in the History of the active project. Open it again from History.');
