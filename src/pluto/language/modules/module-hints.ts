import type { ProjectPath } from '../../../base/brand.ts';
import { nameOf } from '../../../base/project-path.ts';
import { isPlutoFile } from './has-modules.ts';

/**
 * Whether a path that was created, changed or deleted may change the modules of a project: a module, a manifest, or a folder. A path is
 * treated as a folder if its name has no dot, or if it contains known modules.
 *
 * @param files the known modules
 */
export function concernsModules(path: ProjectPath, files: readonly ProjectPath[] = []): boolean {
  if (path.split('/').includes('node_modules')) return false;
  const name = nameOf(path);
  return isPlutoFile(name) || !name.includes('.') || filesBelow(path, files).length > 0;
}

/** The files that are `path` or below it. */
export const filesBelow = (path: ProjectPath, files: readonly ProjectPath[]): readonly ProjectPath[] =>
  files.filter(file => file === path || file.startsWith(`${path}/`));
