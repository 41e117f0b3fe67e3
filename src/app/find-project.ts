import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findFirstExisting, projectReach, type ProjectReach, repositoryOf } from '../adapters/fs/project-reach.ts';
import type { ProjectPath } from '../base/brand.ts';
import { ifFound } from '../base/errno.ts';
import { AppError } from '../base/errors.ts';
import { foldersAbove } from '../project/project-file/folders-above.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';

/** A project file, or a folder that may contain one. */
export interface FoundProject {
  /** Absolute, real folder that its paths are relative to. */
  readonly folder: string;
  /** `undefined`: the first of the default names in the folder. */
  readonly projectFile: ProjectPath | undefined;
}

/**
 * Finds the project file for an argument, and the folder that its paths are relative to: its own, or one above when a path of the project
 * leaves its folder with `..` inside the git repository.
 *
 * @throws AppError NO_PROJECT
 */
export async function findProject(path: string, dialect: Dialect | undefined): Promise<FoundProject> {
  const found = await ifFound(realpath(path));
  if (found === undefined) throw new AppError('NO_PROJECT', { folder: dirname(path), lookedFor: [basename(path)] });
  if ((await stat(found)).isDirectory()) {
    const name = await findFirstExisting(found, defaultProjectNames(dialect));
    const reach = name === undefined ? undefined : await inRepository(join(found, name));
    return reach === undefined || reach.folder === found ? { folder: found, projectFile: undefined } : reach;
  }
  if (/\.project\.json[5c]?$/.test(found)) return inRepository(found);
  // No other file is a project, whatever its content.
  throw new AppError('NO_PROJECT', {
    folder: dirname(path),
    lookedFor: ['*.project.json', ...defaultProjectNames(dialect)],
  });
}

const inRepository = async (file: string): Promise<ProjectReach> =>
  projectReach(file, foldersAbove, await repositoryOf(dirname(file)));

/** The nearest folder with a project file, from `folder` upwards, or else `folder`. */
export async function projectFolderAbove(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await findFirstExisting(at, defaultProjectNames())) !== undefined) return at;
    if (dirname(at) === at) return folder;
  }
}
