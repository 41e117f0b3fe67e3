import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { firstThere } from '../adapters/fs/project-reach.ts';
import { ifFound } from '../base/errno.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';

/** The absolute folder of an argument, links followed; `undefined` if there is no such folder. */
export async function findFolder(cwd: string, path: string): Promise<string | undefined> {
  const found = await ifFound(realpath(resolve(cwd, path)));
  return found !== undefined && (await stat(found)).isDirectory() ? found : undefined;
}

/** The nearest folder with a project file, from `folder` upwards, or else `folder`. */
export async function projectFolderAbove(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await firstThere(at, defaultProjectNames())) !== undefined) return at;
    if (dirname(at) === at) return folder;
  }
}
