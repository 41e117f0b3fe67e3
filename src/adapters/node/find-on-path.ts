import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
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
    // A program that cannot be accessed cannot be run.
    const canRun = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (canRun) return file;
  }
  return undefined;
}
