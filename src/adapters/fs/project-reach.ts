import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { isInside } from './contained-path.ts';

/** The root folder of a project's paths (absolute), and the project file relative to that folder. */
export interface ProjectReach {
  readonly folder: string;
  readonly projectFile: ProjectPath;
}

/**
 * The project's folder, or a folder above it if its paths lead there.
 *
 * @param file the project file, a real path
 * @param foldersAbove how many folders up the text of a project file leads
 * @param limit the folder that paths must not leave; `undefined`: the project's folder
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
  // Built from a real path, so every name in it is valid.
  return { folder, projectFile: relative(folder, file).split(sep).join('/') as ProjectPath };
}

/** The root of the git repository that contains a folder; `undefined` without one. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await findFirstExisting(at, ['.git'])) !== undefined) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The first of the names that exists in the folder. */
export async function findFirstExisting(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    if ((await ifFound(stat(join(folder, name)))) !== undefined) return name;
  }
  return undefined;
}
