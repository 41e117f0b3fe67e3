import { readdir } from 'node:fs/promises';
import type { ToolFiles } from '../../ports/tool-files.ts';

const known = ['wally.toml', 'rokit.toml', 'aftman.toml', 'foreman.toml', 'argon.toml'];
const packages = ['Packages', 'ServerPackages', 'DevPackages'];

/** Finds the files of other tools. @param folder absolute; `undefined` has no files */
export async function findToolFiles(folder: string | undefined): Promise<ToolFiles> {
  // Doctor reports a folder that cannot be read when it checks the project.
  const names = new Set(folder === undefined ? [] : await readdir(folder).catch(() => []));
  return {
    files: known.filter(name => names.has(name)),
    lacksPackages: names.has('wally.toml') && !packages.some(name => names.has(name)),
  };
}
