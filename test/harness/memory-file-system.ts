import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { isProjectPath } from '../../src/base/project-path.ts';
import { isNeverSynced, isNeverSyncedPath } from '../../src/base/secret-names.ts';
import type { ProjectPath } from '../../src/base/brand.ts';
import { AppError } from '../../src/base/errors.ts';
import type { FilePrecondition, FileStat, FileSystem } from '../../src/ports/file-system.ts';
import type { FileWatcher } from '../../src/ports/file-watcher.ts';

/** Hooks that make a write fail. `n` is the one-based number of the `replace` or `remove` call. */
export type Fault = (n: number, path: ProjectPath) => void | Promise<void>;

/**
 * A folder in memory and its watcher. Every change, including `set` and `delete` by a test, emits a hint. Modification times increase
 * with each write, so no two writes look alike.
 */
export class MemoryFileSystem implements FileSystem, FileWatcher {
  readonly root = '/project';
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly mtimeMs: number }>();
  readonly #folders = new Set<string>(['']);
  readonly #listeners = new Set<(path: ProjectPath) => void>();
  #time = 1_000_000;
  #writes = 0;
  /** Runs before the precondition is checked; may change files, or throw to fail the call. */
  fault: Fault | undefined;
  /** Runs after a `replace`; may change files, as another program does. */
  onReplaced: ((path: ProjectPath) => void) | undefined;
  /** The path of every read. */
  readonly reads: ProjectPath[] = [];

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.set(path, content);
  }

  /** Writes as another program would: without a precondition, creating parents. A path that ends in `/` is a folder. */
  set(path: string, content: string | Uint8Array = ''): void {
    const name = path.replace(/\/$/, '');
    this.#makeFolders(path.endsWith('/') ? `${name}/x` : name);
    if (!path.endsWith('/')) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
      this.#files.set(name, { bytes, mtimeMs: (this.#time += 1) });
    }
    this.#hint(name);
  }

  /** Removes a file, or a folder with everything in it. */
  delete(path: string): void {
    const isBelow = (other: string): boolean => other === path || other.startsWith(`${path}/`);
    for (const file of this.#files.keys()) if (isBelow(file)) this.#files.delete(file);
    for (const folder of this.#folders) if (isBelow(folder)) this.#folders.delete(folder);
    this.#hint(path);
  }

  /** The text of a file, or `undefined`. */
  text(path: string): string | undefined {
    const file = this.#files.get(path);
    return file && new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes);
  }

  paths(): readonly string[] {
    return Array.from(this.#files.keys()).sort();
  }

  /** A copy of the files, as the constructor takes them. */
  copy(): Readonly<Record<string, string | Uint8Array>> {
    const folders = Array.from(this.#folders, folder => [`${folder}/`, ''] as const).filter(([path]) => path !== '/');
    return Object.fromEntries([...folders, ...Array.from(this.#files, ([path, { bytes }]) => [path, bytes] as const)]);
  }

  watch(onHint: (path: ProjectPath) => void): Disposable {
    this.#listeners.add(onHint);
    return { [Symbol.dispose]: () => void this.#listeners.delete(onHint) };
  }

  async stat(path: ProjectPath): Promise<FileStat | undefined> {
    guard(path);
    const file = this.#files.get(path);
    if (file) return statOf('file', file.bytes.length, file.mtimeMs);
    return this.#folders.has(path) ? statOf('directory', 0, 0) : undefined;
  }

  async list(path: ProjectPath): Promise<readonly { readonly name: string; readonly kind: FileStat['kind'] }[]> {
    guard(path);
    if (this.#files.has(path)) throw coded('ENOTDIR', path);
    if (!this.#folders.has(path)) throw coded('ENOENT', path);
    const prefix = path === '' ? '' : `${path}/`;
    const childName = (other: string): string | undefined =>
      other !== '' && other.startsWith(prefix) && !other.slice(prefix.length).includes('/')
        ? other.slice(prefix.length)
        : undefined;
    const entries: { name: string; kind: FileStat['kind'] }[] = [];
    for (const file of this.#files.keys()) {
      const name = childName(file);
      if (name !== undefined) entries.push({ name, kind: isNeverSynced(name) ? 'other' : 'file' });
    }
    for (const folder of this.#folders) {
      const name = childName(folder);
      if (name !== undefined && folder !== path)
        entries.push({ name, kind: isNeverSynced(name) ? 'other' : 'directory' });
    }
    return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  }

  async read(path: ProjectPath): Promise<Uint8Array> {
    guard(path);
    this.reads.push(path);
    const file = this.#files.get(path);
    if (!file) throw coded(this.#folders.has(path) ? 'EISDIR' : 'ENOENT', path);
    return file.bytes.slice();
  }

  async readWithStat(path: ProjectPath): Promise<{ readonly bytes: Uint8Array; readonly stat: FileStat }> {
    const bytes = await this.read(path);
    return { bytes, stat: statOf('file', bytes.length, this.#files.get(path)?.mtimeMs ?? 0) };
  }

  async readLent<T>(path: ProjectPath, use: (bytes: Uint8Array, stat: FileStat) => Promise<T>): Promise<T> {
    const { bytes, stat } = await this.readWithStat(path);
    try {
      return await use(bytes, stat);
    } finally {
      // As if a later read used the memory.
      bytes.fill(0);
    }
  }

  async replace(path: ProjectPath, bytes: Uint8Array, precondition: FilePrecondition): Promise<void> {
    guard(path);
    await this.#beforeWrite(path);
    if (this.#folders.has(path)) throw new AppError('FS_WRITE_FAILED', { file: path, reason: 'it is a folder' });
    this.#check(path, precondition);
    this.set(path, bytes);
    const written = this.#files.get(path);
    this.onReplaced?.(path);
    if (this.#files.get(path) !== written) throw new AppError('FILE_OVERWRITTEN', { file: path });
  }

  async remove(path: ProjectPath, precondition: FilePrecondition | { readonly kind: 'emptyFolder' }): Promise<void> {
    guard(path);
    await this.#beforeWrite(path);
    if (precondition.kind === 'emptyFolder') {
      if (!this.#folders.has(path) || (await this.list(path)).length > 0)
        throw new AppError('FILE_CHANGED', { file: path });
    } else {
      if (this.#folders.has(path)) throw new AppError('FS_WRITE_FAILED', { file: path, reason: 'it is a folder' });
      this.#check(path, precondition);
    }
    this.delete(path);
  }

  async sweep(): Promise<void> {}

  async #beforeWrite(path: ProjectPath): Promise<void> {
    this.#writes += 1;
    await this.fault?.(this.#writes, path);
  }

  #check(path: ProjectPath, precondition: FilePrecondition): void {
    const file = this.#files.get(path);
    const holds =
      precondition.kind === 'absent'
        ? !file
        : file !== undefined && nodeHasher.gitBlob(file.bytes) === precondition.gitBlob;
    if (!holds) throw new AppError('FILE_CHANGED', { file: path });
  }

  #makeFolders(path: string): void {
    const names = path.split('/').slice(0, -1);
    for (const index of names.keys()) this.#folders.add(names.slice(0, index + 1).join('/'));
  }

  #hint(path: string): void {
    for (const listener of Array.from(this.#listeners)) listener(path as ProjectPath);
  }
}

function guard(path: ProjectPath): void {
  if (!isProjectPath(path) || isNeverSyncedPath(path)) throw new AppError('PATH_OUTSIDE_ROOT', { path });
}

const coded = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });

const statOf = (kind: FileStat['kind'], size: number, mtimeMs: number): FileStat => ({
  kind,
  size,
  mtimeMs,
  ctimeMs: mtimeMs,
  inode: 1,
});
