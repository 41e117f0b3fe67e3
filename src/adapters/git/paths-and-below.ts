import type { ProjectPath } from '../../base/brand.ts';
import { folderOf } from '../../base/project-path.ts';

/** A set of paths in which a folder includes everything below it. Iterates only the added paths. */
export class PathsAndBelow extends Set<ProjectPath> {
  override has(path: ProjectPath): boolean {
    for (let at = path; at !== ''; at = folderOf(at)) if (super.has(at)) return true;
    return super.has('' as ProjectPath);
  }
}
