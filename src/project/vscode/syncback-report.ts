import type { SyncbackPreview } from '../../protocol/syncback-answer.ts';
import type { Localize } from '../../vscode/localization/localize.ts';

/** Longer lists are truncated, because the Markdown preview is slow for them. */
const MAX_LINES = 1_000;

/** Renders the plan of a syncback as Markdown. */
export function syncbackReport(plan: SyncbackPreview, input: string, l10n: Localize): string {
  const list = (title: string, lines: readonly string[]): string => {
    if (lines.length === 0) return '';
    const shown = lines.slice(0, MAX_LINES).map(line => `- ${line}`);
    const more = lines.length - shown.length;
    if (more > 0) shown.push(`- ${l10n.t('and {0} more', more)}`);
    return `\n## ${title} (${lines.length})\n\n${shown.join('\n')}\n`;
  };
  const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;
  const note = ({ path, reason }: SyncbackPreview['notes'][number]): string => `${code(path)}: ${reason}`;
  return [
    `# ${l10n.t('Syncback from {0}', input)}\n`,
    list(l10n.t('Cannot be written'), plan.refused.map(note)),
    list(l10n.t('Files to remove'), plan.removing.map(code)),
    list(l10n.t('Files to write'), plan.writing.map(code)),
    list(l10n.t('Unchanged'), plan.notes.map(note)),
  ].join('');
}
