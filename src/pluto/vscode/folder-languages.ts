import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../../base/brand.ts';
import type { FileRange, Place, Range, ShownFile } from '../editor/answers.ts';
import type { Logger } from '../../ports/logger.ts';
import { type Ask, type LanguageThread, startLanguageThread } from './language-thread.ts';
import { CONTAINER_SCHEME, STD_SCHEME } from './schemes.ts';

/** The language of one workspace folder. */
export interface FolderLanguage {
  readonly folder: vscode.Uri;
  readonly ask: Ask;
  uriOf(file: ShownFile): vscode.Uri;
  locationOf(range: FileRange): vscode.Location;
}

/** A document with the language that knows it. */
export interface KnownDocument {
  readonly language: FolderLanguage;
  /** As the language names it. */
  readonly path: ProjectPath;
}

/** One thread for each workspace folder with Pluto in it, started when it is first asked. */
export class FolderLanguages implements Disposable {
  readonly #worker: URL;
  readonly #log: Logger;
  readonly #threads = new Map<string, LanguageThread>();
  readonly #languages = new Map<string, FolderLanguage>();
  readonly #failed = new vscode.EventEmitter<FolderLanguage>();
  /** The thread of a folder has ended by itself: the next question starts another, which knows of no document yet. */
  readonly onDidFail = this.#failed.event;

  constructor(worker: URL, log: Logger) {
    this.#worker = worker;
    this.#log = log;
  }

  /** Every folder that was asked something. */
  get started(): readonly FolderLanguage[] {
    return Array.from(this.#languages.values());
  }

  /** For what needs one text alone. */
  readonly alone: Ask = (name, args) => this.#thread(undefined).ask(name, args);

  of(uri: vscode.Uri): KnownDocument | undefined {
    if (uri.scheme === STD_SCHEME)
      return { language: this.#language(vscode.Uri.parse(uri.query, true)), path: `<std>${uri.path}` as ProjectPath };
    if (uri.scheme !== 'file' && uri.scheme !== CONTAINER_SCHEME) return undefined;
    if (!/\.(?:pt|pluto)$/.test(uri.path)) return undefined;
    const file = uri.with({ scheme: 'file' });
    const folder = vscode.workspace.getWorkspaceFolder(file);
    if (folder === undefined) return undefined;
    return { language: this.ofFolder(folder), path: posix.relative(folder.uri.path, file.path) as ProjectPath };
  }

  ofFolder(folder: vscode.WorkspaceFolder): FolderLanguage {
    return this.#language(folder.uri);
  }

  /** The folder is no longer in the workspace. */
  stop(folder: vscode.Uri): void {
    const key = folder.toString();
    this.#threads.get(key)?.[Symbol.dispose]();
    this.#threads.delete(key);
    this.#languages.delete(key);
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads.values()) thread[Symbol.dispose]();
    this.#threads.clear();
    this.#failed.dispose();
  }

  #language(folder: vscode.Uri): FolderLanguage {
    const key = folder.toString();
    const known = this.#languages.get(key);
    if (known !== undefined) return known;
    const uriOf = ({ path, kind }: ShownFile): vscode.Uri => {
      if (kind === 'std')
        return vscode.Uri.from({ scheme: STD_SCHEME, path: path.replace(/^<std>/, ''), query: folder.toString() });
      const file = vscode.Uri.joinPath(folder, path);
      return kind === 'container' ? file.with({ scheme: CONTAINER_SCHEME }) : file;
    };
    const language: FolderLanguage = {
      folder,
      ask: (name, args) => this.#thread(folder).ask(name, args),
      uriOf,
      locationOf: ({ file, range }) => new vscode.Location(uriOf(file), toRange(range)),
    };
    this.#languages.set(key, language);
    return language;
  }

  #thread(folder: vscode.Uri | undefined): LanguageThread {
    const key = folder?.toString() ?? '';
    const known = this.#threads.get(key);
    if (known !== undefined) return known;
    const made = startLanguageThread(this.#worker, { folder: folder?.fsPath }, error => {
      this.#log.error('the Pluto language ended and is started anew when it is next needed', error);
      this.#threads.delete(key);
      const language = this.#languages.get(key);
      if (language !== undefined) this.#failed.fire(language);
    });
    this.#threads.set(key, made);
    return made;
  }
}

export const toRange = ({ start, end }: Range): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

export const toPlace = ({ line, character }: vscode.Position): Place => ({ line, character });
