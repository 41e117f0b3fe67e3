import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, nameOf } from '../../base/project-path.ts';
import type { TreeInstance } from '../tree/project-tree.ts';

/** A folder with a project that only gives an instance its name, as writing files in the Rojo dialect creates. */
export interface NestedProject {
  readonly folder: ProjectPath;
  readonly file: ProjectPath;
  /** The file or folder of the instance. */
  readonly entry: ProjectPath;
}

/** The project of that kind around an instance, if there is one. Other projects in folders are a person's and are never removed. */
export function nestedProjectOf({ name, location, metadata }: TreeInstance): NestedProject | undefined {
  const { source } = metadata;
  const { entry: folder } = location;
  if (source?.kind !== 'projectNode' || source.path === undefined || folder === undefined) return undefined;
  const isInside = source.names.length === 0 && folderOf(source.file) === folder && folderOf(source.path) === folder;
  const isNumbered = /~\d+$/.test(nameOf(folder)) && nameOf(folder) !== name;
  return isInside && isNumbered ? { folder, file: source.file, entry: source.path } : undefined;
}
