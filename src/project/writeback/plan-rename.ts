import { isScriptClass } from '../../protocol/script-class.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { folderOf, joinPath, nameOf } from '../../base/project-path.ts';
import { isIgnoredByGlobs } from '../file-kinds/directory.ts';
import { isMetaFile, metaNamesOf, plainName } from '../file-kinds/file-kinds.ts';
import type { PropertiesLocation, SnapshotSettings, SourceLocation } from '../snapshot/source-snapshot.ts';
import { pathReferencesOf, type TreeInstance } from '../tree/project-tree.ts';
import { CannotWriteError } from './cannot-write-error.ts';
import type { FileBaseName } from './file-names.ts';
import { nestedProjectOf } from './nested-project.ts';
import type { Planning } from './planning.ts';
import { otherInstanceSharing, setLocatedJson } from './source-locations.ts';

export type FileLocation = Extract<SourceLocation, { readonly kind: 'file' | 'folder' }>;

/**
 * Plans the new name of an instance. Its file or folder is renamed, together with its meta files; a name that a file sets is changed there.
 *
 * @throws CannotWriteError when a project file gives the name, or no file can have it
 */
export async function planRename(planning: Planning, instance: TreeInstance, name: string): Promise<void> {
  const { location, metadata, className, parent } = instance;
  const nested = nestedProjectOf(instance);
  if (nested !== undefined) await planning.drafts.setJson(nested.file, ['name'], name);
  else if (metadata.source?.kind === 'projectNode')
    throw new CannotWriteError(reasonOf('rename_in_project_file', metadata.source.file));
  else if (location.kind === 'file' || location.kind === 'folder') await renameFile(planning, instance, location, name);
  else await renameInsideFile(planning, instance, name);
  planning.renamed.push({ id: instance.id, parent, className, name });
  planning.renamedBy.set(instance.id, planning.pull);
}

async function renameInsideFile(planning: Planning, instance: TreeInstance, name: string): Promise<void> {
  if (instance.modelPlace) return planning.models.setName(instance, name);
  const [model] = instance.location.values;
  if (model?.kind !== 'model') throw new CannotWriteError(reasonOf('no_own_file'));
  await setLocatedJson(planning, model, [(await nameKeyIn(planning, model)) ?? 'name'], name);
}

/**
 * Gives the file or folder of an instance the name `name`, in `folder`.
 *
 * @throws CannotWriteError when no file can have that name
 */
export async function renameFile(
  planning: Planning,
  instance: TreeInstance,
  location: FileLocation,
  name: string,
  folder: ProjectPath = folderOf(location.entry),
): Promise<void> {
  const settings = instance.origin?.settings;
  if (settings === undefined) throw new CannotWriteError(reasonOf('no_own_file'));
  const base = baseNamed(nameOf(location.entry), instance.name, location.kind, settings);
  const own = location.values.find(values => values.kind !== 'node' && values.exists);
  const nameKey = own && settings.dialect === 'atlas' ? await nameKeyIn(planning, own) : undefined;
  if (base === undefined) {
    if (folder !== folderOf(location.entry)) throw new CannotWriteError(reasonOf('rename_by_hand', name));
    if (own === undefined || nameKey === undefined) throw new CannotWriteError(reasonOf('rename_by_hand', name));
    if (otherInstanceSharing(planning.context.tree, instance, own) !== undefined)
      throw new CannotWriteError(reasonOf('shared_name', own.file));
    return setLocatedJson(planning, own, [nameKey], name);
  }
  const chosen = await chooseBase(planning, instance, location, { folder, base, name, settings });
  const moved = await moveFiles(planning, instance, location, { folder, base, newBase: chosen.base, settings });
  planning.converted.set(instance.id, moved);
  planning.drafts.onRollBack(() => planning.converted.delete(instance.id));
  planning.entries.set(planning.pull, moved.entry);
  const values = moved.values.find(each => each.kind !== 'node');
  if (nameKey === undefined && chosen.isExact) return;
  if (values === undefined) throw new CannotWriteError(reasonOf('rename_by_hand', name));
  await setLocatedJson(planning, values, [nameKey ?? 'name'], name);
}

/** The part of the file name that gives the instance its name; `undefined` if something else gives it. */
function baseNamed(
  entry: string,
  name: string,
  kind: FileLocation['kind'],
  { dialect }: SnapshotSettings,
): string | undefined {
  const end = kind === 'folder' ? entry.length : entry.indexOf('.', name.length);
  const base = end < 0 ? entry : entry.slice(0, end);
  return plainName(base, dialect) === name ? base : undefined;
}

/** The new place of the files of an instance. `base`: the part of their current names that gives the instance its name. */
interface RenameTarget {
  readonly folder: ProjectPath;
  readonly base: string;
  readonly settings: SnapshotSettings;
}

