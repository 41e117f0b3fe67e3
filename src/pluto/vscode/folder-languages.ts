import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../../base/brand.ts';
import type { FileRange, TextPosition, TextRange, ShownFile } from '../editor/answers.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Ask, RestartableThread, startLanguageThread } from './language-thread.ts';
import { CONTAINER_SCHEME, STD_SCHEME } from './schemes.ts';

/** The language of one workspace folder. */
export interface FolderLanguage {
  readonly folder: vscode.Uri;
  readonly ask: Ask;
  uriOf(file: ShownFile): vscode.Uri;
  locationOf(range: FileRange): vscode.Location;
}

/** A document and the language of its folder. */
export interface KnownDocument {
  readonly language: FolderLanguage;
  /** The path that the language uses. */
  readonly path: ProjectPath;
}

interface StartedLanguage extends FolderLanguage {
  readonly thread: RestartableThread;
}

/** One thread for each workspace folder with Pluto files, started with its first question. */
export class FolderLanguages implements Disposable {
  readonly #worker: URL;
  readonly #log: Logger;
  readonly #languages = new Map<string, StartedLanguage>();
  readonly #withoutFolder: RestartableThread;
  readonly #failed = new vscode.EventEmitter<void>();
  /** Fires when a thread has crashed. The next question starts another one, which knows no open documents yet. */
  readonly onDidFail = this.#failed.event;

  constructor(worker: URL, log: Logger) {
    this.#worker = worker;
    this.#log = log;
    this.#withoutFolder = this.#thread(undefined);
  }

  /** Every folder that was asked a question. */
  get started(): readonly FolderLanguage[] {
    return Array.from(this.#languages.values());
  }

  /** Asks about one text, without a folder. */
  readonly askWithoutFolder: Ask = (name, args) => this.#withoutFolder.ask(name, args);

  of(uri: vscode.Uri): KnownDocument | undefined {
    if (uri.scheme === STD_SCHEME) {
      const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri.query, true));
      return folder && { language: this.ofFolder(folder), path: `<std>${uri.path}` as ProjectPath };
    }
    if (uri.scheme !== 'file' && uri.scheme !== CONTAINER_SCHEME) return undefined;
    if (!/\.(?:pt|pluto)$/.test(uri.path)) return undefined;
    const file = uri.with({ scheme: 'file' });
    const folder = vscode.workspace.getWorkspaceFolder(file);
    if (folder === undefined) return undefined;
    return { language: this.ofFolder(folder), path: posix.relative(folder.uri.path, file.path) as ProjectPath };
  }

  ofFolder({ uri: folder }: vscode.WorkspaceFolder): FolderLanguage {
    const key = folder.toString();
    const known = this.#languages.get(key);
    if (known !== undefined) return known;
    const uriOf = ({ path, kind }: ShownFile): vscode.Uri => {
      if (kind === 'std')
        return vscode.Uri.from({ scheme: STD_SCHEME, path: path.replace(/^<std>/, ''), query: folder.toString() });
      const file = vscode.Uri.joinPath(folder, path);
      return kind === 'container' ? file.with({ scheme: CONTAINER_SCHEME }) : file;
    };
    const thread = this.#thread(folder);
    const language: StartedLanguage = {
      folder,
      thread,
      ask: thread.ask,
      uriOf,
      locationOf: ({ file, range }) => new vscode.Location(uriOf(file), toRange(range)),
    };
    this.#languages.set(key, language);
    return language;
  }

  /** Stops the language of a folder that was removed from the workspace. */
  stop(folder: vscode.Uri): void {
    const key = folder.toString();
    this.#languages.get(key)?.thread[Symbol.dispose]();
    this.#languages.delete(key);
  }

  [Symbol.dispose](): void {
    for (const { thread } of this.#languages.values()) thread[Symbol.dispose]();
    this.#languages.clear();
    this.#withoutFolder[Symbol.dispose]();
    this.#failed.dispose();
  }

  #thread(folder: vscode.Uri | undefined): RestartableThread {
    return new RestartableThread(
      onFailure => startLanguageThread(this.#worker, { folder: folder?.fsPath }, onFailure),
      error => {
        this.#log.error('the Pluto language worker crashed and restarts with the next question', error);
        if (folder !== undefined) this.#failed.fire();
      },
    );
  }
}

export const toRange = ({ start, end }: TextRange): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

export const toPlace = ({ line, character }: vscode.Position): TextPosition => ({ line, character });
