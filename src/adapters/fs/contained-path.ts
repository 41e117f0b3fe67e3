import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { isProjectPath } from '../../base/project-path.ts';

/** Milliseconds for which a folder that was found to lie inside is taken to do so still, for reading alone. */
const FOLDER_KNOWN_MS = 100;
const MAX_FOLDERS = 1_000;

/** Turns project paths into places on disk that lie inside one folder, links followed. */
export class ContainedPaths {
  readonly #root: string;
  readonly #folders = new Map<string, { readonly at: number; readonly real: Promise<string> }>();
  #realRoot: Promise<string> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Where the entry is, for reading: as `entry`, with what was found of its folder a moment ago. The caller must not follow a link at the
   * end: where it finds one, `existing` says whether it may.
   */
  async forReading(path: ProjectPath): Promise<string> {
    if (path === '') return this.#rootOnDisk();
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

  /** Where the path really is. @throws AppError PATH_OUTSIDE_ROOT; what `realpath` throws when there is nothing */
  async existing(path: ProjectPath): Promise<string> {
    const real = await realpath(this.#absolute(path));
    if (!isInside(real, await this.#rootOnDisk())) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return real;
  }

  /**
   * Where a file of that path is, or would be: its link followed, its folder real as far as it exists. Folders may be missing.
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
        if (!isInside(real, await this.#rootOnDisk())) throw new AppError('PATH_OUTSIDE_ROOT', { path });
        return join(real, ...missing);
      } catch (error) {
        if (!hasErrorCode(error, 'ENOENT') || above === dirname(above)) throw error;
      }
    }
  }

  /** The entry itself: its folder real, a link at the end not followed. */
  async entry(path: ProjectPath): Promise<string> {
    const absolute = this.#absolute(path);
    const folder = await realpath(dirname(absolute));
    if (!isInside(folder, await this.#rootOnDisk())) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return join(folder, basename(absolute));
  }

  async isInside(real: string): Promise<boolean> {
    return isInside(real, await this.#rootOnDisk());
  }

  /** The path of a real place inside. */
  async pathOf(real: string): Promise<ProjectPath> {
    // A real place has no links, so what comes out has neither `..` nor empty names.
    return relative(await this.#rootOnDisk(), real)
      .split(sep)
      .join('/') as ProjectPath;
  }

  #absolute(path: ProjectPath): string {
    if (!isProjectPath(path)) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return path === '' ? this.#root : join(this.#root, ...path.split('/'));
  }

  #rootOnDisk(): Promise<string> {
    this.#realRoot ??= realpath(this.#root);
    return this.#realRoot;
  }
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
