import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import { AppError } from '../../../base/errors.ts';
import { logFailure } from '../../../ports/log-failure.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { ReviewControl } from '../../../ports/review-surface.ts';
import type { Choice } from '../../../protocol/sync-request.ts';
import type { BridgeLifecycle } from '../../../vscode/bridge-lifecycle.ts';
import { activeFile } from '../../../vscode/active-file.ts';
import { bridgeOrMessage } from '../../../vscode/bridge-or-message.ts';
import { commandIds, viewIds } from '../../../vscode/command-ids.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { personSentence } from '../../../vscode/localization/person-sentence.ts';
import { pickStudio } from '../../../vscode/pick-studio.ts';
import type { ReviewEditors } from '../../../review/vscode/review-editors.ts';
import { createChangeDiffs } from './change-diffs.ts';
import { type ChangeNode, changesOf } from './change-tree.ts';
import { isDeletion } from '../../../protocol/deletion.ts';
import type { ChangesView } from './changes-view.ts';
import type { WindowPendingChanges } from '../../../vscode/pending-changes.ts';
import type { StudioNode } from './studios-view.ts';
import type { ServedBridge } from '../../../vscode/served-bridge.ts';
import { safeWindow, viewColumnOf } from '../../../vscode/safe-window.ts';
import { rowsOf } from '../../../vscode/command-rows.ts';
import { warnWithDoctor } from '../../../vscode/warn-with-doctor.ts';

export interface ChangeCommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly pending: WindowPendingChanges;
  readonly view: ChangesView;
  readonly editors: Pick<ReviewEditors, 'open'>;
  /** The root folder of the project's paths. */
  readonly folder: () => vscode.Uri | undefined;
  readonly log: Logger;
  readonly showLog: () => void;
}

/**
 * Registers the commands of the Changes view. They record choices in the open review, or open one first. The user still has to apply the
 * review.
 */
