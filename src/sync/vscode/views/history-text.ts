import { reasonText } from '../../../protocol/reason.ts';
import { plural } from '../../../base/plural.ts';
import type { RecordedStatus } from '../../../protocol/history.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';
import { reviewStrings } from '../../../review/review-strings.ts';
import { recordedSummary } from '../../../vscode/localization/person-sentence.ts';
import type { LineIcon } from './change-text.ts';

const okIcon: LineIcon = { id: 'pass', color: 'charts.green' };
const warningIcon: LineIcon = { id: 'warning', color: 'list.warningForeground' };

export function statusIcon(status: RecordedStatus): LineIcon {
  if (status === 'success' || status === 'empty') return okIcon;
  if (status === 'running') return { id: 'sync~spin' };
  if (status === 'recorded') return { id: 'git-merge' };
  if (status === 'rejected' || status === 'cancelled') return { id: 'circle-slash' };
  return warningIcon;
}

const scriptClasses: ReadonlySet<string> = new Set(['Script', 'LocalScript', 'ModuleScript']);
const fileClasses: ReadonlySet<string> = new Set(['File', 'Folder']);

/** What a run did, and who requested it: `3 scripts pushed by Copilot`, or `Shop pushed by Copilot` if it is one. */
export function runTitle({ changes, requestedBy: by, status, restoredSide }: RecordedResult, { t }: Localize): string {
  // Live Sync and transactions record no outcome while they run.
  const done = changes.filter(({ outcome, choice }) =>
    outcome === undefined ? status === 'recorded' && choice !== 'skip' : changeOutcomes.has(outcome),
  );
  const count = done.length;
  const [first] = done;
  const verbs = new Set(done.map(({ choice }) => choice));
  const verb = verbs.size === 1 ? first?.choice : undefined;
  const areAll = (classes: ReadonlySet<string>): boolean => done.every(({ className }) => classes.has(className));
  const isRestore = restoredSide !== undefined;
  if (first === undefined) return isRestore ? t('Restore requested by {0}', by) : t('Sync requested by {0}', by);
  const name = first.path.split('/').at(-1) ?? first.path;
  if (isRestore) {
    const restored = t('{0} restored by {1}', name, by);
    if (areAll(fileClasses)) return plural(count, restored, t('{0} files restored by {1}', count, by));
    if (areAll(scriptClasses)) return plural(count, restored, t('{0} scripts restored by {1}', count, by));
    return plural(count, restored, t('{0} changes restored by {1}', count, by));
  }
  if (areAll(fileClasses))
    return plural(count, t('{0} written by {1}', name, by), t('{0} files written by {1}', count, by));
  const areScripts = areAll(scriptClasses);
  if (verb === 'push') {
    const pushed = t('{0} pushed by {1}', name, by);
    if (areScripts) return plural(count, pushed, t('{0} scripts pushed by {1}', count, by));
    return plural(count, pushed, t('{0} changes pushed by {1}', count, by));
  }
  if (verb === 'pull') {
    const pulled = t('{0} pulled by {1}', name, by);
    if (areScripts) return plural(count, pulled, t('{0} scripts pulled by {1}', count, by));
    return plural(count, pulled, t('{0} changes pulled by {1}', count, by));
  }
  const synced = t('{0} synced by {1}', name, by);
  if (areScripts) return plural(count, synced, t('{0} scripts synced by {1}', count, by));
  return plural(count, synced, t('{0} changes synced by {1}', count, by));
}

const changeOutcomes: ReadonlySet<string> = new Set(['applied', 'written', 'merged']);

/** The outcome of one change, in a few words. */
export function changeOutcomeText(
  { choice, outcome, patchType, reason }: RecordedResult['changes'][number],
  { t }: Localize,
): string {
  const strings = reviewStrings({ t }, 'en');
  const created = { applied: t('Created in Studio'), written: t('Created on disk') };
  const deleted = { applied: t('Deleted in Studio'), written: t('Deleted on disk') };
  const named: Readonly<Record<string, Partial<typeof strings.outcomes>>> = {
    // An `Add` exists only on disk, a `Remove` only in Studio.
    Add: { applied: created.applied, written: deleted.written },
    Remove: { applied: deleted.applied, written: created.written },
  };
  const words =
    outcome === undefined ? strings.choices[choice] : (named[patchType]?.[outcome] ?? strings.outcomes[outcome]);
  return reason === undefined ? words : `${words}: ${reasonText(reason, t)}`;
}

const cell = (text: string): string => text.replaceAll(/[\\|*_`<>[\]]/g, String.raw`\$&`).replaceAll(/[\r\n]+/g, ' ');

/** Formats a recorded run as a Markdown document. `time`: its localized time. */
export function recordedReport(run: RecordedResult, time: string, { t }: Localize): string {
  const strings = reviewStrings({ t }, 'en');
  const head = [t('Change'), t('Class'), t('Decision'), t('Outcome'), t('File')];
  const rows = run.changes.map(change => [
    change.path.replaceAll('/', ' / '),
    change.className,
    strings.choices[change.choice],
    changeOutcomeText(change, { t }),
    change.fsPath ?? '',
  ]);
  return `${[
    `# ${t('Sync of {0}', time)}`,
    '',
    cell(recordedSummary(run, { t })),
    '',
    `- ${t('Place: {0}', cell(run.place.name))}`,
    `- ${t('Requested by {0}', cell(run.requestedBy))}`,
    `- ${t('Mode: {0}', run.mode)}`,
    `- ${t('Run: {0}', run.runId)}`,
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => ' --- |').join('')}`,
    ...rows.map(cells => `| ${cells.map(cell).join(' | ')} |`),
  ].join('\n')}\n`;
}
