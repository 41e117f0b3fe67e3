import { plural } from '../../base/plural.ts';
import { onOneLine, quoteName } from '../../mcp/answer-text.ts';
import { type BulkVerdict, isErrorStatus, type OverrideVerdict, type SyncChange } from '../../protocol/sync-result.ts';
import type { ChangePage, SyncAnswer } from '../../protocol/sync-page.ts';

/** A sync result as text, without the `<json>` block. */
export function formatSyncResult(result: SyncAnswer): string {
  const paragraphs = [
    onOneLine(result.summary),
    ...(result.plan === undefined ? [] : [onOneLine(`Plan: ${result.plan}.`)]),
  ];
  const { error } = result;
  if (error !== undefined && !result.summary.includes(error.message))
    paragraphs.push(`${onOneLine(error.message)}\n${onOneLine(error.hint)}`);
  if (result.changes.length > 0) {
    const title = isErrorStatus(result.status) ? 'Presented changes' : 'Changes';
    paragraphs.push([`${title}${rangeOf(result)}:`, ...result.changes.map(changeLine)].join('\n'));
  }
  if (result.page !== undefined) paragraphs.push(...formatCounts(result.page, result.changes.length));
  const refused = result.overrides.filter(override => override.verdict !== 'accepted');
  if (refused.length > 0)
    paragraphs.push(['Overrides that were not accepted:', ...refused.map(overrideLine)].join('\n'));
  const withdrawn = result.overrides.filter(({ verdict, reason }) => verdict === 'accepted' && reason !== undefined);
  if (withdrawn.length > 0)
    paragraphs.push(['Accepted overrides that decide nothing yet:', ...withdrawn.map(overrideLine)].join('\n'));
  if (result.bulk !== undefined) paragraphs.push(['Bulk overrides:', ...result.bulk.map(bulkLine)].join('\n'));
  if (result.warnings !== undefined)
    paragraphs.push(['Warnings:', ...result.warnings.map(line => `- ${onOneLine(line)}`)].join('\n'));
  return paragraphs.join('\n\n');
}

const overrideLine = ({ direction, id, verdict, reason }: OverrideVerdict): string =>
  onOneLine(`- [${direction}] ${id}: ${verdict}${reason === undefined ? '' : ` (${reason})`}`);

const bulkLine = ({ direction, under, verdict, selected, accepted, reason }: BulkVerdict): string =>
  `- [${direction}] ${quoteName(under ?? 'everything')}: ${verdict}, ${accepted} of ${selected} decided${reason === undefined ? '' : ` (${onOneLine(reason)})`}`;

/** The position of the shown part in the list; empty for the whole list. */
function rangeOf({ page, changes }: SyncAnswer): string {
  if (page === undefined || (page.total === changes.length && page.from === 0)) return '';
  return ` ${page.from + 1} to ${page.from + changes.length} of ${page.matching}`;
}

/** The counts of a list that is not shown whole, and how to get the other changes. */
function formatCounts({ total, matching, undecided, folders, classes, cursor }: ChangePage, shown: number): string[] {
  if (total === shown) return [];
  if (matching === 0) return [`No change of ${total} matches the filters.`];
  const list = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${quoteName(name)} ${count}`)
      .join(', ');
  const lines = [
    `${matching} of ${total} changes match, ${undecided} undecided. By folder: ${list(folders)}. By class: ${list(classes)}.`,
  ];
  if (cursor !== undefined) lines.push('The next page: pass page.cursor of the structured content as cursor.');
  return [lines.join('\n')];
}

const patchTypeNames = { Add: 'only on disk', Remove: 'only in Studio', Edit: 'Edit' } as const;

export function changeLine(change: SyncChange): string {
  const facts: string[] = [patchTypeNames[change.patchType], quoteName(change.className)];
  if (change.fsPath !== null) facts.push(`fs=${quoteName(change.fsPath)}`);
  if (change.newFile !== undefined) facts.push(`new file=${quoteName(change.newFile)}`);
  const count = change.subtree?.count ?? 1;
  if (change.subtree !== undefined) facts.push(plural(count, '1 instance', `${count} instances`));
  if (change.hasDraft === true) facts.push('unsaved draft in Studio');
  const line = `- [${change.direction}] ${quoteName(change.path)} (${facts.join(', ')})`;
  if (change.outcome === 'failed') return `${line} failed: ${onOneLine(change.reason ?? 'no reason given')}`;
  if (change.outcome === 'unknown') return `${line} unknown: ${onOneLine(change.reason ?? 'Studio did not confirm')}`;
  return line;
}
