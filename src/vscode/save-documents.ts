import { posix } from 'node:path';
import * as vscode from 'vscode';
import { plural } from '../base/plural.ts';
import { safeWindow } from './safe-window.ts';

/** Formatters of a save that already runs can take seconds. */
const OTHER_SAVE_TIMEOUT_MS = 10_000;

/**
 * Saves the unsaved edits of a document. Returns whether it is saved. VS Code ignores a save that is requested while it prepares another one
 * (an auto save whose formatters run), so this waits for the other one and saves what it left.
 */
export async function saveDocument(
  document: vscode.TextDocument,
  otherSaveTimeoutMs = OTHER_SAVE_TIMEOUT_MS,
): Promise<boolean> {
  for (let failures = 0; document.isDirty;) {
    using saves = watchSaves(document, otherSaveTimeoutMs);
    await document.save();
    // Text that was typed meanwhile needs another save.
    if (!document.isDirty || saves.hasEnded()) continue;
    if (!saves.hasBegun()) {
      if (!(await saves.someEnded)) return false;
      continue;
    }
    // The beginning that was seen can be of another save, but only once.
    failures += 1;
    if (failures === 2) return false;
  }
  return true;
}

/** @param timeoutMs when `someEnded` is `false` */
function watchSaves(document: vscode.TextDocument, timeoutMs: number) {
  const { promise: someEnded, resolve } = Promise.withResolvers<boolean>();
  let [hasBegun, hasEnded] = [false, false];
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const listeners = [
    vscode.workspace.onWillSaveTextDocument(event => {
      hasBegun ||= event.document === document;
    }),
    vscode.workspace.onDidSaveTextDocument(saved => {
      if (saved !== document) return;
      hasEnded = true;
      resolve(true);
    }),
  ];
  return {
    hasBegun: () => hasBegun,
    hasEnded: () => hasEnded,
    someEnded,
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    },
  };
}

/** Saves all documents that have a file. Shows which ones could not be saved, and returns whether there are none. */
export async function saveFiles(): Promise<boolean> {
  await vscode.workspace.saveAll(false);
  return saveEach(vscode.workspace.textDocuments.filter(({ isUntitled }) => !isUntitled));
}

/** Saves these documents. Shows which ones could not be saved, and returns whether there are none. */
export async function saveEach(documents: readonly vscode.TextDocument[]): Promise<boolean> {
  const unsaved: string[] = [];
  const save = async (document: vscode.TextDocument): Promise<void> => {
    if (!(await saveDocument(document))) unsaved.push(posix.basename(document.uri.path));
  };
  await Promise.all(documents.map(save));
  if (unsaved.length === 0) return true;
  void safeWindow.showWarningMessage(
    plural(
      unsaved.length,
      vscode.l10n.t(
        'Nothing was started, because VS Code could not save {0}. Save it, then try again.',
        unsaved[0] ?? '',
      ),
      vscode.l10n.t(
        'Nothing was started, because VS Code could not save these files: {0}. Save them, then try again.',
        unsaved.join(', '),
      ),
    ),
  );
  return false;
}
