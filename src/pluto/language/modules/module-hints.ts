import type { ProjectPath } from '../../../base/brand.ts';
import { nameOf } from '../../../base/project-path.ts';

/**
 * Whether a path that was created, changed or deleted may change the modules of a project: a module, a manifest, or a folder. A name without
 * a dot may be a folder; others are if they contain known modules.
 *
 * @param files the known modules
 */
export function concernsModules(path: ProjectPath, files: readonly ProjectPath[] = []): boolean {
  if (path.split('/').includes('node_modules')) return false;
  const name = nameOf(path);
  return (
    name === 'pluto.toml' || /\.(?:pluto|pt)$/.test(name) || !name.includes('.') || filesBelow(path, files).length > 0
  );
}

/** The files that are `path` or below it. */
export const filesBelow = (path: ProjectPath, files: readonly ProjectPath[]): readonly ProjectPath[] =>
  files.filter(file => file === path || file.startsWith(`${path}/`));
