import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath, nameOf } from '../../base/project-path.ts';
import type { FileTraits } from '../snapshot/file-traits.ts';
import { initMetaNames, isMetaFile, withoutMetaSuffix } from '../file-kinds/file-kinds.ts';
import type { SourceLocation, SnapshotSettings, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { sourceLocationOf, otherInstanceSharing } from './source-locations.ts';
import type { Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/**
 * Converts an instance from a single file to a folder, so that it can have children and a separate meta file: `Foo.luau` becomes
 * `Foo/init.luau`, and its meta file becomes `Foo/init.meta.json`. A project node with the path of the file gets the path of the folder.
 *
 * @throws CannotWriteError when no folder is equivalent to the file
 */
export async function convertToFolder(planning: Planning, instance: TreeInstance): Promise<SourceLocation> {
  const location = sourceLocationOf(planning, instance);
  if (location.folder !== undefined) return location;
  const { drafts, context } = planning;
  const where = context.tree.pathOf(instance.id) || instance.name;
  const { text: before, fileKind, ...rest } = location;
  const settings = instance.origin?.settings;
  if (before === undefined || fileKind === undefined || settings === undefined)
    throw new CannotWriteError(reasonOf('cannot_become_folder', where));
  const file = before.path;
  const meta = location.values.find(values => values.kind === 'meta');
  const base = baseOf(file, meta);
  const folder = joinPath(folderOf(file), base);
  if ((await drafts.names(folderOf(file))).has(base))
    throw new CannotWriteError(reasonOf('folder_exists', where, folder));
  const initName = initNameFor(planning, instance, file, fileKind, settings);
  const moved = await moveMeta(planning, instance, folder, settings, meta);
  if (initName === undefined) {
    await storeText(planning, moved, instance, before.format.property);
    drafts.remove(file);
  } else await drafts.move(file, joinPath(folder, initName));
  await updateNodePath(planning, location.values, file, base);
  const parts = {
    ...rest,
    fileKind,
    values: location.values.map(values => (values === meta ? moved : values)),
    folder,
    ...(initName !== undefined && { text: { ...before, path: joinPath(folder, initName) } }),
  };
  const converted: SourceLocation =
    rest.kind === 'node' ? { ...parts, kind: 'node' } : { ...parts, kind: 'folder', entry: folder };
  planning.converted.set(instance.id, converted);
  drafts.onRollBack(() => planning.converted.delete(instance.id));
  return converted;
}

/** The file name without the suffix of its kind. Meta files are named after it. */
const baseOf = (file: ProjectPath, meta: PropertiesLocation | undefined): string =>
  meta === undefined ? nameOf(file).replace(/\..*$/, '') : withoutMetaSuffix(nameOf(meta.file));

/** The name of the equivalent init file; `undefined` when the text becomes a property in the meta file. */
function initNameFor(
  { context }: Planning,
  instance: TreeInstance,
  file: ProjectPath,
  kind: FileTraits,
  { dialect }: SnapshotSettings,
): string | undefined {
  const init = context.fileKinds.initFileFor(nameOf(file), kind, dialect);
  if (init === undefined && kind.content === 'script')
    throw new CannotWriteError(reasonOf('cannot_have_children', context.tree.pathOf(instance.id), file));
  return init?.name;
}

async function moveMeta(
  planning: Planning,
  instance: TreeInstance,
  folder: ProjectPath,
  { dialect }: SnapshotSettings,
  meta: PropertiesLocation | undefined,
): Promise<PropertiesLocation> {
  const { drafts, context } = planning;
  const [preferred = 'init.meta.json'] = initMetaNames(dialect);
  const base: PropertiesLocation = meta ?? {
    kind: 'meta',
    file: joinPath(folder, preferred),
    exists: false,
    at: [],
    propertiesKey: 'properties',
    attributesKey: 'attributes',
    hasAttributes: false,
    keys: new Map(),
  };
  const others = instance.metadata.relevantPaths.filter(
    path => path !== base.file && isMetaFile(path) && context.index.get(path)?.kind === 'file',
  );
  if (others.length > 0 && dialect === 'rojo')
    throw new CannotWriteError(reasonOf('described_twice', base.file, others.join(', ')));
  if (!base.exists && !drafts.has(base.file)) return { ...base, file: joinPath(folder, preferred) };
  const file = joinPath(folder, `init.meta${/\.json[5c]?$/.exec(base.file)?.[0] ?? '.json'}`);
  if (otherInstanceSharing(context.tree, instance, base) === undefined) await drafts.move(base.file, file);
  else drafts.create(file, await drafts.text(base.file));
  return { ...base, file, exists: true };
}

/** Moves the text of a file into the meta file of the folder. */
async function storeText(
  { drafts }: Planning,
  location: PropertiesLocation,
  instance: TreeInstance,
  property: string,
): Promise<void> {
  const value = instance.properties.get(property)?.value;
  if (!location.exists) drafts.createJson(location.file, {});
  await drafts.setJson(location.file, ['className'], instance.className);
  await drafts.setJson(location.file, [...location.at, location.propertiesKey, property], value);
}

/** Gives the project node with the path of the file the path of the folder. */
async function updateNodePath(
  { drafts }: Planning,
  locations: readonly PropertiesLocation[],
  file: ProjectPath,
  base: string,
): Promise<void> {
  const node = locations.find(values => values.kind === 'node');
  if (node === undefined) return;
  const at = [...node.at, '$path'];
  const optional = [...at, 'optional'];
  const isOptional = (await drafts.jsonAt(node.file, optional)) !== undefined;
  const before = await drafts.jsonAt(node.file, isOptional ? optional : at);
  if (typeof before !== 'string') return;
  const after = before.slice(0, before.length - nameOf(file).length) + base;
  await drafts.setJson(node.file, isOptional ? optional : at, after);
}
