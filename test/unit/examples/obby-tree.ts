import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An instance of the example's project. Property values are in the form of the files. */
export interface ObbyNode {
  readonly name: string;
  readonly className: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly children: readonly ObbyNode[];
  /** For a script: its file, relative to the example, and its text. */
  readonly file?: string;
  readonly source?: string;
}

/** A Luau file of the example. */
export interface LuauFile {
  readonly file: string;
  readonly source: string;
}

interface JsonNode {
  readonly [key: string]: unknown;
}

const obbyFolder = fileURLToPath(new URL('../../../examples/obby/', import.meta.url));

export const luauFiles: readonly LuauFile[] = globSync('**/*.luau', { cwd: obbyFolder })
  .toSorted()
  .map(file => ({ file, source: readFileSync(join(obbyFolder, file), 'utf8') }));

export const jsonFiles: readonly string[] = globSync('**/*.json', { cwd: obbyFolder }).toSorted();

/** All files of the example with their texts. */
export const obbyFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...jsonFiles, ...luauFiles.map(({ file }) => file)].map(file => [
      file,
      readFileSync(join(obbyFolder, file), 'utf8'),
    ]),
  );

export const readJson = (file: string): JsonNode =>
  JSON.parse(readFileSync(join(obbyFolder, file), 'utf8')) as JsonNode;

/**
 * Reads the instances of the example by the few rules that it uses. It is independent of the product's reader, so that a test can compare
 * both results.
 */
export function readObby(): ObbyNode {
  return projectNode('Obby', readJson('default.project.json')['tree'] as JsonNode, 'Folder');
}

function projectNode(name: string, node: JsonNode, inherited: string): ObbyNode {
  const path = node['$path'];
  const found = typeof path === 'string' ? fromPath(join(obbyFolder, path), name) : undefined;
  if (typeof path === 'string' && found === undefined) throw new Error(`${name}: nothing at ${path}`);
  const className = found?.className ?? (node['$className'] as string | undefined) ?? inherited;
  const children = Object.entries(node)
    .filter(([key]) => !key.startsWith('$'))
    // A service is named like its class; so are the two script containers of StarterPlayer.
    .map(([key, child]) => projectNode(key, child as JsonNode, key));
  return {
    attributes: {},
    ...found,
    name,
    className,
    properties: { ...found?.properties, ...(node['$properties'] as JsonNode | undefined) },
    children: [...(found?.children ?? []), ...children],
  };
}

const scriptSuffixes = [
  ['.server.luau', 'Script'],
  ['.client.luau', 'LocalScript'],
  ['.luau', 'ModuleScript'],
] as const;

function fromPath(path: string, givenName?: string): ObbyNode | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) return fromFolder(path, givenName);
  const fileName = basename(path);
  if (fileName.endsWith('.model.json')) {
    return modelNode(readJson(relative(obbyFolder, path)), givenName ?? fileName.slice(0, -'.model.json'.length));
  }
  const suffix = scriptSuffixes.find(([ending]) => fileName.endsWith(ending));
  if (suffix === undefined) return undefined;
  const name = fileName.slice(0, -suffix[0].length);
  const meta = metaAt(join(path, '..', `${name}.meta.json`));
  return { ...script(path, suffix[1]), ...meta, name: givenName ?? name, children: [] };
}

function fromFolder(path: string, givenName?: string): ObbyNode {
  const children = readdirSync(path)
    .toSorted()
    .filter(entry => !/^init(\.server|\.client)?\.luau$/.test(entry))
    .map(entry => fromPath(join(path, entry)))
    .filter(child => child !== undefined);
  const init = scriptSuffixes.find(([ending]) => existsSync(join(path, `init${ending}`)));
  const own = init === undefined ? undefined : script(join(path, `init${init[0]}`), init[1]);
  return {
    ...(own ?? { className: 'Folder' }),
    ...metaAt(join(path, 'init.meta.json')),
    name: givenName ?? basename(path),
    children,
  };
}

const script = (path: string, className: string): Pick<ObbyNode, 'className' | 'file' | 'source'> => ({
  className,
  file: relative(obbyFolder, path),
  source: readFileSync(path, 'utf8'),
});

function metaAt(path: string): Pick<ObbyNode, 'properties' | 'attributes'> {
  const meta = existsSync(path) ? readJson(relative(obbyFolder, path)) : {};
  return {
    properties: (meta['properties'] as JsonNode | undefined) ?? {},
    attributes: (meta['attributes'] as JsonNode | undefined) ?? {},
  };
}

function modelNode(model: JsonNode, name: string): ObbyNode {
  const children = (model['children'] as readonly JsonNode[] | undefined) ?? [];
  return {
    name,
    className: model['className'] as string,
    properties: (model['properties'] as JsonNode | undefined) ?? {},
    attributes: (model['attributes'] as JsonNode | undefined) ?? {},
    children: children.map(child => modelNode(child, (child['name'] ?? child['className']) as string)),
  };
}

/** Every node with its path below the root: `ReplicatedStorage/Shared/Types`. */
export function* walk(node: ObbyNode, path: readonly string[] = []): Generator<readonly [string, ObbyNode]> {
  if (path.length > 0) yield [path.join('/'), node];
  for (const child of node.children) yield* walk(child, [...path, child.name]);
}
