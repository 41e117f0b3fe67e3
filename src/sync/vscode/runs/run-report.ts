import { splitPaths } from '../../../protocol/path-name.ts';
import { reasonText } from '../../../protocol/reason.ts';
import type { ChangeResult, RunResult } from '../../../protocol/run-result.ts';
import { reviewStrings } from '../../../review/review-strings.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';
import { formatSentence } from '../../../base/sentence.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import { MAX_LISTED_CHANGES, reportList, unlistedText } from './report-list.ts';
import { personSummary } from '../../../vscode/localization/person-sentence.ts';

/** Formats a dry run's result as a Markdown document, with the same terms as the review. */
export function runReport(result: RunResult, { t }: Localize): string {
  const strings = reviewStrings({ t }, 'en');
  const decision = (change: ChangeResult): string =>
    change.direction === 'unresolved' ? strings.undecided : strings.choices[change.direction];
  const lines = [
    `# ${t('Dry run: {0}', escapeMarkdown(result.place?.name ?? ''))}`,
    '',
    escapeMarkdown(personSummary(result, { t })),
    '',
  ];
  const listed = result.changes.slice(0, MAX_LISTED_CHANGES);
  const namesOf = splitPaths(result.changes);
  lines.push(
    ...reportList(
      listed.map(change => ({
        names: namesOf(change),
        decision: [
          decision(change),
          change.reason === undefined ? strings.reasons[change.defaultReason] : reasonText(change.reason, t),
        ],
        details: [
          strings.kinds[change.patchType].name,
          change.className,
          Object.keys(change.properties ?? {}).join(', '),
          change.fsPath ?? change.newFile ?? '',
        ],
      })),
    ),
  );
  const unlisted = unlistedText(result.changes.length, { t });
  if (unlisted !== undefined) lines.push('', unlisted);
  if (result.warnings !== undefined)
    lines.push(
      '',
      `## ${t('Warnings')}`,
      '',
      ...result.warnings.map(warning => `- ${escapeMarkdown(formatSentence(warning, t))}`),
    );
  return `${lines.join('\n')}\n`;
}

/** In place of the report of a dry run before the window was reloaded. */
export const endedReport = ({ t }: Localize): string =>
  [
    `# ${t('Dry run')}`,
    '',
    t('This preview ended when the window was reloaded. Files and Studio may have changed since.'),
    '',
    t('Run Atlas Bridge: Sync (Dry Run) for a current one.'),
    '',
  ].join('\n');
