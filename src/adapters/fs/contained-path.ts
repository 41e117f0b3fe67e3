import { lstat } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative, sep } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { loadOnce } from '../../base/load-once.ts';
import { isProjectPath, nameOf } from '../../base/project-path.ts';
import { isNeverSyncedPath } from '../../base/secret-names.ts';
import { linkTargetOf, realPathOf } from './real-path.ts';

/** Milliseconds for which a folder that was inside is still assumed to be inside, for reading only. */
const FOLDER_KNOWN_MS = 100;
const MAX_FOLDERS = 1_000;
/** Windows and macOS reach one folder by several names (case, short names), and only `realpath` returns the name on disk. */
const HAS_ONE_NAME = process.platform === 'linux';

/** Not `performance.now`, whose code is loaded at the first use. */
const monotonicMs = (): number => process.uptime() * 1_000;

interface KnownFolder {
  /** When the path was last resolved as a whole, in milliseconds. */
  readonly at: number;
  readonly real: Promise<string>;
}

/**
 * Resolves project paths to paths on disk that are inside one folder after following links. Git data and secrets are treated as outside: a project
 * file that names `.git/config` would let Studio set the programs that git runs.
 */
export class ContainedPaths {
  readonly #root: string;
  /** The real path of the folder. */
  readonly rootOnDisk: () => Promise<string>;
  readonly #folders = new Map<string, KnownFolder>();

  constructor(root: string) {
    this.#root = normalize(root);
    this.rootOnDisk = loadOnce(() => realPathOf(this.#root));
  }

  /**
   * The path of the entry for reading, with a cached result for its folder. The caller must not follow a link at the end; for a link,
   * `existing` checks the target.
   */
  async forReading(path: ProjectPath): Promise<string> {
    if (path === '') return this.rootOnDisk();
    const absolute = this.#absolute(path);
    const folder = dirname(absolute);
    const known = this.#known(folder)?.real;
    const real = await (known ?? this.#resolve(folder, () => this.entry(path).then(dirname)));
    // Both are normalized, and `join` would take longer than most of a read.
    return (real.endsWith(sep) ? real : real + sep) + nameOf(path);
  }

  /** The real path of a folder, which `forReading` then uses for its files. @throws what `existing` throws */
  listable(path: ProjectPath): Promise<string> {
    return this.#resolve(this.#absolute(path), () => this.existing(path));
  }

  #known(folder: string): KnownFolder | undefined {
    const known = this.#folders.get(folder);
    return known !== undefined && monotonicMs() - known.at <= FOLDER_KNOWN_MS ? known : undefined;
  }

  /** Remembers the real path of a folder. Uses that of the folder above, because `realpath` looks at every name of the path. */
  #resolve(folder: string, resolveWhole: () => Promise<string>): Promise<string> {
    const above = HAS_ONE_NAME && folder !== this.#root ? this.#known(dirname(folder)) : undefined;
    const real = above === undefined ? resolveWhole() : realBelow(above.real, basename(folder), resolveWhole);
    if (this.#folders.size > MAX_FOLDERS) this.#folders.clear();
    // The time of the folder above: otherwise a chain of folders would never be resolved as a whole again.
    this.#folders.set(folder, { at: above?.at ?? monotonicMs(), real });
    real.catch(() => this.#folders.delete(folder));
    return real;
  }

  /**
   * The real path.
   *
   * @throws AppError PATH_OUTSIDE_ROOT, also for a broken link, so that a link out does not reveal what exists there; what `realPathOf` throws
   *   if nothing exists
   */
  async existing(path: ProjectPath): Promise<string> {
    const absolute = this.#absolute(path);
    let real: string;
    try {
      real = await realPathOf(absolute);
    } catch (error) {
      if (!(await this.isInside(await linkTargetOf(absolute)))) throw new AppError('PATH_OUTSIDE_ROOT', { path });
      throw error;
    }
    if (!(await this.isInside(real))) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return real;
  }

  /**
   * The path of a file that exists or will be created: follows its link, and resolves its folder as far as it exists. Folders may be
   * missing.
   */
  async writable(path: ProjectPath): Promise<string> {
    const missing: string[] = [];
    let above = this.#absolute(path);
    for (;;) {
      try {
        // Finds out cheaply what is missing, because `realpath` looks at every name of the path.
        await lstat(above);
        const real = await realPathOf(above);
        if (!(await this.isInside(real))) throw new AppError('PATH_OUTSIDE_ROOT', { path });
        return join(real, ...missing);
      } catch (error) {
        if (!hasErrorCode(error, 'ENOENT') || above === dirname(above)) throw error;
      }
      missing.unshift(basename(above));
      above = dirname(above);
    }
  }

  /** The path of the entry: resolves its folder, and does not follow a link at the end. */
  async entry(path: ProjectPath): Promise<string> {
    const absolute = this.#absolute(path);
    const folder = await realPathOf(dirname(absolute));
    if (!(await this.isInside(folder))) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    return join(folder, basename(absolute));
  }

  /** Whether a real path is inside, and not a part that is never synced. */
  async isInside(real: string): Promise<boolean> {
    const root = await this.rootOnDisk();
    return isInside(real, root) && !isNeverSyncedPath(relative(root, real).split(sep).join('/'));
  }

  /** The project path of a real path inside. */
  async pathOf(real: string): Promise<ProjectPath> {
    // A real path has no links, so the result has neither `..` nor empty names.
    return relative(await this.rootOnDisk(), real)
      .split(sep)
      .join('/') as ProjectPath;
  }

  #absolute(path: ProjectPath): string {
    if (!isProjectPath(path) || isNeverSyncedPath(path)) throw new AppError('PATH_OUTSIDE_ROOT', { path });
    if (path === '') return this.#root;
    return (
      (this.#root.endsWith(sep) ? this.#root : this.#root + sep) + (sep === '/' ? path : path.replaceAll('/', sep))
    );
  }
}

/** Resolves a folder by the real path of its parent if it is not a link, else as a whole. */
async function realBelow(above: Promise<string>, name: string, resolveWhole: () => Promise<string>): Promise<string> {
  try {
    const place = join(await above, name);
    if ((await lstat(place)).isDirectory()) return place;
  } catch {
    // The folder above may have been replaced meanwhile.
  }
  return resolveWhole();
}

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
