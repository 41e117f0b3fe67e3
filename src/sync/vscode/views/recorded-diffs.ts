import { nameOfPath } from '../../../protocol/path-name.ts';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import { AppError } from '../../../base/errors.ts';
import { safeLine } from '../../../base/safe-text.ts';
import type { RecordedDiff } from '../../sync-engine.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import type { BridgeLifecycle } from '../../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../../vscode/command-ids.ts';
import { personSentence } from '../../../vscode/localization/person-sentence.ts';
import { safeWindow, showDiff, viewColumnOf } from '../../../vscode/safe-window.ts';
import { createVirtualDocuments } from '../../../vscode/virtual-documents.ts';
import { runIdOf } from '../runs/run-pickers.ts';
import { isRenamed } from '../runs/change-outcome.ts';
import { missingRecord } from './history-text.ts';
import { runTitle } from '../runs/run-title.ts';

/** Texts that one diff shows at most: VS Code converts its list in one step, and all texts are in memory. */
const MAX_SHOWN = 500;

/** Registers the command that shows what a recorded run changed: before on the left, after on the right. */
export function registerRecordedDiffs(lifecycle: BridgeLifecycle): Disposable {
  const store = new DisposableStore();
  const documents = store.add(
    createVirtualDocuments('atlas-recorded', async uri => {
      const state = await lifecycle.begin();
      // An id can be a path with spaces.
      const [, version, runId = '', changeId = ''] = /^(\S+) (\S+) (.*)$/s.exec(uri.query) ?? [];
      const engine = state.kind === 'running' ? state.bridge.engine : undefined;
      if (engine === undefined || (await engine.recorded(runId)) === undefined) return missingRecord(vscode.l10n);
      const diffs = await engine.recordedDiffs(runId, [changeId]);
      const diff = diffs.find(one => pathsOf(one)[version === 'before' ? 0 : 1] === uri.path);
      if (diff === undefined) return missingRecord(vscode.l10n);
      return version === 'before' ? diff.before : diff.after;
    }),
  );

  const show = async (argument: unknown, column: unknown): Promise<number | undefined> => {
    const state = await lifecycle.begin();
    const runId = typeof argument === 'string' ? argument : runIdOf(argument);
    if (state.kind !== 'running' || runId === undefined) return undefined;
    const { engine } = state.bridge;
    const id = changeIdOf(argument);
    const [run, diffs] = await Promise.all([
      engine.recorded(runId),
      engine.recordedDiffs(runId, id === undefined ? undefined : [id], MAX_SHOWN),
    ]);
    if (run === undefined || diffs.length === 0) {
      void safeWindow.showInformationMessage(
        id === undefined
          ? vscode.l10n.t('Nothing to compare: this sync replaced no text.')
          : vscode.l10n.t('Nothing to compare: this change replaced no text.'),
      );
      return 0;
    }
    const sides = diffs.map(diff => {
      const [former, path] = pathsOf(diff);
      const put = (of: string, text: string, version: string): vscode.Uri =>
        documents.put(of, text, `${version} ${runId} ${diff.changeId}`);
      return { diff, before: put(former, diff.before, 'before'), after: put(path, diff.after, 'after') };
    });
    const [first, ...rest] = sides;
    if (first !== undefined && rest.length === 0)
      await showDiff(first.before, first.after, titleOf(first.diff), {
        preview: true,
        ...viewColumnOf(column),
      });
    else
      await vscode.commands.executeCommand(
        'vscode.changes',
        safeLine(
          sides.length < MAX_SHOWN
            ? runTitle(run, vscode.l10n)
            : vscode.l10n.t('{0} (the first {1})', runTitle(run, vscode.l10n), sides.length),
        ),
        sides.map(({ before, after }) => [after, before, after]),
      );
    return diffs.length;
  };
  const guarded = async (argument?: unknown, column?: unknown): Promise<number | undefined> => {
    try {
      return await show(argument, column);
    } catch (error) {
      void safeWindow.showWarningMessage(personSentence(AppError.from(error), vscode.l10n));
      return undefined;
    }
  };
  addDisposable(store, vscode.commands.registerCommand(commandIds.showRecordedDiff, guarded));
  return store;
}

/** The paths of the documents before and after. VS Code shows two different paths as a renamed file. */
function pathsOf({ side, path, movedFrom }: RecordedDiff): readonly [before: string, after: string] {
  const folder = side === 'studio' ? vscode.l10n.t('Studio') : vscode.l10n.t('Disk');
  return [`/${folder}/${movedFrom ?? path}`, `/${folder}/${path}`];
}

const titleOf = (diff: RecordedDiff): string => {
  const name = nameOfPath(diff);
  const { movedFrom } = diff;
  if (movedFrom !== undefined)
    return isRenamed(diff.path, movedFrom)
      ? vscode.l10n.t('{0} (renamed from {1})', name, nameOfPath({ path: movedFrom }))
      : vscode.l10n.t('{0} (moved from {1})', name, movedFrom);
  return diff.side === 'studio'
    ? vscode.l10n.t('{0} in Studio (before ↔ after)', name)
    : vscode.l10n.t('{0} (before ↔ after)', name);
};

/** Reads the change from the line of the view that was clicked. */
const changeIdOf = (node: unknown): string | undefined =>
  typeof node === 'object' && node !== null && 'change' in node
    ? (node.change as { readonly id?: string }).id
    : undefined;
