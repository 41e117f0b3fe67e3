import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath, nameOf } from '../../base/project-path.ts';
import { isScriptClass } from '../../roblox/instances/instance.ts';
import { memberOf, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { nodeAt } from '../../roblox/formats/json5-edit.ts';
import { isIgnored } from '../file-kinds/directory.ts';
import { plainName } from '../file-kinds/file-kinds.ts';
import type { PropertiesLocation, SnapshotSettings, SourceLocation } from '../snapshot/source-snapshot.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { CannotWriteError } from './cannot-write-error.ts';
import type { ChosenBase } from './file-names.ts';
import { nestedProjectOf } from './nested-project.ts';
import type { Planning } from './planning.ts';
import { otherInstanceSharing, setLocatedJson } from './source-locations.ts';

type FileLocation = Extract<SourceLocation, { readonly kind: 'file' | 'folder' }>;

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
  await repeatReferences(planning, instance);
}

async function renameInsideFile(planning: Planning, instance: TreeInstance, name: string): Promise<void> {
  if (instance.modelPlace) return planning.models.setName(instance, name);
  const [model] = instance.location.values;
  if (model?.kind !== 'model') throw new CannotWriteError(reasonOf('no_own_file'));
  await setLocatedJson(planning, model, [(await nameKeyIn(planning, model)) ?? 'name'], name);
}

async function renameFile(
  planning: Planning,
  instance: TreeInstance,
  location: FileLocation,
  name: string,
): Promise<void> {
  const settings = instance.origin?.settings;
  if (settings === undefined) throw new CannotWriteError(reasonOf('no_own_file'));
  const base = baseNamed(nameOf(location.entry), instance.name, location.kind, settings);
  const own = location.values.find(values => values.kind !== 'node' && values.exists);
  const nameKey = own && settings.dialect === 'atlas' ? await nameKeyIn(planning, own) : undefined;
  if (base === undefined) {
    if (own === undefined || nameKey === undefined) throw new CannotWriteError(reasonOf('rename_by_hand', name));
    if (otherInstanceSharing(planning.context.tree, instance, own) !== undefined)
      throw new CannotWriteError(reasonOf('shared_name', own.file));
    return setLocatedJson(planning, own, [nameKey], name);
  }
  const chosen = await chooseBase(planning, instance, location, base, name, settings);
  const moved = await moveFiles(planning, instance, location, base, chosen.base, settings);
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

/** Chooses the new base name. The current files of the instance do not occupy any. */
async function chooseBase(
  planning: Planning,
  instance: TreeInstance,
  location: FileLocation,
  base: string,
  name: string,
  settings: SnapshotSettings,
): Promise<ChosenBase> {
  const { drafts, names } = planning;
  const folder = folderOf(location.entry);
  const suffix = nameOf(location.entry).slice(base.length);
  const taken = await drafts.names(folder);
  const own = [location.entry, ...(location.kind === 'file' ? metaFilesOf(planning, instance) : [])].map(nameOf);
  const isScript = isScriptClass(instance.className);
  const hasMeta = own.length > 1 || names.needsSlug(name, settings.dialect);
  const twin = await drafts.names(joinPath(folder, name));
  const isFree = (candidate: string): boolean => {
    if (taken.has(candidate + suffix) || drafts.isMovedAway(joinPath(folder, candidate + suffix))) return false;
    if (location.kind === 'folder') return !(isScript && taken.hasScriptOf(candidate));
    const hasTwin = isScript && candidate === name && twin.hasScriptOf('init');
    const hasOtherMeta = ['json', 'json5', 'jsonc'].some(ending => taken.has(`${candidate}.meta.${ending}`));
    return !hasTwin && !hasOtherMeta && !(hasMeta && taken.hasFileOf(candidate));
  };
  for (const each of own) taken.delete(each);
  const chosen = names.chooseBase(name, settings.dialect, isFree, location.kind);
  for (const each of own) taken.add(each);
  if (chosen === undefined) throw new CannotWriteError(reasonOf('rename_by_hand', name));
  return chosen;
}

async function moveFiles(
  planning: Planning,
  instance: TreeInstance,
  location: FileLocation,
  base: string,
  newBase: string,
  settings: SnapshotSettings,
): Promise<FileLocation> {
  const { drafts, context, limits } = planning;
  const folder = folderOf(location.entry);
  const renamed = (path: ProjectPath): ProjectPath => joinPath(folder, newBase + nameOf(path).slice(base.length));
  const entry = renamed(location.entry);
  if (isIgnored(entry, settings)) throw new CannotWriteError(reasonOf('ignored_by_globs', entry));
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
      path !== location.entry &&
      /\.meta\.json[5c]?$/.test(path) &&
      (context.index.get(path)?.kind === 'file' || drafts.has(path)),
  );

/** The member that sets the name; `undefined` if there is none. */
async function nameKeyIn({ drafts }: Planning, { file, at }: PropertiesLocation): Promise<string | undefined> {
  if (/\.rbxmx?$/.test(file)) return undefined;
  const document = parseJsonDocument(await drafts.text(file));
  const node = document.ok ? nodeAt(document.value.root, at) : undefined;
  return ['name', 'Name'].find(key => memberOf(node, key) !== undefined);
}

/** Writes the references by path that pass through the renamed instance again. */
async function repeatReferences({ context: { tree }, references, pull }: Planning, top: TreeInstance): Promise<void> {
  const isInside = (id: string): boolean => {
    for (let at = tree.get(id as TreeInstance['id']); at !== undefined; at = tree.get(at.parent))
      if (at.id === top.id) return true;
    return false;
  };
  for (const id of tree.idsWithReferences()) {
    const owner = tree.get(id);
    for (const [property, { by }] of owner?.namedTargets ?? []) {
      const target = owner?.properties.get(property);
      if (owner === undefined || by !== 'path' || target?.type !== 'Ref' || !isInside(target.value)) continue;
      const isPlanned = references.some(each => each.owner === id && each.property === property);
      if (!isPlanned) references.push({ pull, owner: id, className: owner.className, property, target: target.value });
    }
  }
}
