import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { EditorFinding } from '../editor/answers.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { isBelow, watchFolders } from '../../vscode/watch-folders.ts';
import { type FolderLanguage, type FolderLanguages, type KnownDocument, toRange } from './folder-languages.ts';
import { FolderUpdates } from './folder-updates.ts';
import { LANGUAGE_ID, STD_SCHEME } from './schemes.ts';
import { createDiagnostic } from '../../vscode/safe-diagnostics.ts';

/** The number of files whose findings are published at a time. */
const FILES_BATCH_SIZE = 50;

/** A workspace folder and its published findings. */
interface FollowedFolder {
  readonly language: FolderLanguage;
  readonly updates: FolderUpdates;
  readonly lifetime: DisposableStore;
}

/**
 * Passes edits and changed files on to the language of each folder, and shows its findings.
 *
 * @param onDidCheck called when the language has checked the changes of a folder
 */
export function followDocuments(
  languages: FolderLanguages,
  clock: Clock,
  log: Logger,
  onDidCheck: (language: FolderLanguage) => void,
): Disposable {
  const store = new DisposableStore();
  const collection = addDisposable(store, vscode.languages.createDiagnosticCollection(LANGUAGE_ID));
  const followed = new Map<string, FollowedFolder>();
  const failed = (error: unknown): void => log.error('the Pluto language worker failed to answer', error);

  const follow = (folder: vscode.WorkspaceFolder): void => {
    const language = languages.ofFolder(folder);
    const lifetime = new DisposableStore();
    const shown = new Map<string, vscode.Uri>();
    lifetime.defer(() => shown.forEach(uri => collection.delete(uri)));
    const show = async (): Promise<void> => {
      const changed = await language.ask('changedFindings', {});
      onDidCheck(language);
      const slice = new TimeSlice(clock);
      for (let at = 0; at < changed.length; at += FILES_BATCH_SIZE) {
        await slice.yieldToEventLoop();
        if (updates.isDisposed) return;
        const entries = changed
          .slice(at, at + FILES_BATCH_SIZE)
          .map(({ file, findings }) => [language.uriOf(file), findings.map(toDiagnostic)] as const);
        for (const [uri] of entries) shown.set(uri.toString(), uri);
        collection.set(entries.map(([uri, diagnostics]) => [uri, diagnostics]));
      }
    };
    const unlessRemoved = (error: unknown): void => {
      if (!updates.isDisposed) failed(error);
    };
    const updates = lifetime.add(
      new FolderUpdates({
        clock,
        reportChanges: paths => language.ask('filesChanged', { paths }).catch(unlessRemoved),
        showFindings: () => show().catch(unlessRemoved),
      }),
    );
    const pattern = new vscode.RelativePattern(folder, '**/{*.pt,*.pluto,pluto.toml}');
    const watcher = addDisposable(lifetime, vscode.workspace.createFileSystemWatcher(pattern));
    const changed = (uri: vscode.Uri): void =>
      updates.fileChanged(posix.relative(folder.uri.path, uri.path) as ProjectPath);
    watcher.onDidCreate(changed);
    watcher.onDidChange(changed);
    watcher.onDidDelete(changed);
    // The language knows which of its modules were below a path.
    const isUsed = (path: vscode.Uri): boolean => isBelow(path, folder.uri);
    lifetime.add(watchFolders({ isUsed, onChange: paths => paths.filter(isUsed).forEach(changed) }));
    followed.set(folder.uri.toString(), { language, updates, lifetime });
    updates.scheduleFindings();
  };
  const unfollow = (key: string): void => {
    followed.get(key)?.lifetime[Symbol.dispose]();
    followed.delete(key);
  };

  const knownOf = ({ uri, languageId }: vscode.TextDocument): KnownDocument | undefined =>
    languageId === LANGUAGE_ID && uri.scheme !== STD_SCHEME ? languages.of(uri) : undefined;
  const scheduleFindings = ({ language }: KnownDocument): void =>
    followed.get(language.folder.toString())?.updates.scheduleFindings();
  const setDocument = (document: vscode.TextDocument): void => {
    const known = knownOf(document);
    if (known === undefined) return;
    known.language.ask('setDocument', { path: known.path, text: document.getText() }).catch(failed);
    scheduleFindings(known);
  };
  const closeDocument = (document: vscode.TextDocument): void => {
    const known = knownOf(document);
    if (known === undefined) return;
    // Its findings are those of its file, which is read first.
    void known.language
      .ask('closeDocument', { path: known.path })
      .catch(failed)
      .then(() => scheduleFindings(known));
  };
  const setAllDocuments = (): void => {
    for (const document of vscode.workspace.textDocuments) setDocument(document);
  };

  addDisposable(store, vscode.workspace.onDidOpenTextDocument(setDocument));
  addDisposable(
    store,
    vscode.workspace.onDidChangeTextDocument(({ document }) => setDocument(document)),
  );
  addDisposable(store, vscode.workspace.onDidCloseTextDocument(closeDocument));
  addDisposable(
    store,
    vscode.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const { uri } of removed) {
        unfollow(uri.toString());
        languages.stop(uri);
      }
      for (const folder of added) follow(folder);
      // Open documents may belong to another folder now.
      setAllDocuments();
    }),
  );
  addDisposable(store, languages.onDidFail(setAllDocuments));
  for (const folder of vscode.workspace.workspaceFolders ?? []) follow(folder);
  setAllDocuments();
  store.defer(() => Array.from(followed.keys()).forEach(unfollow));
  return store;
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

function toDiagnostic({ severity, code, message, range }: EditorFinding): vscode.Diagnostic {
  const diagnostic = createDiagnostic(toRange(range), message, severities[severity], 'Pluto');
  diagnostic.code = code;
  return diagnostic;
}
