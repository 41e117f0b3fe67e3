import { plural } from '../../base/plural.ts';
import { type BulkVerdict, isErrorStatus, type OverrideVerdict, type SyncChange } from '../../protocol/sync.ts';
import type { ChangePage, SyncAnswer } from '../../protocol/sync-page.ts';

/** A sync result as text, without the `<json>` block. */
export function syncResultInWords(result: SyncAnswer): string {
  const paragraphs = [result.summary, ...(result.plan === undefined ? [] : [`Plan: ${result.plan}.`])];
  const { error } = result;
  if (error !== undefined && !result.summary.includes(error.message))
    paragraphs.push(`${error.message}\n${error.hint}`);
  if (result.changes.length > 0) {
    const title = isErrorStatus(result.status) ? 'Presented changes' : 'Changes';
    paragraphs.push([`${title}${rangeOf(result)}:`, ...result.changes.map(changeLine)].join('\n'));
  }
  if (result.page !== undefined) paragraphs.push(...countsInWords(result.page));
  const refused = result.overrides.filter(override => override.verdict !== 'accepted');
  if (refused.length > 0)
    paragraphs.push(['Overrides that were not accepted:', ...refused.map(overrideLine)].join('\n'));
  const withdrawn = result.overrides.filter(({ verdict, reason }) => verdict === 'accepted' && reason !== undefined);
  if (withdrawn.length > 0)
    paragraphs.push(['Accepted overrides that decide nothing yet:', ...withdrawn.map(overrideLine)].join('\n'));
  if (result.bulk !== undefined) paragraphs.push(['Bulk overrides:', ...result.bulk.map(bulkLine)].join('\n'));
  if (result.warnings !== undefined)
    paragraphs.push(['Warnings:', ...result.warnings.map(line => `- ${line}`)].join('\n'));
  return paragraphs.join('\n\n');
}

const overrideLine = ({ direction, id, verdict, reason }: OverrideVerdict): string =>
  `- [${direction}] ${id}: ${verdict}${reason === undefined ? '' : ` (${reason})`}`;

const bulkLine = ({ direction, under, verdict, selected, accepted, reason }: BulkVerdict): string =>
  `- [${direction}] ${quoted(under ?? 'everything')}: ${verdict}, ${accepted} of ${selected} decided${reason === undefined ? '' : ` (${reason})`}`;

/** The position of the shown part in the list; empty for the whole list. */
function rangeOf({ page, changes }: SyncAnswer): string {
  if (page === undefined || (page.total === changes.length && page.from === 0)) return '';
  return ` ${page.from + 1} to ${page.from + changes.length} of ${page.matching}`;
}

/** The folders of the other changes, and how to get them. */
function countsInWords({ total, matching, undecided, from, folders, cursor }: ChangePage): readonly string[] {
  if (cursor === undefined && from === 0 && total === matching) return [];
  const counts = Object.entries(folders).map(([folder, count]) => `${quoted(folder)} ${count}`);
  const lines = [`${matching} of ${total} changes match, ${undecided} undecided. By folder: ${counts.join(', ')}.`];
  if (cursor !== undefined) lines.push('The next page: pass page.cursor of the structured content as cursor.');
  return [lines.join('\n')];
}

/** A name with line breaks or markup could forge lines of the list, so it is quoted as a JSON string. */
const quoted = (name: string): string =>
  /[\p{Cc}\p{Zl}\p{Zp}<>"\\]/u.test(name) ? JSON.stringify(name).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}<>]/gu, escaped) : name;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const kindWords = { Add: 'only on disk', Remove: 'only in Studio', Edit: 'Edit' } as const;

export function changeLine(change: SyncChange): string {
  const facts: string[] = [kindWords[change.patchType], quoted(change.className)];
  if (change.fsPath !== null) facts.push(`fs=${quoted(change.fsPath)}`);
  if (change.newFile !== undefined) facts.push(`new file=${quoted(change.newFile)}`);
  const count = change.subtree?.count ?? 1;
  if (change.subtree !== undefined) facts.push(plural(count, '1 instance', `${count} instances`));
  if (change.hasDraft === true) facts.push('unsaved draft in Studio');
  const line = `- [${change.direction}] ${quoted(change.path)} (${facts.join(', ')})`;
  if (change.outcome === 'failed') return `${line} failed: ${change.reason ?? 'no reason given'}`;
  if (change.outcome === 'unknown') return `${line} unknown: ${change.reason ?? 'Studio did not confirm'}`;
  return line;
}
