import type { ProjectPath } from '../../../base/brand.ts';
import { joinPath, PROJECT_FOLDER } from '../../../base/project-path.ts';
import type { FileSystem } from '../../../ports/file-system.ts';

/** The search for Pluto modules ends after this many folders. */
const MAX_FOLDERS = 5000;

/** Whether the name is that of a file for the Pluto tools. */
export const isPlutoFile = (name: string): boolean => name === 'pluto.toml' || /\.(?:pluto|pt)$/.test(name);

/**
 * Whether a project has Pluto modules, or declares them. Stops at the first one. Searches breadth first, also beside folders that cannot
 * be read.
 *
 * @throws the failure of a folder that cannot be read, if no other folder has a module
 */
export async function hasModules(files: Pick<FileSystem, 'list'>, signal: AbortSignal): Promise<boolean> {
  const waiting: ProjectPath[] = [PROJECT_FOLDER];
  const failures: unknown[] = [];
  for (let at = 0; at < waiting.length && at < MAX_FOLDERS; at += 1) {
    signal.throwIfAborted();
    const folder = waiting[at] ?? PROJECT_FOLDER;
    const entries = await files.list(folder).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
    for (const { name, kind } of entries) {
      if (kind === 'file' && isPlutoFile(name)) return true;
      if (kind === 'directory' && !name.startsWith('.') && name !== 'node_modules')
        waiting.push(joinPath(folder, name));
    }
  }
  if (failures.length > 0) throw failures[0];
  return false;
}
