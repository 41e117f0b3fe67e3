import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { hasConflictMarkers } from '../../base/conflict-markers.ts';
import { AppError, reviewRefused } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { logFailure } from '../../ports/log-failure.ts';
import { activeEditor } from '../../vscode/active-file.ts';
import type { Logger } from '../../ports/logger.ts';
import type { DiffHunk, ReviewControl, ReviewUpdate } from '../../ports/review-surface.ts';
import { commonChoices, restoringDirection, textsOf } from '../../protocol/row-choices.ts';
import type { Choice, Direction } from '../../protocol/sync-request.ts';
import { isDone } from '../../protocol/sync-result.ts';
import { editorCommandIds } from '../../vscode/command-ids.ts';
import type { DiffDocuments, OpenedDiff } from './diff-documents.ts';
import { createMergeEditors } from './merge-editors.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { type SideLabels, sideLabels } from './side-labels.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

/** One change of a review in a diff editor. */
interface OpenDiff extends OpenedDiff {
  readonly review: ReviewControl;
  readonly id: string;
  /** The key of its documents. */
  readonly key: string;
  readonly canMerge: boolean;
  /** The editor shows the latest compared texts. Only then can the change be decided. */
  isFresh: boolean;
}

export interface ReviewEditors extends Disposable {
  /** Opens both texts of a change, Studio left, disk right. @throws AppError if a side cannot be read */
  open(review: ReviewControl, id: string, column: vscode.ViewColumn): Promise<void>;
}

/** Set to the kind of texts (`ReviewTexts`) while the diff of an open review is the active editor. */
const contextKey = 'atlas.reviewDiff';
/** Set while that diff has a known base, so a merge is possible. */
const mergeContextKey = 'atlas.reviewDiffHasBase';

/** Set while that diff shows a file of the project, whatever the state of its review. */
const fileContextKey = 'atlas.reviewDiffHasFile';

