import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { ContainerMeta } from '../language/container/container.ts';
import type { Ask } from './language-thread.ts';

export interface ContainerDocumentsDeps {
  readonly ask: Ask;
  readonly tool: ContainerMeta['tool'];
  /** What tells bytes apart. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Puts bytes into a file, if it still has the content with that hash (undefined: if there is none). Rejects otherwise. */
  readonly replace: (file: string, bytes: Uint8Array, expected: string | undefined) => Promise<void>;
}

/**
 * What VS Code has last been told of a container. Time and size rise with every content, whatever the disk says: VS Code sees by both
 * together that it holds an older one, and takes two files of one size for the same.
 */
interface Told {
  readonly hash: string;
  readonly mtime: number;
  readonly size: number;
}

/**
 * Containers as files that hold their `.pt` view, so that VS Code gives them a text editor with all that belongs to one. It asks for
 * `stat` before it writes, and shows its own conflict when the file is newer than what it has read; what changes between the two is
 * refused here.
 */
export class ContainerDocuments implements vscode.FileSystemProvider, Disposable {
  readonly #deps: ContainerDocumentsDeps;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #told = new Map<string, Told>();
  /** Documents whose saved view has more than what was typed: ids of what is new. */
  readonly #grown = new Set<string>();
  readonly #saves: vscode.Disposable;

  constructor(deps: ContainerDocumentsDeps) {
    this.#deps = deps;
    this.#saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const key = uri.toString();
      const told = this.#told.get(key);
      if (!this.#grown.delete(key) || told === undefined) return;
      this.#told.set(key, { ...told, mtime: told.mtime + 1, size: told.size + 1 });
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    });
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(uri.fsPath)), basename(uri.fsPath));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const tell = (type: vscode.FileChangeType) => () => this.#changed.fire([{ type, uri }]);
    watcher.onDidCreate(tell(vscode.FileChangeType.Created));
    watcher.onDidChange(tell(vscode.FileChangeType.Changed));
    watcher.onDidDelete(tell(vscode.FileChangeType.Deleted));
    return watcher;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const bytes = await this.#read(uri);
    const { mtimeMs, birthtimeMs } = await stat(uri.fsPath);
    const told = this.#tell(uri, bytes, mtimeMs);
    return { type: vscode.FileType.File, ctime: birthtimeMs, mtime: told.mtime, size: told.size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const bytes = await this.#read(uri);
    const view = await this.#deps.ask('viewOfContainer', { bytes });
    if (!view.ok)
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t('The container cannot be read: {0}.', view.error));
    this.#tell(uri, bytes, (await stat(uri.fsPath)).mtimeMs);
    return new TextEncoder().encode(view.value);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const before = await this.#read(uri).catch(() => undefined);
    const key = uri.toString();
    const told = this.#told.get(key);
    const hash = before && this.#deps.hash(before);
    if (hash !== undefined && hash !== told?.hash)
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t('The container has changed on disk meanwhile. Save again to compare.'),
      );
    const view = new TextDecoder().decode(content);
    const module = basename(uri.fsPath).replace(/\.[^.]*$/, '');
    const saved = await this.#deps.ask('saveView', { view, before, module, tool: this.#deps.tool });
    if (!saved.ok)
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t('Nothing was written to the container: {0}', saved.error));
    const { bytes } = saved.value;
    if (before === undefined || this.#deps.hash(bytes) !== hash) await this.#deps.replace(uri.fsPath, bytes, hash);
    this.#tell(uri, bytes, (await stat(uri.fsPath)).mtimeMs);
    if (saved.value.view !== view) this.#grown.add(key);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  [Symbol.dispose](): void {
    this.#saves.dispose();
    this.#changed.dispose();
  }

  async #read(uri: vscode.Uri): Promise<Uint8Array> {
    try {
      return await readFile(uri.fsPath);
    } catch {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }

  #tell(uri: vscode.Uri, bytes: Uint8Array, mtimeMs: number): Told {
    const key = uri.toString();
    const before = this.#told.get(key);
    const hash = this.#deps.hash(bytes);
    if (before?.hash === hash) return before;
    const told = {
      hash,
      mtime: Math.max(Math.trunc(mtimeMs), (before?.mtime ?? 0) + 1),
      size: Math.max(bytes.length, (before?.size ?? 0) + 1),
    };
    this.#told.set(key, told);
    return told;
  }
}
