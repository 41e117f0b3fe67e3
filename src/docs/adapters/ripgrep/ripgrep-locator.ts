import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { arch, platform } from 'node:process';
import { delimiter, isAbsolute, join } from 'node:path';

export interface RipgrepPlaces {
  /** The configured path; used if it is executable. */
  readonly setting?: string | undefined;
  /** VS Code's resource folder, which contains ripgrep; its location there depends on the version. */
  readonly appRoot?: string | undefined;
  /** The value of `PATH`. */
  readonly path?: string | undefined;
}

/** Finds ripgrep: from the setting, from VS Code, or on the PATH. Returns `undefined` if none is executable. */
export async function locateRipgrep(places: RipgrepPlaces): Promise<string | undefined> {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const { setting, appRoot, path = '' } = places;
  const ofVsCode =
    appRoot === undefined
      ? []
      : ['node_modules', 'node_modules.asar.unpacked'].flatMap(folder => [
          join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
          join(appRoot, folder, '@vscode', 'ripgrep', 'bin', name),
        ]);
  const onPath = path
    .split(delimiter)
    .filter(folder => isAbsolute(folder))
    .map(folder => join(folder, name));
  for (const candidate of [setting ?? '', ...ofVsCode, ...onPath])
    if (candidate !== '' && isAbsolute(candidate) && (await canRun(candidate))) return candidate;
  return undefined;
}

async function canRun(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing or not executable: the next candidate is tried.
    return false;
  }
}
