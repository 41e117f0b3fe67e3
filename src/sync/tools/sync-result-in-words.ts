import { isErrorStatus, type OverrideVerdict, type SyncChange, type SyncResult } from '../../protocol/sync.ts';

/** A sync result as text, without the `<json>` block. */
export function syncResultInWords(result: SyncResult): string {
  const paragraphs = [result.summary];
  const { error } = result;
  if (error !== undefined && !result.summary.includes(error.message))
    paragraphs.push(`${error.message}\n${error.hint}`);
  if (result.changes.length > 0) {
    const title = isErrorStatus(result.status) ? 'Presented changes:' : 'Changes:';
    paragraphs.push([title, ...result.changes.map(changeLine)].join('\n'));
  }
  const refused = result.overrides.filter(override => override.verdict !== 'accepted');
  if (refused.length > 0)
    paragraphs.push(['Overrides that were not accepted:', ...refused.map(overrideLine)].join('\n'));
  const withdrawn = result.overrides.filter(({ verdict, reason }) => verdict === 'accepted' && reason !== undefined);
  if (withdrawn.length > 0)
    paragraphs.push(['Accepted overrides that decide nothing yet:', ...withdrawn.map(overrideLine)].join('\n'));
  if (result.warnings !== undefined)
    paragraphs.push(['Warnings:', ...result.warnings.map(line => `- ${line}`)].join('\n'));
  return paragraphs.join('\n\n');
}

const overrideLine = ({ direction, id, verdict, reason }: OverrideVerdict): string =>
  `- [${direction}] ${id}: ${verdict}${reason === undefined ? '' : ` (${reason})`}`;

function changeLine(change: SyncChange): string {
  const facts = [change.patchType, change.className];
  if (change.fsPath !== null) facts.push(`fs=${change.fsPath}`);
  const line = `- [${change.direction}] ${change.path} (${facts.join(', ')})`;
  if (change.outcome === 'failed') return `${line} failed: ${change.reason ?? 'no reason given'}`;
  if (change.outcome === 'unknown') return `${line} unknown: ${change.reason ?? 'Studio did not confirm'}`;
  return line;
}
