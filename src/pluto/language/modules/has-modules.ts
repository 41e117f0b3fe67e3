import type { ProjectPath } from '../../../base/brand.ts';
import { joinPath, PROJECT_FOLDER } from '../../../base/project-path.ts';
import type { FileSystem } from '../../../ports/file-system.ts';

/** A folder with more subfolders than this is not searched for Pluto modules. */
const MAX_FOLDERS = 5000;

/** Whether the name is that of a file for the Pluto tools. */
export const isPlutoFile = (name: string): boolean => name === 'pluto.toml' || /\.(?:pluto|pt)$/.test(name);

/** Whether a project has Pluto modules, or declares them. Stops at the first one. Searches breadth first. */
export async function hasModules(files: Pick<FileSystem, 'list'>, signal: AbortSignal): Promise<boolean> {
  const waiting: ProjectPath[] = [PROJECT_FOLDER];
  for (let at = 0; at < waiting.length && at < MAX_FOLDERS; at += 1) {
    signal.throwIfAborted();
    const folder = waiting[at] ?? PROJECT_FOLDER;
    for (const { name, kind } of await files.list(folder)) {
      if (kind === 'file' && isPlutoFile(name)) return true;
      if (kind === 'directory' && !name.startsWith('.') && name !== 'node_modules')
        waiting.push(joinPath(folder, name));
    }
  }
  return false;
}
