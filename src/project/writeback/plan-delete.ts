import type { ProjectPath } from '../../base/brand.ts';
import { joinPath, nameOf } from '../../base/project-path.ts';
import { withoutJsonValue } from '../../roblox/formats/json5-edit.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { sharerOf } from './source-locations.ts';
import type { Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** The files of an instance that the other side does not have go; nothing else does. */
export async function planDelete(planning: Planning, instance: TreeInstance): Promise<void> {
  const { location, metadata } = instance;
  const { context, drafts } = planning;
  if (metadata.source?.kind === 'projectNode')
    throw new CannotWriteError(`it is a node in ${metadata.source.file}; remove it from the project file by hand`);
  if (location.entry === undefined) {
    if (instance.modelPlace) return planning.models.remove(instance);
    const [model] = location.values;
    if (model?.kind !== 'model') throw new CannotWriteError('no file describes this instance alone');
    return drafts.editJson(model.file, (document, at) => withoutJsonValue(document, at(model.at)), model.at);
  }
  if (location.folder === undefined) {
    for (const path of ownFiles(planning, instance)) drafts.remove(path);
    return;
  }
  const owned = new Set<ProjectPath>();
  for (const below of context.tree.descendants(instance.id)) {
    if (below.metadata.source?.kind === 'projectNode')
      throw new CannotWriteError(
        `it contains a nested project, ${below.metadata.source.file}; remove that project by hand`,
      );
    for (const path of ownFiles(planning, below)) owned.add(path);
  }
  await removeFolder(planning, location.folder, owned);
}

/** Files that belong to this instance and to no other. */
function ownFiles({ context }: Planning, instance: TreeInstance): readonly ProjectPath[] {
  const { location } = instance;
  if (location.entry === undefined) return [];
  const metas = location.values
    .filter(values => values.kind === 'meta' && values.exists && !sharerOf(context.tree, instance, values))
    .map(values => values.file);
  return [
    ...(location.folder === undefined ? [location.entry] : []),
    ...(location.folder !== undefined && location.text ? [location.text.path] : []),
    ...metas,
  ];
}

/** A folder goes only with everything in it, so a file in it that made no instance keeps it, and the whole removal back. */
async function removeFolder(planning: Planning, folder: ProjectPath, owned: ReadonlySet<ProjectPath>): Promise<void> {
  const { context, drafts, limits } = planning;
  for (const entry of await context.ports.files.list(folder)) {
    const path = joinPath(folder, entry.name);
    if (limits.hidesFile(path))
      throw new CannotWriteError(`${path} is excluded by "syncbackRules", so its folder is kept`);
    if (entry.kind === 'directory') await removeFolder(planning, path, owned);
    else if (owned.has(path)) drafts.remove(path);
    else if (nameOf(path) === '.gitkeep') await drafts.removeUnread(path);
    else
      throw new CannotWriteError(
        `${path} is not part of the project and would be left behind; move it, or remove the folder by hand`,
      );
  }
  drafts.removeFolder(folder);
}
