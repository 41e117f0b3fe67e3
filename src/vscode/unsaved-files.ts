import * as vscode from 'vscode';
import type { ProjectPath } from '../base/brand.ts';
import type { Event } from '../base/emitter.ts';
import { projectPathOf } from './project-path-of.ts';

/** Fires when a file is added to or removed from `unsavedFiles(folder)`. */
export const onDidChangeUnsaved =
  (folder: vscode.Uri): Event<void> =>
  listener => {
    const names = (): string => Array.from(unsavedFiles(folder)).toSorted().join('\n');
    let known = names();
    const look = (): void => {
      const now = names();
      if (now === known) return;
      known = now;
      listener();
    };
    const watching = vscode.Disposable.from(
      // Also fires when a document is saved or reverted.
      vscode.workspace.onDidChangeTextDocument(look),
      vscode.workspace.onDidCloseTextDocument(look),
    );
    return { [Symbol.dispose]: () => void watching.dispose() };
  };

/** The files below a folder that have edits in an editor which are not on disk. */
export const unsavedFiles = (folder: vscode.Uri): ReadonlySet<ProjectPath> =>
  new Set(
    vscode.workspace.textDocuments.flatMap(({ isDirty, isUntitled, uri }) =>
      isDirty && !isUntitled ? (projectPathOf(folder, uri) ?? []) : [],
    ),
  );
