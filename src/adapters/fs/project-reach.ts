import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { isInside } from './contained-path.ts';

/** Where the paths of a project begin, absolute, and its file from there. */
export interface ProjectReach {
  readonly folder: string;
  readonly projectFile: ProjectPath;
}

/**
 * A project's own folder, or one above where its paths lead there.
 *
 * @param file the project file, a real path
 * @param foldersAbove how many folders above its own the text of a project file leads
 * @param limit the folder that nothing may leave; `undefined`: the project's own
 */
export async function projectReach(
  file: string,
  foldersAbove: (text: string) => number,
  limit: string | undefined,
): Promise<ProjectReach> {
  const own = dirname(file);
  // An unreadable project file is reported when the project is loaded.
  const text = limit === undefined || limit === own ? '' : await readFile(file, 'utf8').catch(() => '');
  const wanted = resolve(own, ...Array.from({ length: foldersAbove(text) }, () => '..'));
  const folder = limit !== undefined && isInside(wanted, limit) ? wanted : own;
  // Built from a real path, so every name in it is one.
  return { folder, projectFile: relative(folder, file).split(sep).join('/') as ProjectPath };
}

/** The git repository that holds a folder; `undefined` without one. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await firstThere(at, ['.git'])) !== undefined) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The first of the names that is in the folder. */
export async function firstThere(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    if ((await ifFound(stat(join(folder, name)))) !== undefined) return name;
  }
  return undefined;
}
