import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath, nameOf } from '../../base/project-path.ts';
import { jsonValue } from '../../roblox/formats/json5-document.ts';
import { nodeAt, withJsonValue } from '../../roblox/formats/json5-edit.ts';
import { initFiles, initMetaNames } from '../snapshot/rules.ts';
import { fileRule } from '../snapshot/sync-rules.ts';
import type { SourceLocation, SnapshotSettings, PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { sourceLocationOf, sharerOf } from './source-locations.ts';
import type { Planning } from './planning.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/**
 * Makes a folder of an instance that is a single file, so that it can have children and a meta file of its own: `Foo.luau` becomes
 * `Foo/init.luau`, the meta file beside it `Foo/init.meta.json`. A node of the project file that names the file names the folder then.
 *
 * @throws Refusal when no folder says the same as the file
 */
export async function convertToFolder(planning: Planning, instance: TreeInstance): Promise<SourceLocation> {
  const home = sourceLocationOf(planning, instance);
  if (home.folder !== undefined) return home;
  const { drafts, context } = planning;
  const where = context.tree.pathOf(instance.id) || instance.name;
  const file = home.text?.path;
  const settings = instance.origin?.settings;
  if (file === undefined || settings === undefined) throw new CannotWriteError(`no folder can stand for ${where}`);
  const meta = home.values.find(values => values.kind === 'meta');
  const base = baseOf(file, meta);
  const folder = joinPath(folderOf(file), base);
  if ((await drafts.names(folderOf(file))).has(base))
    throw new CannotWriteError(`${where} needs a folder ${folder}, and there is something of that name already`);
  const text = await textFile(planning, instance, file, settings);
  const moved = await moveMeta(planning, instance, folder, settings, meta);
  if (text === undefined) await storeValue(planning, moved, instance);
  else await drafts.move(file, joinPath(folder, text));
  if (text === undefined) drafts.remove(file);
  await repoint(planning, home.values, file, base);
  const { text: before, ...rest } = home;
  const converted: SourceLocation = {
    ...rest,
    kind: home.kind === 'node' ? 'node' : 'directory',
    values: home.values.map(values => (values === meta ? moved : values)),
    folder,
    ...(home.entry !== undefined && { entry: folder }),
    ...(before && text !== undefined && { text: { ...before, path: joinPath(folder, text) } }),
  };
  planning.converted.set(instance.id, converted);
  drafts.onRollBack(() => planning.converted.delete(instance.id));
  return converted;
}

/** What is left of the file's name when everything that says its kind is gone; meta files are called after it. */
const baseOf = (file: ProjectPath, meta: PropertiesLocation | undefined): string =>
  meta === undefined ? nameOf(file).replace(/\..*$/, '') : nameOf(meta.file).replace(/\.meta\.json[5c]?$/, '');

/** The name of the init file that says the same as the file; `undefined` for a text file, which has none. */
async function textFile(
  planning: Planning,
  instance: TreeInstance,
  file: ProjectPath,
  settings: SnapshotSettings,
): Promise<string | undefined> {
  if (instance.className === 'StringValue') return undefined;
  const kind = instance.home.kind === 'node' ? fileRule(file, settings)?.kind : instance.home.kind;
  const ending = /(?:\.(?:server|client|plugin|local|legacy))?\.[^.]*$/.exec(nameOf(file))?.[0] ?? '';
  const inits = initFiles(settings.dialect).filter(init => init.kind === kind);
  const init = inits.find(({ name }) => name === `init${ending}`) ?? inits[0];
  if (init !== undefined) return init.name;
  const where = planning.context.tree.pathOf(instance.id);
  throw new CannotWriteError(`no init file makes of a folder what ${file} makes of ${where}; make it a folder by hand`);
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
    path => path !== base.file && /\.meta\.json[5c]?$/.test(path) && context.index.get(path)?.kind === 'file',
  );
  if (others.length > 0 && dialect === 'rojo')
    throw new CannotWriteError(`${base.file} and ${others.join(', ')} both speak for it; make one file of them first`);
  if (!base.exists && !drafts.has(base.file)) return { ...base, file: joinPath(folder, preferred) };
  const file = joinPath(folder, `init.meta${/\.json[5c]?$/.exec(base.file)?.[0] ?? '.json'}`);
  if (sharerOf(context.tree, instance, base) === undefined) await drafts.move(base.file, file);
  else drafts.create(file, await drafts.text(base.file));
  return { ...base, file, exists: true };
}

/** A text file becomes a property, since no init file is one. */
async function storeValue({ drafts }: Planning, home: PropertiesLocation, instance: TreeInstance): Promise<void> {
  const value = instance.properties.get('Value')?.value;
  if (!home.exists) drafts.createJson(home.file, {});
  await drafts.editJson(home.file, document => withJsonValue(document, ['className'], instance.className));
  await drafts.editJson(home.file, (document, at) =>
    withJsonValue(document, [...at(home.at), home.propertiesKey, 'Value'], value),
  );
}

async function repoint(
  { drafts }: Planning,
  homes: readonly PropertiesLocation[],
  file: ProjectPath,
  base: string,
): Promise<void> {
  const node = homes.find(values => values.kind === 'node');
  if (node === undefined) return;
  await drafts.editJson(node.file, (document, at) => {
    const path = [...at(node.at), '$path'];
    const before = nodeAt(document.root, path);
    const isOptional = before?.kind === 'object';
    const text = before && jsonValue(isOptional ? (nodeAt(before, ['optional']) ?? before) : before);
    if (typeof text !== 'string') return document.text;
    const after = text.slice(0, text.length - nameOf(file).length) + base;
    return withJsonValue(document, isOptional ? [...path, 'optional'] : path, after);
  });
}
