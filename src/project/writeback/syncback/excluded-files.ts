import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf } from '../../../base/project-path.ts';
import type { ProjectFile } from '../../project-file/project-file.ts';

/** Returns a predicate for the files that the rules of the project exclude. */
export function excludesFile({ file, syncbackRules }: ProjectFile): (path: ProjectPath) => boolean {
  const folder = folderOf(file);
  return path => syncbackRules.ignoresPath(folder === '' ? path : path.slice(folder.length + 1));
}
