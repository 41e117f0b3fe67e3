import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, resolvePath } from '../../base/project-path.ts';
import { positionIn } from '../../roblox/formats/json5-document.ts';
import type { MissingPath } from '../project-session.ts';
import type { ProjectNode } from '../project-file/project-file.ts';
import { reportProblem, reportWarning, type SnapshotPass } from './pass.ts';
import {
  brokenSnapshot,
  nodeKey,
  type Origin,
  type SnapshotOutcome,
  type SourceSnapshot,
  type PropertiesLocation,
} from './source-snapshot.ts';
import { readMembers, type ReadValues } from './values.ts';

type NodeAt = Omit<Origin & { kind: 'node' }, 'kind'>;

/** Reads one node of a project's tree: its class, children and properties, merged with those of its `$path`. */
export async function snapshotNode(pass: SnapshotPass, at: NodeAt): Promise<SnapshotOutcome | undefined> {
  const { project, names, node, settings } = at;
  const key = nodeKey(project.file, names);
  const fail = (offset: number, expected: string, missing?: MissingPath): SnapshotOutcome => {
    reportProblem(pass, project.file, { ...positionIn(project.document, offset), expected, missing });
    return brokenSnapshot(key);
  };
  const target = node.path && resolvePath(folderOf(project.file), node.path.value);
  if (node.path && target === undefined)
    return fail(node.path.offset, 'a path inside the git repository (command line) or the open folder (VS Code)');
  const fromPath = target === undefined ? undefined : await pass.snapshotPath(target, settings);
  if (fromPath?.kind === 'kept') return brokenSnapshot(key);
  const chosen = chooseClass(pass, at, fromPath?.className);
  if (chosen === undefined) return undefined;
  if ('expected' in chosen) return fail(chosen.offset, chosen.expected, chosen.missing);
  const { className } = chosen;
  // A node with a class loads empty without its folder. Scripts that require its modules then fail in Studio only.
  const isMissing = target !== undefined && fromPath === undefined && (await pass.disk.kindOf(target)) === undefined;
  if (isMissing && node.path !== undefined && !node.path.isOptional) {
    const missing = missingAt(node.path.value);
    reportWarning(pass, project.file, {
      ...positionIn(project.document, node.path.offset),
      expected: `a file or folder at "${node.path.value}"${howToCreate(missing)}`,
      missing,
    });
  }
  const awaited: ProjectPath[] = [];
  const absent: string[] = [];
  const children = await pass.budget.map(Array.from(node.children), async ([name, child]) => {
    const below: NodeAt = { project, names: [...names, name], node: child, parentClass: className, settings };
    const outcome = await pass.child(nodeKey(project.file, below.names), { kind: 'node', ...below }, deeper =>
      snapshotNode(deeper, below),
    );
    const path = child.path && resolvePath(folderOf(project.file), child.path.value);
    // A missing child is not in the tree, so its parent is read again when the path appears.
    if (path !== undefined && (outcome === undefined || (outcome.kind === 'kept' && outcome.broken)))
      awaited.push(path);
    if (outcome === undefined) absent.push(name);
    return outcome;
  });
  const read = readMembers(pass, project.file, project.document, className, node.properties, node.attributes);
  return assemble(at, {
    key,
    target,
    className,
    fromPath,
    read,
    awaited,
    absent,
    children: children.filter(child => child !== undefined),
  });
}

