import type { ProjectPath, Ref } from '../../base/brand.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { CannotWriteError } from './cannot-write-error.ts';
import { convertToFolder } from './convert-to-folder.ts';
import { renameFile } from './plan-rename.ts';
import type { Planning } from './planning.ts';
import { sourceLocationOf } from './source-locations.ts';

/**
 * Plans a new parent for an instance. Its file or folder is moved with its meta files and everything in it, so their contents stay as they
 * are.
 *
 * @throws CannotWriteError when a project file describes it, or no separate file or folder does, or its new parent has no folder
 */
export async function planMove(
  planning: Planning,
  instance: TreeInstance,
  { parentId, name }: { readonly parentId: Ref; readonly name: string },
): Promise<void> {
  const { tree } = planning.context;
  const parent = tree.get(parentId);
  if (parent === undefined) throw new CannotWriteError(reasonOf('not_in_project'));
  const inside = new Set<string>();
  for (const { id, metadata } of tree.descendants(instance.id)) {
    inside.add(id);
    // Its paths are relative to its place.
    if (metadata.source?.kind === 'projectNode')
      throw new CannotWriteError(reasonOf('move_in_project_file', metadata.source.file));
  }
  const { location } = instance;
  if (location.kind !== 'file' && location.kind !== 'folder') throw new CannotWriteError(reasonOf('no_own_file'));
  for (const id of tree.idsWithReferences())
    for (const [property, { by }] of tree.get(id)?.namedTargets ?? []) {
      const target = tree.get(id)?.properties.get(property);
      if (by !== 'path' || target?.type !== 'Ref') continue;
      if (inside.has(id) || inside.has(target.value))
        throw new CannotWriteError(reasonOf('move_breaks_path', property));
    }
  await renameFile(planning, instance, location, name, await folderFor(planning, parent));
}

/** The folder for the files of children. The file of a script becomes a folder. */
async function folderFor(planning: Planning, parent: TreeInstance): Promise<ProjectPath> {
  const location = sourceLocationOf(planning, parent);
  if (location.folder !== undefined) return location.folder;
  const converted = location.text === undefined ? undefined : await convertToFolder(planning, parent);
  if (converted?.folder === undefined) throw new CannotWriteError(reasonOf('parent_has_no_folder'));
  return converted.folder;
}
