import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { describeCause } from '../../base/describe-cause.ts';
import { ifFound, isNotFound, mayExist } from '../../base/errno.ts';
import type { ContainerMeta } from '../language/container/container.ts';
import { isBelow, watchFolders } from '../../vscode/watch-folders.ts';
import type { Ask } from './language-thread.ts';

export interface ContainerDocumentsDeps {
  readonly ask: Ask;
  readonly tool: ContainerMeta['tool'];
  /** Identifies file content. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Replaces a file if its content still has the hash `expected` (`undefined`: if there is no file). Rejects otherwise. */
  readonly replace: (file: string, bytes: Uint8Array, expected: string | undefined) => Promise<void>;
}

/**
 * The state of a container that VS Code last received. Time and size grow with every new content, regardless of the disk: VS Code detects
 * an outdated file by both, and considers files of equal size equal.
 */
interface ReportedState {
  readonly hash: string;
  readonly mtime: number;
  readonly size: number;
}

/**
 * A file system that shows each container as its `.pt` view, so that VS Code can edit it as text. VS Code calls `stat` before it writes,
 * and reports a conflict if the file is newer than its content; `writeFile` refuses changes between the two calls.
 */
export class ContainerDocuments implements vscode.FileSystemProvider, Disposable {
  readonly #deps: ContainerDocumentsDeps;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #reported = new Map<string, ReportedState>();
  /** Documents whose saved view differs from the typed text, because new declarations got ids. */
  readonly #gotIds = new Set<string>();
  readonly #saves: vscode.Disposable;

  constructor(deps: ContainerDocumentsDeps) {
    this.#deps = deps;
    this.#saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const key = uri.toString();
      const reported = this.#reported.get(key);
      if (!this.#gotIds.delete(key) || reported === undefined) return;
      this.#reported.set(key, { ...reported, mtime: reported.mtime + 1, size: reported.size + 1 });
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    });
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(uri.fsPath)), basename(uri.fsPath));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const fire = (type: vscode.FileChangeType) => () => this.#changed.fire([{ type, uri }]);
    watcher.onDidCreate(fire(vscode.FileChangeType.Created));
    watcher.onDidChange(fire(vscode.FileChangeType.Changed));
    watcher.onDidDelete(fire(vscode.FileChangeType.Deleted));
    const file = vscode.Uri.file(uri.fsPath);
    const isUsed = (path: vscode.Uri): boolean => isBelow(file, path);
    const folders = watchFolders({
      isUsed,
      onChange(paths) {
        if (!paths.some(isUsed)) return;
        void mayExist(stat(uri.fsPath)).then(exists =>
          fire(exists ? vscode.FileChangeType.Created : vscode.FileChangeType.Deleted)(),
        );
      },
    });
    return vscode.Disposable.from(watcher, { dispose: () => folders[Symbol.dispose]() });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const bytes = await this.#read(uri);
    const { mtimeMs, birthtimeMs } = await stat(uri.fsPath);
    const reported = this.#report(uri, bytes, mtimeMs);
    return { type: vscode.FileType.File, ctime: birthtimeMs, mtime: reported.mtime, size: reported.size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const bytes = await this.#read(uri);
    const view = await this.#deps.ask('viewOfContainer', { bytes });
    if (!view.ok)
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t('Cannot read the container: {0}.', view.error));
    this.#report(uri, bytes, (await stat(uri.fsPath)).mtimeMs);
    return new TextEncoder().encode(view.value);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const before = await ifFound(this.#read(uri));
    const key = uri.toString();
    const reported = this.#reported.get(key);
    const hash = before && this.#deps.hash(before);
    if (hash !== undefined && hash !== reported?.hash)
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t('The container has changed on disk. Save again to compare.'),
      );
    const view = new TextDecoder().decode(content);
    const module = basename(uri.fsPath).replace(/\.[^.]*$/, '');
    const saved = await this.#deps.ask('saveView', { view, before, module, tool: this.#deps.tool });
    if (!saved.ok)
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t('The container was not saved: {0}', saved.error));
    const { bytes } = saved.value;
    if (before === undefined || this.#deps.hash(bytes) !== hash) await this.#deps.replace(uri.fsPath, bytes, hash);
    this.#report(uri, bytes, (await stat(uri.fsPath)).mtimeMs);
    if (saved.value.view !== view) this.#gotIds.add(key);
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
    } catch (error) {
      if (isNotFound(error)) throw vscode.FileSystemError.FileNotFound(uri);
      throw vscode.FileSystemError.Unavailable(vscode.l10n.t('Cannot read the container: {0}.', describeCause(error)));
    }
  }

  #report(uri: vscode.Uri, bytes: Uint8Array, mtimeMs: number): ReportedState {
    const key = uri.toString();
    const before = this.#reported.get(key);
    const hash = this.#deps.hash(bytes);
    if (before?.hash === hash) return before;
    const reported = {
      hash,
      mtime: Math.max(Math.trunc(mtimeMs), (before?.mtime ?? 0) + 1),
      size: Math.max(bytes.length, (before?.size ?? 0) + 1),
    };
    this.#reported.set(key, reported);
    return reported;
  }
}
