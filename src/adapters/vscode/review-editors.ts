import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../ports/logger.ts';
import type { DiffHunk, ReviewControl } from '../../ports/review-surface.ts';
import type { ReviewRow } from '../../protocol/review.ts';
import type { Choice, Direction } from '../../protocol/sync.ts';
import { editorCommandIds } from './command-ids.ts';
import type { DiffDocuments } from './diff-documents.ts';
import { createMergeEditors } from './merge-editors.ts';
import { own } from './owned.ts';
import { personSentence } from './person-sentence.ts';

/** One change of a review in a diff editor. */
interface OpenDiff {
  readonly review: ReviewControl;
  readonly id: string;
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
}

export interface ReviewEditors extends Disposable {
  /** Opens both texts of a change, Studio left, disk right. @throws AppError when a side cannot be read */
  open(review: ReviewControl, id: string, column: vscode.ViewColumn): Promise<void>;
}

/** Set while the diff of an open review is the active editor. */
const contextKey = 'atlas.reviewDiff';

/** Deciding in VS Code's own editors: the change as a whole from the title, its parts by CodeLens or at the cursor, or a three-way merge. */
export function createReviewEditors(deps: {
  readonly diffs: DiffDocuments;
  /** Where texts are merged before they are in the project. */
  readonly storage: vscode.Uri;
  readonly log: Logger;
}): ReviewEditors {
  const store = new DisposableStore();
  const opened = new Map<string, OpenDiff>();
  const lensesChanged = own(store, new vscode.EventEmitter<void>());
  const merges = store.add(createMergeEditors(deps.storage));
  const subscriptions = new WeakSet<ReviewControl>();

  const active = (): OpenDiff | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? opened.get(input.original.toString()) : undefined;
  };
  const showContext = (): void => {
    const isOpen = active()?.review.status().phase === 'deciding';
    void vscode.commands.executeCommand('setContext', contextKey, isOpen);
    lensesChanged.fire();
  };
  const follow = (review: ReviewControl): void => {
    if (subscriptions.has(review)) return;
    subscriptions.add(review);
    store.add(review.onDidChange(showContext));
  };
  const hunkAtCursor = (diff: OpenDiff): number => {
    const editor = vscode.window.activeTextEditor;
    const side = editor?.document.uri.toString() === diff.left.toString() ? 'studio' : 'disk';
    const line = editor?.selection.active.line ?? 0;
    return diff.review.hunks(diff.id).findIndex(hunk => covers(hunk[side], line));
  };
  const decideHunk = async (diff: OpenDiff, index: number, choice: Direction): Promise<void> => {
    if (index < 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Both sides are the same at the cursor.'));
      return;
    }
    await diff.review.decideHunk(diff.id, index, choice);
  };
  const merge = async ({ review, id }: OpenDiff): Promise<void> => {
    const texts = await review.texts(id);
    if (texts.base === undefined || texts.disk === undefined || texts.studio === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'Git has no common version of this file. Decide its parts one by one: Accept Disk or Studio Here.',
        ),
      );
      return;
    }
    await merges.open(id, texts, text => guarded(() => review.merge(id, text)));
  };
  /** Never rejects: what fails is told to the person who clicked. */
  const guarded = async (act: () => Promise<void> | void): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const failure = AppError.from(error);
      deps.log.info('decision in the editor refused', { code: failure.code });
      void vscode.window.showWarningMessage(personSentence(failure));
    }
  };
  const register = (command: string, act: (diff: OpenDiff, hunk: number | undefined) => Promise<void> | void): void => {
    const run = async (key?: unknown, hunk?: unknown): Promise<void> => {
      const diff = (typeof key === 'string' ? opened.get(key) : undefined) ?? active();
      if (diff !== undefined) await guarded(() => act(diff, typeof hunk === 'number' ? hunk : undefined));
    };
    own(store, vscode.commands.registerCommand(command, run));
  };
  const choose =
    (choice: Choice) =>
    ({ review, id }: OpenDiff): void =>
      review.choose([id], choice);
  register(editorCommandIds.acceptDisk, choose('push'));
  register(editorCommandIds.acceptStudio, choose('pull'));
  register(editorCommandIds.skip, choose('skip'));
  register(editorCommandIds.merge, merge);
  register(editorCommandIds.acceptDiskHere, (diff, hunk) => decideHunk(diff, hunk ?? hunkAtCursor(diff), 'push'));
  register(editorCommandIds.acceptStudioHere, (diff, hunk) => decideHunk(diff, hunk ?? hunkAtCursor(diff), 'pull'));

  const lenses: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: lensesChanged.event,
    provideCodeLenses({ uri }) {
      const key = uri.toString();
      const diff = Array.from(opened.values()).find(({ left, right }) =>
        [left, right].some(one => one.toString() === key),
      );
      if (diff === undefined || diff.review.status().phase !== 'deciding') return [];
      const side = key === diff.left.toString() ? 'studio' : 'disk';
      const of = diff.left.toString();
      const parts = diff.review.hunks(diff.id).flatMap((hunk, index) => lensesOf(hunk, index, side, of));
      return [...agentLenses(diff.review.row(diff.id), of), ...parts];
    },
  };
  own(store, vscode.languages.registerCodeLensProvider([{ scheme: 'atlas-studio' }, { scheme: 'file' }], lenses));
  own(store, vscode.window.tabGroups.onDidChangeTabs(showContext));
  own(store, vscode.window.tabGroups.onDidChangeTabGroups(showContext));
  own(
    store,
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void opened.delete(uri.toString())),
  );

  return {
    async open(review, id, column) {
      follow(review);
      const texts = await review.texts(id);
      const { left, right } = await deps.diffs.open(`${review.status().runId}/${id}`, texts, column);
      opened.set(left.toString(), { review, id, left, right });
      showContext();
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

/** What an agent asks for, to be taken or declined as a whole. */
function agentLenses(row: ReviewRow | undefined, key: string): vscode.CodeLens[] {
  if (row === undefined || row.override === null) return [];
  const { direction } = row.override;
  const lens = (command: string, title: string): vscode.CodeLens =>
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { command, title, arguments: [key] });
  return [
    direction === 'push'
      ? lens(editorCommandIds.acceptDisk, vscode.l10n.t('Agent asks to push: accept'))
      : lens(editorCommandIds.acceptStudio, vscode.l10n.t('Agent asks to pull: accept')),
    lens(editorCommandIds.skip, vscode.l10n.t('decline')),
  ];
}

/** An empty range stands between two lines: both count as near. */
const covers = ({ start, count }: DiffHunk['disk'], line: number): boolean =>
  count === 0 ? line === start || line === start - 1 : line >= start && line < start + count;

function lensesOf(hunk: DiffHunk, index: number, side: 'disk' | 'studio', key: string): vscode.CodeLens[] {
  const line = Math.max(0, hunk[side].start);
  const at = new vscode.Range(line, 0, line, 0);
  const lens = (choice: Direction, command: string, title: string): vscode.CodeLens =>
    new vscode.CodeLens(at, {
      command,
      title: hunk.choice === choice ? `$(check) ${title}` : title,
      arguments: [key, index],
    });
  return [
    lens('pull', editorCommandIds.acceptStudioHere, vscode.l10n.t('Accept Studio')),
    lens('push', editorCommandIds.acceptDiskHere, vscode.l10n.t('Accept Disk')),
  ];
}
