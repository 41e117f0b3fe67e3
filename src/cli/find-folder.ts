import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ifFound } from '../base/errno.ts';

/** The absolute folder of an argument, links followed; `undefined` if there is no such folder. */
export async function findFolder(cwd: string, path: string): Promise<string | undefined> {
  const found = await ifFound(realpath(resolve(cwd, path)));
  return found !== undefined && (await stat(found)).isDirectory() ? found : undefined;
}
