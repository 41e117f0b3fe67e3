import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { isProjectPath } from '../../base/project-path.ts';

/** Milliseconds for which a folder that was inside is assumed to be inside still, for reading only. */
const FOLDER_KNOWN_MS = 100;
const MAX_FOLDERS = 1_000;

/** Resolves project paths to paths on disk that are inside one folder after following links. */
export class ContainedPaths {
  readonly #root: string;
  readonly #folders = new Map<string, { readonly at: number; readonly real: Promise<string> }>();
  #realRoot: Promise<string> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The path of the entry for reading, with a cached result for its folder. The caller must not follow a link at the end; for a link,
   * `existing` checks the target.
   */
  async forReading(path: ProjectPath): Promise<string> {
    if (path === '') return this.rootOnDisk();
    const absolute = this.#absolute(path);
    const folder = dirname(absolute);
    const now = performance.now();
    let known = this.#folders.get(folder);
    if (known === undefined || now - known.at > FOLDER_KNOWN_MS) {
      if (this.#folders.size > MAX_FOLDERS) this.#folders.clear();
      known = { at: now, real: this.entry(path).then(dirname) };
      this.#folders.set(folder, known);
      known.real.catch(() => this.#folders.delete(folder));
    }
    return join(await known.real, basename(absolute));
  }

  /** The real path. @throws AppError PATH_OUTSIDE_ROOT; what `realpath` throws if nothing exists there */
  async existing(path: ProjectPath): Promise<string> {
    const real = await realpath(this.#absolute(path));
    if (!isInside(real, await this.rootOnDisk())) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return real;
  }

  /**
   * The path of a file that exists or will be created: follows its link, and resolves its folder as far as it exists. Folders may be
   * missing.
   */
  async writable(path: ProjectPath): Promise<string> {
    try {
      return await this.existing(path);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
    }
    const missing: string[] = [];
    let above = this.#absolute(path);
    for (;;) {
      missing.unshift(basename(above));
      above = dirname(above);
      try {
        const real = await realpath(above);
        if (!isInside(real, await this.rootOnDisk())) throw new AppError('PATH_OUTSIDE_ROOT', { path });
        return join(real, ...missing);
      } catch (error) {
        if (!hasErrorCode(error, 'ENOENT') || above === dirname(above)) throw error;
      }
    }
  }

  /** The path of the entry: resolves its folder, and does not follow a link at the end. */
  async entry(path: ProjectPath): Promise<string> {
    const absolute = this.#absolute(path);
    const folder = await realpath(dirname(absolute));
    if (!isInside(folder, await this.rootOnDisk())) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return join(folder, basename(absolute));
  }

  async isInside(real: string): Promise<boolean> {
    return isInside(real, await this.rootOnDisk());
  }

  /** The project path of a real path inside. */
  async pathOf(real: string): Promise<ProjectPath> {
    // A real path has no links, so the result has neither `..` nor empty names.
    return relative(await this.rootOnDisk(), real)
      .split(sep)
      .join('/') as ProjectPath;
  }

  #absolute(path: ProjectPath): string {
    if (!isProjectPath(path)) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return path === '' ? this.#root : join(this.#root, ...path.split('/'));
  }

  /** The real path of the folder. */
  rootOnDisk(): Promise<string> {
    this.#realRoot ??= realpath(this.#root);
    return this.#realRoot;
  }
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