/** Chooses the new base name. The current files of the instance do not occupy any. */
async function chooseBase(
  planning: Planning,
  instance: TreeInstance,
  location: FileLocation,
  { folder, base, name, settings }: RenameTarget & { readonly name: string },
): Promise<FileBaseName> {
  const { drafts, names } = planning;
  const suffix = nameOf(location.entry).slice(base.length);
  const taken = await drafts.names(folder);
  const own = [location.entry, ...(location.kind === 'file' ? metaFilesOf(planning, instance) : [])].map(nameOf);
  const isScript = isScriptClass(instance.className);
  const hasMeta = own.length > 1 || names.needsSlug(name, settings.dialect);
  const inFolderOfName = await drafts.names(joinPath(folder, name));
  const isFree = (candidate: string): boolean => {
    if (taken.has(candidate + suffix) || drafts.isMovedAway(joinPath(folder, candidate + suffix))) return false;
    if (location.kind === 'folder') return !(isScript && taken.hasScriptOf(candidate));
    const hasScriptFolder = isScript && candidate === name && inFolderOfName.hasScriptOf('init');
    const hasOtherMeta = metaNamesOf(candidate).some(meta => taken.has(meta));
    return !hasScriptFolder && !hasOtherMeta && !(hasMeta && taken.hasFileOf(candidate));
  };
  const isSameFolder = folder === folderOf(location.entry);
  for (const each of isSameFolder ? own : []) taken.delete(each);
  const chosen = names.chooseBase(name, settings.dialect, isFree, location.kind);
  for (const each of isSameFolder ? own : []) taken.add(each);
  if (chosen === undefined) throw new CannotWriteError(reasonOf('rename_by_hand', name));
  return chosen;
}

async function moveFiles(
  planning: Planning,
  instance: TreeInstance,
  location: FileLocation,
  { folder, base, newBase, settings }: RenameTarget & { readonly newBase: string },
): Promise<FileLocation> {
  const { drafts, context, limits } = planning;
  const renamed = (path: ProjectPath): ProjectPath => joinPath(folder, newBase + nameOf(path).slice(base.length));
  const entry = renamed(location.entry);
  if (isIgnoredByGlobs(entry, settings)) throw new CannotWriteError(reasonOf('ignored_by_globs', entry));
  if (limits.excludesFile(entry)) throw new CannotWriteError(reasonOf('excluded_by_rules', entry));
  if (location.kind === 'folder') {
    await drafts.moveFolder(location.entry, entry);
    const inside = (path: ProjectPath): ProjectPath => joinPath(entry, path.slice(location.entry.length + 1));
    const values = location.values.map(each => (each.kind === 'node' ? each : { ...each, file: inside(each.file) }));
    const text = location.text && { ...location.text, path: inside(location.text.path) };
    return { ...location, folder: entry, entry, values, ...(text && { text }) };
  }
  await drafts.move(location.entry, entry);
  for (const meta of metaFilesOf(planning, instance)) {
    // Another script of the same name keeps the meta file that both had.
    if (context.tree.idsTouchedBy(meta).some(id => id !== instance.id))
      drafts.create(renamed(meta), await drafts.text(meta));
    else await drafts.move(meta, renamed(meta));
  }
  const values = location.values.map(each => (each.kind === 'node' ? each : { ...each, file: renamed(each.file) }));
  return { ...location, entry, values, ...(location.text && { text: { ...location.text, path: entry } }) };
}

/** The meta files beside the file of an instance. */
const metaFilesOf = ({ context, drafts }: Planning, { metadata, location }: TreeInstance): readonly ProjectPath[] =>
  metadata.relevantPaths.filter(
    path =>
      path !== location.entry && isMetaFile(path) && (context.index.get(path)?.kind === 'file' || drafts.has(path)),
  );

/** The member that sets the name; `undefined` if there is none. */
async function nameKeyIn({ drafts }: Planning, { file, at }: PropertiesLocation): Promise<string | undefined> {
  if (/\.rbxmx?$/.test(file)) return undefined;
  for (const key of ['name', 'Name']) if ((await drafts.jsonAt(file, [...at, key])) !== undefined) return key;
  return undefined;
}

/**
 * Plans all references by path to renamed instances or their descendants, because their paths change. Looks at each reference once, however
 * many instances are renamed.
 */
export function* planReferencesToRenamed({ context: { tree }, references, renamedBy }: Planning): PausableWork<void> {
  if (renamedBy.size === 0) return;
  const planned = new Set(references.map(({ owner, property }) => `${owner}\0${property}`));
  const pullThrough = (id: Ref): number | undefined => {
    for (let at = tree.get(id); at !== undefined; at = tree.get(at.parent)) {
      const pull = renamedBy.get(at.id);
      if (pull !== undefined) return pull;
    }
    return undefined;
  };
  for (const id of tree.idsWithReferences()) {
    yield;
    const owner = tree.get(id);
    if (owner === undefined) continue;
    for (const [property, target] of pathReferencesOf(owner)) {
      const pull = pullThrough(target);
      if (pull === undefined || planned.has(`${id}\0${property}`)) continue;
      references.push({ pull, owner: id, className: owner.className, property, target });
    }
  }
}
