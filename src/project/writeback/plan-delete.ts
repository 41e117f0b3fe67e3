import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { joinPath, nameOf } from '../../base/project-path.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { otherInstanceSharing } from './source-locations.ts';
import { nestedProjectOf } from './nested-project.ts';
import type { Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** Plans the removal of an instance: its files are removed, no others. */
export async function planDelete(planning: Planning, instance: TreeInstance): Promise<void> {
  const { location, metadata } = instance;
  const { context, drafts } = planning;
  const nested = nestedProjectOf(instance);
  if (metadata.source?.kind === 'projectNode' && nested === undefined)
    throw new CannotWriteError(reasonOf('node_of_project', metadata.source.file));
  if (location.entry === undefined) {
    if (instance.modelPlace) return planning.models.remove(instance);
    const [model] = location.values;
    if (model?.kind !== 'model') throw new CannotWriteError(reasonOf('no_own_file'));
    return drafts.setJson(model.file, model.at, undefined);
  }
  if (location.folder === undefined && nested === undefined) {
    for (const path of ownFiles(planning, instance)) drafts.remove(path);
    planning.removed.add(instance.id);
    drafts.onRollBack(() => planning.removed.delete(instance.id));
    return;
  }
  const owned = new Set<ProjectPath>();
  for (const below of context.tree.descendants(instance.id)) {
    if (below.metadata.source?.kind === 'projectNode' && nestedProjectOf(below) === undefined)
      throw new CannotWriteError(reasonOf('contains_project', below.metadata.source.file));
    for (const path of ownFiles(planning, below)) owned.add(path);
  }
  await removeFolder(planning, nested?.folder ?? location.folder ?? location.entry, owned);
}

/** The files that belong to this instance only, or otherwise to instances that are removed too. */
function ownFiles({ context, removed }: Planning, instance: TreeInstance): readonly ProjectPath[] {
  const { location } = instance;
  if (location.entry === undefined) return [];
  const metas = location.values
    .filter(
      values =>
        values.kind === 'meta' && values.exists && !otherInstanceSharing(context.tree, instance, values, removed),
    )
    .map(values => values.file);
  const nested = nestedProjectOf(instance);
  return [
    ...(nested === undefined ? [] : [nested.file]),
    ...(location.folder === undefined ? [nested?.entry ?? location.entry] : []),
    ...(location.folder !== undefined && location.text ? [location.text.path] : []),
    ...metas,
  ];
}

/** Removes a folder with its contents. A file in it that describes no instance prevents the whole removal. */
async function removeFolder(planning: Planning, folder: ProjectPath, owned: ReadonlySet<ProjectPath>): Promise<void> {
  const { context, drafts, limits } = planning;
  for (const entry of await context.ports.files.list(folder)) {
    const path = joinPath(folder, entry.name);
    if (limits.excludesFile(path)) throw new CannotWriteError(reasonOf('excluded_folder_kept', path));
    if (entry.kind === 'directory') await removeFolder(planning, path, owned);
    else if (owned.has(path)) drafts.remove(path);
    else if (nameOf(path) === '.gitkeep') await drafts.removePlaceholder(path);
    else throw new CannotWriteError(reasonOf('unknown_file_left', path));
  }
  drafts.removeFolder(folder);
}
