import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { EditorFinding } from '../editor/answers.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { own } from '../../vscode/owned.ts';
import { type FolderLanguage, type FolderLanguages, type KnownDocument, toRange } from './folder-languages.ts';
import { LANGUAGE_ID, STD_SCHEME } from './schemes.ts';

/** Time without an edit before findings are asked for. */
const QUIET_MS = 150;
/** Files whose findings are handed to VS Code in one go. */
const FILES_AT_ONCE = 50;

/** Tells each language what is typed and what changes on disk, and shows what it finds. */
export function followDocuments(languages: FolderLanguages, clock: Clock, log: Logger): Disposable {
  const store = new DisposableStore();
  const collection = own(store, vscode.languages.createDiagnosticCollection(LANGUAGE_ID));
  const timers = new Map<FolderLanguage, NodeJS.Timeout>();
  const failed = (error: unknown): void => log.error('the Pluto language did not answer', error);

  const show = async (language: FolderLanguage): Promise<void> => {
    const changed = await language.ask('changedFindings', {});
    const slice = new TimeSlice(clock);
    for (let at = 0; at < changed.length; at += FILES_AT_ONCE) {
      await slice.yieldToEventLoop();
      const some = changed.slice(at, at + FILES_AT_ONCE);
      collection.set(some.map(({ file, findings }) => [language.uriOf(file), findings.map(toDiagnostic)]));
    }
  };
  const showSoon = (language: FolderLanguage): void => {
    clearTimeout(timers.get(language));
    const timer = setTimeout(() => void (timers.delete(language), show(language).catch(failed)), QUIET_MS);
    timers.set(language, timer);
  };
  const knownOf = ({ uri, languageId }: vscode.TextDocument): KnownDocument | undefined =>
    languageId === LANGUAGE_ID && uri.scheme !== STD_SCHEME ? languages.of(uri) : undefined;
  const tell = (document: vscode.TextDocument): void => {
    const known = knownOf(document);
    if (known === undefined) return;
    known.language.ask('setDocument', { path: known.path, text: document.getText() }).catch(failed);
    showSoon(known.language);
  };
  const forget = (document: vscode.TextDocument): void => {
    const known = knownOf(document);
    if (known === undefined) return;
    known.language.ask('closeDocument', { path: known.path }).catch(failed);
    showSoon(known.language);
  };

  const hints = new Map<FolderLanguage, Set<ProjectPath>>();
  const watch = (folder: vscode.WorkspaceFolder): void => {
    const pattern = new vscode.RelativePattern(folder, '**/{*.pt,*.pluto,pluto.toml}');
    const watcher = own(store, vscode.workspace.createFileSystemWatcher(pattern));
    const hint = (uri: vscode.Uri): void => {
      const language = languages.ofFolder(folder);
      const known = hints.get(language);
      const path = posix.relative(folder.uri.path, uri.path) as ProjectPath;
      if (known !== undefined) return void known.add(path);
      hints.set(language, new Set([path]));
      // A checkout changes many files at once.
      const timer = setTimeout(() => {
        const paths = Array.from(hints.get(language) ?? []);
        hints.delete(language);
        language.ask('filesChanged', { paths }).catch(failed);
        showSoon(language);
      }, QUIET_MS);
      store.defer(() => clearTimeout(timer));
    };
    watcher.onDidCreate(hint);
    watcher.onDidChange(hint);
    watcher.onDidDelete(hint);
    showSoon(languages.ofFolder(folder));
  };

  own(store, vscode.workspace.onDidOpenTextDocument(tell));
  own(
    store,
    vscode.workspace.onDidChangeTextDocument(({ document }) => tell(document)),
  );
  own(store, vscode.workspace.onDidCloseTextDocument(forget));
  own(
    store,
    vscode.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const { uri } of removed) languages.stop(uri);
      for (const folder of added) watch(folder);
    }),
  );
  const tellAll = (): void => {
    for (const document of vscode.workspace.textDocuments) tell(document);
  };
  own(store, languages.onDidFail(tellAll));
  for (const folder of vscode.workspace.workspaceFolders ?? []) watch(folder);
  tellAll();
  store.defer(() => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
  return store;
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

function toDiagnostic({ severity, code, message, range }: EditorFinding): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toRange(range), message, severities[severity]);
  diagnostic.source = 'Pluto';
  diagnostic.code = code;
  return diagnostic;
}