function assemble(
  at: NodeAt,
  parts: {
    readonly key: string;
    readonly target: ProjectPath | undefined;
    readonly className: string;
    readonly fromPath: SourceSnapshot | undefined;
    readonly read: ReadValues;
    /** Missing paths of child nodes. */
    readonly awaited: readonly ProjectPath[];
    /** Names of child nodes whose optional path does not exist. */
    readonly absent: readonly string[];
    readonly children: readonly SnapshotOutcome[];
  },
): SourceSnapshot {
  const { project, names, node } = at;
  const { key, target, className, fromPath, read } = parts;
  const relevant = [
    ...(fromPath?.metadata.relevantPaths ?? []),
    ...(target === undefined ? [] : [target]),
    ...parts.awaited,
    project.file,
  ];
  const folder = fromPath ? fromPath.location.folder : target;
  return {
    kind: 'instance',
    key,
    origin: { kind: 'node', ...at },
    location: {
      kind: 'node',
      values: [nodeLocation(at, read.keys), ...(fromPath?.location.values ?? [])],
      ...(fromPath?.location.fileKind && { fileKind: fromPath.location.fileKind }),
      ...(fromPath?.location.text && { text: fromPath.location.text }),
      ...(fromPath?.location.children && { children: fromPath.location.children }),
      ...(folder !== undefined && { folder }),
      ...(parts.absent.length > 0 && { missing: parts.absent }),
    },
    name: names.at(-1) ?? '',
    className,
    properties: new Map([...(fromPath?.properties ?? []), ...read.values]),
    unreadable: new Set([...(fromPath?.unreadable ?? []), ...read.unreadable]),
    children: [...(fromPath?.children ?? []), ...parts.children],
    metadata: {
      ignoreUnknownInstances:
        node.ignoreUnknownInstances ?? (node.path ? (fromPath?.metadata.ignoreUnknownInstances ?? false) : true),
      globIgnoredChildren: fromPath?.metadata.globIgnoredChildren ?? false,
      source: { kind: 'projectNode', file: project.file, names, ...(target !== undefined && { path: target }) },
      relevantPaths: Array.from(new Set(relevant)),
    },
    specifiedId: node.id ?? fromPath?.specifiedId,
    modelPlace: fromPath?.modelPlace,
  };
}

const nodeLocation = (at: NodeAt, keys: ReadonlyMap<string, string>): PropertiesLocation => ({
  kind: 'node',
  file: at.project.file,
  exists: true,
  at: ['tree', ...at.names],
  propertiesKey: '$properties',
  attributesKey: '$attributes',
  idKey: '$id',
  hasAttributes: at.node.attributes.length > 0,
  keys,
});

type ClassChoice =
  | { readonly className: string }
  | { readonly offset: number; readonly expected: string; readonly missing?: MissingPath };

/** Chooses the class of a node; `undefined` when its optional path does not exist. */
function chooseClass(pass: SnapshotPass, at: NodeAt, fromPath: string | undefined): ClassChoice | undefined {
  const { node, names } = at;
  const inferred = inferClass(pass, at.parentClass, names.at(-1) ?? '');
  if (node.className !== undefined) {
    if (fromPath === undefined || fromPath === 'Folder') return { className: node.className };
    const offset = classOffset(node);
    return {
      offset,
      expected: `no "$className" next to a "$path" that produces a ${fromPath}: only a Folder can be given another class`,
    };
  }
  if (fromPath !== undefined) return { className: fromPath === 'Folder' ? (inferred ?? fromPath) : fromPath };
  if (inferred !== undefined) return { className: inferred };
  if (node.path?.isOptional) return undefined;
  if (node.path) {
    const isInit = pass.fileNames.isInitFile(node.path.value.replace(/^.*\//, ''), at.settings.dialect);
    const { value, offset } = node.path;
    const expected = `a file or folder at "${value}" that produces an instance`;
    if (isInit) return { offset, expected: `${expected}; to use an init file, set "$path" to its folder` };
    const missing = missingAt(value);
    return { offset, expected: `${expected}${howToCreate(missing)}`, missing };
  }
  const name = names.length === 0 ? 'the tree' : `"${names.join('.')}"`;
  return { offset: node.offset, expected: `a "$className", a "$path" or the name of a service for ${name}` };
}

const wallyInstall = 'wally install';
/** Folders that programs other than Wally create, by their name. */
const creators = new Map([
  ['@rbxts', 'npm install'],
  ['include', 'npx rbxtsc'],
]);

function missingAt(path: string): MissingPath {
  const name = path.replace(/\/+$/, '').replace(/^.*\//, '');
  const command = /^(?:Dev|Server)?Packages$/.test(name) ? wallyInstall : creators.get(name);
  return { path, ...(command !== undefined && { command }) };
}

/** The end of a sentence about a missing path: the command that creates it. */
const howToCreate = ({ command }: MissingPath): string => (command === undefined ? '' : `; run "${command}"`);

const classOffset = (node: ProjectNode): number => node.path?.offset ?? node.offset;

/** The class of a node without `$className`, if its name and parent determine it. */
function inferClass(pass: SnapshotPass, parentClass: string | undefined, name: string): string | undefined {
  if (parentClass === 'DataModel') return pass.reflection.isService(name) ? name : undefined;
  if (parentClass === 'StarterPlayer')
    return name === 'StarterPlayerScripts' || name === 'StarterCharacterScripts' ? name : undefined;
  return parentClass === 'Workspace' && name === 'Terrain' ? name : undefined;
}
