import { plural } from '../../../base/plural.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';
import { escapeMarkdown } from './escape-markdown.ts';

/** Changes that a report or a row of History lists at most: VS Code converts the whole list in one step. */
export const MAX_LISTED_CHANGES = 1_000;

/** Says how many of `count` changes are not listed; `undefined`: none. */
export function unlistedText(count: number, { t }: Localize): string | undefined {
  const rest = count - MAX_LISTED_CHANGES;
  return rest <= 0
    ? undefined
    : plural(rest, t('1 more change is not listed.'), t('{0} more changes are not listed.', rest));
}

/** A change in a report. Parts are shown side by side. */
export interface ReportedChange {
  readonly names: readonly string[];
  /** The decision and its reason or outcome. */
  readonly decision: readonly string[];
  /** Empty parts are left out. */
  readonly details: readonly string[];
}

/** The lines of a Markdown list. Not a table, whose last columns are not visible in a narrow editor. */
export const reportList = (changes: readonly ReportedChange[]): readonly string[] =>
  changes.map(({ names, decision, details }) => {
    const lines = [
      names.join(' / '),
      ...[decision, details].map(parts => parts.filter(part => part !== '').join(' · ')),
    ];
    // A backslash at the end of a line breaks it.
    return `- ${lines.map(lineOf).join('\\\n  ')}`;
  });

/** Escapes a line, also where it would start a list, a heading or code. */
const lineOf = (text: string): string =>
  escapeMarkdown(text)
    .trimStart()
    .replace(/^(?=[-+#=~])/, '\\')
    .replace(/^(\d+)(?=[.)])/, '$1\\');
