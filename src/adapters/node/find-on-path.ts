import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The first program with that name on the search path `path`; `undefined` if there is none that can be run. */
export async function findOnPath(
  program: string,
  path: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const name = platform === 'win32' ? `${program}.exe` : program;
  for (const folder of (path ?? '').split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    if (await canRun(file)) return file;
  }
  return undefined;
}

/** Whether the path is a program that can be run. The permission of a folder with the same name means something else. */
async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
