import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { arch, platform } from 'node:process';
import { delimiter, isAbsolute, join } from 'node:path';

export interface RipgrepPlaces {
  /** What a person set; wins when it can be run. */
  readonly setting?: string | undefined;
  /** VS Code's own folder of resources, which brings a ripgrep along; its place inside has moved between versions. */
  readonly appRoot?: string | undefined;
  /** The value of `PATH`. */
  readonly path?: string | undefined;
}

/** The ripgrep to use: the setting's, VS Code's own, the first on the PATH; `undefined` when there is none that can be run. */
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
    return false;
  }
}