/** Lets the user decide in VS Code's editors: the whole change in the editor title, each hunk by CodeLens or cursor, or a three-way merge. */
export function createReviewEditors(deps: { readonly diffs: DiffDocuments; readonly log: Logger }): ReviewEditors {
  const store = new DisposableStore();
  const opened = new Map<string, OpenDiff>();
  const lensesChanged = addDisposable(store, new vscode.EventEmitter<void>());
  const merges = store.add(createMergeEditors());
  const subscriptions = new WeakSet<ReviewControl>();
  const following = new Set<Disposable>();
  store.defer(() => {
    for (const one of following) one[Symbol.dispose]();
  });

  const active = (): OpenDiff | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? opened.get(input.original.toString()) : undefined;
  };
  const showContext = (): void => {
    const diff = active();
    const isOpen = diff !== undefined && isDecidable(diff);
    void vscode.commands.executeCommand('setContext', contextKey, isOpen ? textsOf(diff.review.status()) : undefined);
    void vscode.commands.executeCommand('setContext', mergeContextKey, isOpen && diff.canMerge);
    void vscode.commands.executeCommand('setContext', fileContextKey, diff?.file !== undefined);
    lensesChanged.fire();
  };
  /** Shows the current texts after a side changed. Deciding is blocked until then. */
  const refresh = async (diff: OpenDiff): Promise<void> => {
    diff.isFresh = false;
    if (!isDecidable(diff)) return;
    try {
      deps.diffs.refresh(diff.key, await diff.review.texts(diff.id), diff.review.status());
      diff.isFresh = true;
    } catch (error) {
      logFailure(deps.log, 'failed to refresh a diff', error);
    }
    lensesChanged.fire();
  };
  /** Closes the editors of changes that both sides have now: they would show a difference that no longer exists. */
  const closeDone = async (review: ReviewControl): Promise<void> => {
    const done = new Set(
      Array.from(opened).flatMap(([left, diff]) =>
        diff.review === review && isDone(review.row(diff.id)?.outcome ?? undefined) ? [left] : [],
      ),
    );
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) =>
      all.filter(({ input }) => input instanceof vscode.TabInputTextDiff && done.has(input.original.toString())),
    );
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  };
  const closeFailed = (error: unknown): void => deps.log.error('failed to close the editors of a review', error);
  const follow = (review: ReviewControl): void => {
    if (subscriptions.has(review)) return;
    subscriptions.add(review);
    const changed = ({ status, rows }: ReviewUpdate): void => {
      showContext();
      if (status.phase === 'ended') closeDone(review).catch(closeFailed);
      if (rows !== undefined || status.phase !== 'deciding') return;
      for (const diff of opened.values()) if (diff.review === review) void refresh(diff);
    };
    const listening = review.onDidChange(update => {
      changed(update);
      // An ended review no longer changes; listening would keep all of its changes in memory.
      if (update.status.phase !== 'ended') return;
      listening[Symbol.dispose]();
      following.delete(listening);
    });
    following.add(listening);
  };
  const hunkAtCursor = (diff: OpenDiff): number => {
    const focused = vscode.window.activeTextEditor;
    const isLeft = focused?.document.uri.toString() === diff.left.toString();
    const line = (isLeft ? focused : activeEditor())?.selection.active.line ?? 0;
    return diff.review.hunks(diff.id).findIndex(hunk => covers(isLeft ? hunk.studio : hunk.disk, line));
  };
  const decideHunk = async (diff: OpenDiff, index: number, choice: Direction): Promise<void> => {
    if (index < 0) {
      void safeWindow.showInformationMessage(vscode.l10n.t('Both sides are identical at the cursor.'));
      return;
    }
    await diff.review.decideHunk(diff.id, index, choice);
  };
  const merge = async ({ review, id }: OpenDiff): Promise<void> => {
    const texts = await review.texts(id);
    if (texts.base === undefined || texts.disk === undefined || texts.studio === undefined) {
      void safeWindow.showInformationMessage(labelsOf(review).noBase);
      return;
    }
    await merges.open(id, texts, text =>
      guarded(async () => {
        if (hasConflictMarkers(text)) throw reviewRefused('conflicts_left');
        await review.merge(id, text);
      }),
    );
  };
  /** Runs `act` and shows a failure to the user. Never rejects. */
  const guarded = async (act: () => Promise<void> | void): Promise<void> => {
    try {
      await act();
    } catch (error) {
      logFailure(deps.log, 'a decision in the editor failed', error);
      void safeWindow.showWarningMessage(personSentence(AppError.from(error), vscode.l10n));
    }
  };
  const register = (command: string, act: (diff: OpenDiff, hunk: number | undefined) => Promise<void> | void): void => {
    const run = async (key?: unknown, hunk?: unknown): Promise<void> => {
      const diff = (typeof key === 'string' ? opened.get(key) : undefined) ?? active();
      if (diff === undefined) return;
      await guarded(() => {
        requireCurrentDiff(diff);
        return act(diff, typeof hunk === 'number' ? hunk : undefined);
      });
    };
    addDisposable(store, vscode.commands.registerCommand(command, run));
  };
  const choose =
    (choice: Choice) =>
    ({ review, id }: OpenDiff): void =>
      review.choose([id], choice);
  for (const id of [editorCommandIds.acceptDisk, editorCommandIds.acceptPt]) register(id, choose('push'));
  for (const id of [editorCommandIds.acceptStudio, editorCommandIds.acceptPluto]) register(id, choose('pull'));
  register(editorCommandIds.skip, choose('skip'));
  register(editorCommandIds.restoreChange, ({ review, id }) => {
    const { restore } = review.status();
    if (restore !== undefined) review.choose([id], restoringDirection[restore]);
  });
  register(editorCommandIds.merge, merge);
  const openFile = async (): Promise<void> => {
    const file = active()?.file;
    if (file !== undefined) await vscode.window.showTextDocument(file);
  };
  addDisposable(
    store,
    vscode.commands.registerCommand(editorCommandIds.openFile, () => guarded(openFile)),
  );
  const here =
    (choice: Direction) =>
    (diff: OpenDiff, hunk: number | undefined): Promise<void> =>
      decideHunk(diff, hunk ?? hunkAtCursor(diff), choice);
  for (const id of [editorCommandIds.acceptDiskHere, editorCommandIds.acceptPtHere]) register(id, here('push'));
  for (const id of [editorCommandIds.acceptStudioHere, editorCommandIds.acceptPlutoHere]) register(id, here('pull'));

  const lenses: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: lensesChanged.event,
    provideCodeLenses({ uri }) {
      const shown = uri.toString();
      const diff = Array.from(opened.values()).find(({ left, right }) =>
        [left, right].some(one => one.toString() === shown),
      );
      if (diff === undefined || !diff.isFresh || !isDecidable(diff)) return [];
      const side = shown === diff.left.toString() ? 'studio' : 'disk';
      const key = diff.left.toString();
      const labels = labelsOf(diff.review);
      const { restore } = diff.review.status();
      const hunks = restore === undefined ? diff.review.hunks(diff.id) : [];
      const parts = hunks.flatMap((hunk, index) => lensesOf(hunk, index, side, key, labels));
      // On one side only, because VS Code aligns the lines of both sides.
      return side === 'disk' ? [...wholeLenses(diff, labels), ...parts] : parts;
    },
  };
  // Registered with the first diff, because most windows never open one.
  const startWatching = once(() => {
    addDisposable(store, vscode.languages.registerCodeLensProvider({ scheme: 'atlas-studio' }, lenses));
    addDisposable(store, vscode.window.tabGroups.onDidChangeTabs(showContext));
    addDisposable(store, vscode.window.tabGroups.onDidChangeTabGroups(showContext));
    addDisposable(
      store,
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void opened.delete(uri.toString())),
    );
  });

  return {
    async open(review, id, column) {
      startWatching();
      follow(review);
      const texts = await review.texts(id);
      const version = review.version(id);
      const key = `${review.status().runId}/${id}`;
      const documents = await deps.diffs.open(key, texts, column, review.status());
      const { restore } = review.status();
      const canMerge =
        restore === undefined && [texts.base, texts.disk, texts.studio].every(text => text !== undefined);
      // A side may have changed while the editor opened.
      const isFresh = review.version(id) === version;
      const diff: OpenDiff = { ...documents, review, id, key, canMerge, isFresh };
      opened.set(documents.left.toString(), diff);
      showContext();
      if (!isFresh) void refresh(diff);
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

const labelsOf = (review: ReviewControl): SideLabels => sideLabels(review.status(), vscode.l10n);

const isDecidable = ({ review, id }: OpenDiff): boolean =>
  review.status().phase === 'deciding' && review.row(id) !== undefined;

/** Only what the editor shows and the file contains can be decided, so that no unseen edit is overwritten. */
function requireCurrentDiff(diff: OpenDiff): void {
  if (!diff.isFresh) throw reviewRefused('side_changed');
  const shown = diff.file?.toString();
  if (vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === shown))
    throw reviewRefused('file_unsaved');
}

/** The lenses for the whole change: the agent's request first, then all choices, with the current choice checked. */
function wholeLenses({ review, id, left, canMerge }: OpenDiff, { commands, ...labels }: SideLabels): vscode.CodeLens[] {
  const row = review.row(id);
  const key = left.toString();
  if (row === undefined) return [];
  const lens = (command: string, title: string, choice?: Choice): vscode.CodeLens =>
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
      command,
      title: choice !== undefined && row.choice === choice ? `$(check) ${title}` : title,
      arguments: [key],
    });
  const sides: readonly string[] = commonChoices(review.status().restore);
  const whole = [
    ...(sides.includes('pull') ? [lens(commands.left, labels.acceptAllLeft, 'pull')] : []),
    ...(sides.includes('push') ? [lens(commands.right, labels.acceptAllRight, 'push')] : []),
    ...(canMerge ? [lens(editorCommandIds.merge, vscode.l10n.t('Merge…'), 'merge')] : []),
    lens(editorCommandIds.skip, vscode.l10n.t('Skip'), 'skip'),
  ];
  if (row.override === null) return whole;
  const { direction } = row.override;
  const agent = lens(direction === 'push' ? commands.right : commands.left, labels.agentAsks(direction));
  return [agent, lens(editorCommandIds.skip, vscode.l10n.t('Decline')), ...whole];
}

/** Whether a hunk is at the line. An empty range is between two lines and matches both. */
const covers = ({ start, count }: DiffHunk['disk'], line: number): boolean =>
  count === 0 ? line === start || line === start - 1 : line >= start && line < start + count;

function lensesOf(
  hunk: DiffHunk,
  index: number,
  side: 'disk' | 'studio',
  key: string,
  { commands, ...labels }: SideLabels,
): vscode.CodeLens[] {
  const line = Math.max(0, hunk[side].start);
  const at = new vscode.Range(line, 0, line, 0);
  const lens = (choice: Direction, command: string, title: string): vscode.CodeLens =>
    new vscode.CodeLens(at, {
      command,
      title: hunk.choice === choice ? `$(check) ${title}` : title,
      arguments: [key, index],
    });
  return [lens('pull', commands.leftHere, labels.acceptLeft), lens('push', commands.rightHere, labels.acceptRight)];
}