export function registerChangeCommands({
  lifecycle,
  pending,
  view,
  editors,
  folder,
  log,
  showLog,
}: ChangeCommandsDeps): Disposable {
  const store = new DisposableStore();
  const diffs = store.add(createChangeDiffs());

  const openReview = (): ReviewControl | undefined => {
    const { review } = pending.state();
    return review?.status().phase === 'deciding' ? review : undefined;
  };
  /** Starts a run and resolves with its review; `undefined` if the run ended without one. */
  const beginReview = async (): Promise<ReviewControl | undefined> => {
    const { promise, resolve } = Promise.withResolvers<ReviewControl | undefined>();
    using _listening = pending.onDidChange(() => {
      const review = openReview();
      if (review !== undefined) resolve(review);
    });
    const running = vscode.commands.executeCommand(commandIds.review);
    running.then(
      () => resolve(undefined),
      () => resolve(undefined),
    );
    return await promise;
  };
  const choose = (choice: Choice) => async (args: readonly unknown[]) => {
    const nodes = rowsOf(args, isNode, () => view.selection());
    if (nodes === undefined) return 0;
    const chosen = nodes.flatMap(one => (one.children.length === 0 ? changesOf(one) : choosable(one, choice)));
    const ids = new Set(chosen.map(({ id }) => id));
    if (ids.size === 0) {
      void safeWindow.showInformationMessage(
        vscode.l10n.t('Select changes first. Deletions must be chosen individually.'),
      );
      return 0;
    }
    const review = openReview() ?? (await beginReview());
    const present = Array.from(ids).filter(id => review?.row(id) !== undefined);
    if (present.length > 0) review?.choose(present, choice);
    return present.length;
  };
  const open = async ([id, column]: readonly unknown[]): Promise<string | undefined> => {
    const change = pending.state().changes.find(one => one.id === (typeof id === 'string' ? id : nodeId(id)));
    if (change === undefined) return undefined;
    const review = openReview();
    if (review?.row(change.id)?.hasSource === true) {
      await editors.open(review, change.id, vscode.ViewColumn.Active);
      return 'diff';
    }
    const root = folder();
    const bridge = lifecycle.state();
    if (review === undefined && bridge.kind === 'running' && isConnected(bridge.bridge)) {
      const isShown = await diffs.show(change, root, bridge.bridge.engine, viewColumnOf(column));
      if (isShown) return 'diff';
    }
    if (review === undefined && change.fsPath !== null && root !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.joinPath(root, change.fsPath), {
        preview: true,
        ...viewColumnOf(column),
      });
      return 'file';
    }
    if (review === undefined) await beginReview();
    else await vscode.commands.executeCommand(commandIds.review);
    return 'review';
  };
  const compare = async ([node]: readonly unknown[]): Promise<unknown> => {
    await lifecycle.begin();
    if (typeof node === 'object' && node !== null) {
      const { project } = node as StudioNode;
      const bridge = lifecycle.bridges().find(({ location }) => location.key === project);
      if (bridge !== undefined) lifecycle.activate(bridge);
    }
    const bridge = await bridgeOrMessage(lifecycle, showLog);
    if (bridge === undefined) return undefined;
    if (!isConnected(bridge)) {
      warnWithDoctor(vscode.l10n.t('No Studio is connected, so there is nothing to compare with.'));
      return undefined;
    }
    const studio =
      typeof node === 'object' && node !== null
        ? { handle: (node as StudioNode).handle }
        : await pickStudio(bridge.studios.all(), vscode.l10n.t('Atlas Bridge: Compare with Studio'));
    if (studio === undefined) return undefined;
    // The view shows the result, and it may be hidden.
    await vscode.commands.executeCommand(`${viewIds.changes}.focus`);
    await safeWindow.withProgress({ location: { viewId: viewIds.changes } }, () => pending.refresh(studio.handle));
    const { kind, changes, problem } = pending.state();
    // Returns plain data, for other extensions and tests.
    return { kind, problem, changes: changes.map(({ path, patchType, choice }) => ({ path, patchType, choice })) };
  };
  const showInChanges = async ([uri]: readonly unknown[]): Promise<boolean> => {
    const file = uri instanceof vscode.Uri ? uri : activeFile();
    const root = folder();
    const change = pending
      .state()
      .changes.find(
        ({ fsPath }) => fsPath !== null && root && vscode.Uri.joinPath(root, fsPath).fsPath === file?.fsPath,
      );
    await vscode.commands.executeCommand(`${viewIds.changes}.focus`);
    if (change !== undefined) return view.reveal(change.id);
    const text =
      file === undefined
        ? vscode.l10n.t('Open a file to show its change.')
        : vscode.l10n.t('{0} has no change in the last comparison.', vscode.workspace.asRelativePath(file, false));
    void safeWindow.showInformationMessage(text);
    return false;
  };
  const conclude = (decision: 'apply' | 'reject') => async () => {
    const review = openReview();
    if (review === undefined) return false;
    review[decision](review.status().revision);
    return true;
  };

  const handlers: Readonly<Record<string, (args: readonly unknown[]) => Promise<unknown>>> = {
    [commandIds.compare]: compare,
    [commandIds.showInChanges]: showInChanges,
    [commandIds.pushChange]: choose('push'),
    [commandIds.pullChange]: choose('pull'),
    [commandIds.skipChange]: choose('skip'),
    [commandIds.openChange]: open,
    [commandIds.applyReview]: conclude('apply'),
    [commandIds.rejectReview]: conclude('reject'),
  };
  for (const [id, handle] of Object.entries(handlers)) {
    const guarded = async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await handle(args);
      } catch (error) {
        logFailure(log, `${id} failed`, error);
        void safeWindow.showWarningMessage(personSentence(AppError.from(error), vscode.l10n));
        return undefined;
      }
    };
    addDisposable(store, vscode.commands.registerCommand(id, guarded));
  }
  return store;
}

const isConnected = ({ studios }: ServedBridge): boolean => studios.all().some(one => one.isOpen());

const isNode = (value: unknown): value is ChangeNode =>
  typeof value === 'object' && value !== null && 'children' in value && 'path' in value;

const nodeId = (value: unknown): string | undefined => (isNode(value) ? value.change?.id : undefined);

/** The changes that one choice for a whole group covers: everything except deletions. */
const choosable = (node: ChangeNode, choice: Choice) =>
  changesOf(node).filter(change => change === node.change || !isDeletion(change.patchType, choice));
