import * as vscode from 'vscode';
import { plural } from '../../../base/plural.ts';
import type { RestoreRequest, SyncEngine, SyncRun } from '../../sync-engine.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import type { RunResult } from '../../../protocol/run-result.ts';
import { localTime } from '../../../vscode/localization/local-time.ts';
import { recordedSummary } from '../../../vscode/localization/person-sentence.ts';
import { reviewStrings } from '../../../review/review-strings.ts';
import { changeOutcomeText, recordedOutcome, shownChanges } from './change-outcome.ts';
import { MAX_LISTED_CHANGES, unlistedText } from './report-list.ts';
import { runTitle } from './run-title.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';

/** The picker lists this many runs; agents and scripts can restore older ones by id. */
const MAX_OFFERED_RUNS = 100;

/** Asks for a recorded run (unless `runId` is given), a side, and the changes to restore. `undefined` if the user cancelled. */
export async function pickRestore(engine: SyncEngine, runId: string | undefined): Promise<RestoreRequest | undefined> {
  const named = runId === undefined ? undefined : await engine.recorded(runId);
  const known = named === undefined ? await engine.history(MAX_OFFERED_RUNS) : [named];
  const runs = known.filter(run => sideItems(run).length > 0);
  if (runs.length === 0) {
    void safeWindow.showInformationMessage(
      named === undefined
        ? vscode.l10n.t('There is nothing to restore: no sync has changed anything yet.')
        : vscode.l10n.t('There is nothing to restore: this sync changed nothing.'),
    );
    return undefined;
  }
  const run =
    named === undefined
      ? await safeWindow.showQuickPick(runs.map(runItem), {
          title: vscode.l10n.t('Restore: Choose a Sync'),
          placeHolder: vscode.l10n.t('Newest first. Nothing changes until you review it.'),
          matchOnDescription: true,
          matchOnDetail: true,
        })
      : runItem(named);
  if (run === undefined) return undefined;
  const sides = sideItems(run.run);
  const [onlySide, ...otherSides] = sides;
  const side =
    onlySide !== undefined && otherSides.length === 0
      ? onlySide
      : await safeWindow.showQuickPick(sides, {
          title: vscode.l10n.t('Restore: Choose a Side'),
        });
  if (side === undefined) return undefined;
  const touching = run.run.changes.filter(({ sides }) => sides.includes(side.side));
  // The review that follows lists every change, and nothing is restored before it.
  if (touching.length > MAX_LISTED_CHANGES) return { runId: run.run.runId, side: side.side };
  const items = changeItems({ ...run.run, changes: touching });
  const chosen = await safeWindow.showQuickPick(items, {
    title: vscode.l10n.t('Restore: Choose Changes'),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (chosen?.length === 0)
    void safeWindow.showInformationMessage(vscode.l10n.t('No change was chosen, so nothing was restored.'));
  if (chosen === undefined || chosen.length === 0) return undefined;
  const isAll = chosen.length === items.length;
  return { runId: run.run.runId, side: side.side, ...(isAll ? {} : { ids: chosen.flatMap(({ ids }) => ids) }) };
}

/** Reads the run id from the tree item that a menu passes to a command. */
export const runIdOf = (node: unknown): string | undefined =>
  typeof node === 'object' && node !== null && 'runId' in node && typeof node.runId === 'string'
    ? node.runId
    : undefined;

interface RunItem extends vscode.QuickPickItem {
  readonly run: RecordedResult;
}

const runItem = (run: RecordedResult): RunItem => ({
  run,
  label: runTitle(run, vscode.l10n),
  description: localTime(new Date(run.at)),
  detail: recordedSummary(run, vscode.l10n),
});

interface SideItem extends vscode.QuickPickItem {
  readonly side: RestoreRequest['side'];
}

/** The sides that the run changed. */
const sideItems = ({ changes }: RecordedResult): readonly SideItem[] => {
  const items: readonly Omit<SideItem, 'description'>[] = [
    {
      side: 'disk',
      label: vscode.l10n.t('Disk'),
      detail: vscode.l10n.t('Restores the files to their state before the sync.'),
    },
    {
      side: 'studio',
      label: vscode.l10n.t('Studio'),
      detail: vscode.l10n.t('Restores Studio to its state before the sync.'),
    },
  ];
  return items.flatMap(item => {
    const count = shownChanges(changes).filter(({ sides }) => sides.includes(item.side)).length;
    const description = plural(count, vscode.l10n.t('1 change'), vscode.l10n.t('{0} changes', count));
    return count === 0 ? [] : [{ ...item, description }];
  });
};

interface ChangeItem extends vscode.QuickPickItem {
  readonly ids: readonly string[];
}

/** The changes to choose from. The removal of a file that got another path is part of its change. */
function changeItems({ changes, status }: Pick<RecordedResult, 'changes' | 'status'>): readonly ChangeItem[] {
  const removals = new Map(changes.flatMap(({ id, path, movedTo }) => (movedTo === undefined ? [] : [[path, id]])));
  return shownChanges(changes).map(change => {
    const removal = change.movedFrom === undefined ? undefined : removals.get(change.movedFrom);
    return {
      ids: removal === undefined ? [change.id] : [change.id, removal],
      label: change.path,
      description: `${change.className}, ${changeOutcomeText({ ...change, outcome: recordedOutcome(change, status) }, vscode.l10n)}`,
      picked: true,
    };
  });
}

/** Asks for a change of a dry run, and explains its suggestion. Returns the explanation. */
export async function pickAndExplain(run: SyncRun, result: RunResult): Promise<string | undefined> {
  const { choices, undecided } = reviewStrings(vscode.l10n, vscode.env.language);
  const items = result.changes.slice(0, MAX_LISTED_CHANGES).map(({ id, path, className, direction }) => ({
    id,
    label: path,
    description: `${className}, ${direction === 'unresolved' ? undecided : choices[direction]}`,
  }));
  const placeHolder = unlistedText(result.changes.length, vscode.l10n);
  const chosen = await safeWindow.showQuickPick(items, {
    title: vscode.l10n.t('Why This Suggestion? Choose a Change'),
    ...(placeHolder === undefined ? {} : { placeHolder }),
    matchOnDescription: true,
  });
  const explanation = chosen && run.explain(chosen.id);
  if (chosen === undefined || explanation === undefined) return undefined;
  // Not awaited: an open dialog must not block the command.
  void safeWindow.showInformationMessage(chosen.label, { modal: true, detail: explanation });
  return explanation;
}
