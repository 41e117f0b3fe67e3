import type { ProjectPath, Ref } from '../../base/brand.ts';
import { joinPath } from '../../base/project-path.ts';
import { reasonOf } from '../../protocol/reason.ts';
import { pathReferencesOf, type ProjectTree, type TreeInstance } from '../tree/project-tree.ts';
import { CannotWriteError } from './cannot-write-error.ts';
import { convertToFolder } from './convert-to-folder.ts';
import { renameFile } from './plan-rename.ts';
import type { Planning } from './planning.ts';
import { sourceLocationOf } from './source-locations.ts';

/**
 * Plans a new parent for an instance. Its file or folder is moved with its meta files and everything in it, so their contents stay as they
 * are.
 *
 * @param target `parentId`: in the tree, or the id of an instance that the plan creates
 * @throws CannotWriteError when a project file describes it, or no separate file or folder does, or its new parent has no folder
 */
export async function planMove(
  planning: Planning,
  instance: TreeInstance,
  target: { readonly parentId: Ref; readonly name: string },
): Promise<void> {
  const { tree } = planning.context;
  const { parentId, name } = target;
  for (const inside of tree.descendants(instance.id)) {
    // Its paths are relative to its place.
    if (inside.metadata.source?.kind === 'projectNode')
      throw new CannotWriteError(reasonOf('move_in_project_file', inside.metadata.source.file));
    const property = pathReferenceOf(tree, inside);
    if (property !== undefined) throw new CannotWriteError(reasonOf('move_breaks_path', property));
  }
  const { location } = instance;
  if (location.kind !== 'file' && location.kind !== 'folder') throw new CannotWriteError(reasonOf('no_own_file'));
  await renameFile(planning, instance, location, name, await folderFor(planning, parentId));
}

/** The property of a reference by path from or to the instance. */
function pathReferenceOf(tree: ProjectTree, instance: TreeInstance): string | undefined {
  for (const [property] of pathReferencesOf(instance)) return property;
  for (const id of tree.idsReferringByPath(instance.id)) {
    const owner = tree.get(id);
    for (const [property, target] of owner ? pathReferencesOf(owner) : []) if (target === instance.id) return property;
  }
  return undefined;
}

/** The folder for the files of children. The file of a script becomes a folder. */
async function folderFor(planning: Planning, parentId: Ref): Promise<ProjectPath> {
  const { drafts, newFolders, context } = planning;
  const parent = context.tree.get(parentId);
  if (parent === undefined) {
    const created = newFolders.get(parentId);
    if (created === undefined) throw new CannotWriteError(reasonOf('not_in_project'));
    // The folder is not empty then.
    const placeholder = joinPath(created, '.gitkeep');
    if (drafts.has(placeholder)) drafts.remove(placeholder);
    return created;
  }
  const location = sourceLocationOf(planning, parent);
  if (location.folder !== undefined) return location.folder;
  const converted = location.text === undefined ? undefined : await convertToFolder(planning, parent);
  if (converted?.folder === undefined) throw new CannotWriteError(reasonOf('parent_has_no_folder'));
  return converted.folder;
}
