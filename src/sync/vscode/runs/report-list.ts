import { escapeMarkdown } from './escape-markdown.ts';

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
