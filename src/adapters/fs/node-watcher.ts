import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { messageOf } from '../../base/describe-cause.ts';
import { isNotFound } from '../../base/errno.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { isAtOrBelow, joinPath, PROJECT_FOLDER } from '../../base/project-path.ts';
import type { FileWatch, FileWatcher } from '../../ports/file-watcher.ts';
import type { Logger } from '../../ports/logger.ts';
import { isUnfinished } from './temporary-files.ts';

/** Folders that change often and contain no project files. A project that points to one notices its changes at the next rescan. */
const unwatched: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Watches a folder: with one recursive watch if the operating system supports that, otherwise with one watch per folder. Hints at the whole
 * folder when all folders are watched, because anything may have changed before.
 */
export function createNodeWatcher(root: string, log: Logger): FileWatcher {
  return {
    watch: onHint => {
      const hasRecursive = process.platform === 'darwin' || process.platform === 'win32';
      return hasRecursive ? watchRecursively(root, onHint, log) : new FolderWatches(root, onHint, log);
    },
  };
}

function watchRecursively(root: string, onHint: (path: ProjectPath) => void, log: Logger): Disposable {
  const watcher = watch(root, { recursive: true }, (_event, name) => {
    const names = name === null ? [] : name.split(sep);
    if (names.some(part => unwatched.has(part)) || isUnfinished(names.at(-1) ?? '')) return;
    onHint(names.join('/') as ProjectPath);
  });
  watcher.on('error', error => log.warn('the folder is no longer watched', { reason: error.message }));
  return { [Symbol.dispose]: () => watcher.close() };
}

class FolderWatches implements FileWatch {
  readonly #root: string;
  readonly #onHint: (path: ProjectPath) => void;
  readonly #log: Logger;
  readonly #watches = new Map<ProjectPath, { readonly watcher: FSWatcher; readonly identity: string }>();
  #isDisposed = false;
  #hasWarned = false;

  constructor(root: string, onHint: (path: ProjectPath) => void, log: Logger) {
    this.#root = root;
    this.#onHint = onHint;
    this.#log = log;
    this.#arm(PROJECT_FOLDER);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const { watcher } of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  async watchMissed(): Promise<void> {
    try {
      await this.#add(PROJECT_FOLDER);
    } catch (error) {
      this.#warn(error);
    }
  }

  #arm(folder: ProjectPath): void {
    this.#add(folder).then(
      () => this.#hint(folder),
      (error: unknown) => this.#warn(error),
    );
  }

  async #add(folder: ProjectPath): Promise<void> {
    const absolute = join(this.#root, folder);
    try {
      const identity = await folderIdentity(absolute);
      if (identity === undefined || this.#isDisposed) return;
      // A removed folder keeps its watch until its event arrives, and the event may have been dropped.
      if (this.#watches.get(folder)?.identity !== identity) this.#drop(folder);
      if (!this.#watches.has(folder)) {
        const watcher = watch(absolute, (event, name) => this.#handle(folder, event, name));
        watcher.on('error', () => this.#drop(folder));
        this.#watches.set(folder, { watcher, identity });
      }
      for (const entry of await readdir(absolute, { withFileTypes: true }))
        if (entry.isDirectory() && !unwatched.has(entry.name)) await this.#add(joinPath(folder, entry.name));
    } catch (error) {
      // Already removed; the parent has reported that.
      if (!isNotFound(error)) throw error;
    }
  }

  #handle(folder: ProjectPath, event: string, name: string | null): void {
    if (name === null) return this.#hint(folder);
    if (unwatched.has(name) || isUnfinished(name)) return;
    const path = joinPath(folder, name);
    this.#hint(path);
    if (event !== 'rename') return;
    // The folder was created, removed or replaced, and the old watch gets no events of the new folder.
    this.#drop(path);
    this.#arm(path);
  }

  #drop(folder: ProjectPath): void {
    for (const [path, { watcher }] of this.#watches) {
      if (!isAtOrBelow(path, folder)) continue;
      watcher.close();
      this.#watches.delete(path);
    }
  }

  #hint(path: ProjectPath): void {
    if (!this.#isDisposed) this.#onHint(path);
  }

  #warn(error: unknown): void {
    if (this.#hasWarned || this.#isDisposed) return;
    this.#hasWarned = true;
    const reason = messageOf(error);
    this.#log.warn('not every folder is watched; changes there are found at the next sync', { reason });
  }
}

/** Changes when a folder is removed and created again; `undefined` if there is no folder. */
async function folderIdentity(path: string): Promise<string | undefined> {
  const stat = await lstat(path);
  return stat.isDirectory() ? `${stat.ino} ${stat.birthtimeMs}` : undefined;
}
