import type { ProjectPath } from '../../base/brand.ts';
import { compareByteOrder } from '../../base/byte-order.ts';
import { nameOf } from '../../base/project-path.ts';
import { suggestName } from '../../base/suggest-name.ts';
import {
  countOf,
  elementsOf,
  fieldsOf,
  flagOf,
  membersOf,
  objectOf,
  readShape,
  ShapeError,
  textOf,
} from '../../roblox/formats/json-shape.ts';
import {
  type JsonDocument,
  type JsonMember,
  type JsonNode,
  type JsonProblem,
  memberOf,
  positionIn,
} from '../../roblox/formats/json5-document.ts';
import { type Dialect, GlobReader, type GlobRule } from './glob-rule.ts';
import { fieldNames, type ProjectField, projectFields } from './project-fields.ts';
import { readSyncRule, type SyncRule } from './sync-rule.ts';
import { readSyncbackRules, type SyncbackRules } from './syncback-rules.ts';

export type { Dialect, GlobRule } from './glob-rule.ts';

/** One object of the project's `tree`. Offsets are positions in the text of the project file. */
export interface ProjectNode {
  readonly offset: number;
  readonly className: string | undefined;
  readonly path: { readonly value: string; readonly isOptional: boolean; readonly offset: number } | undefined;
  readonly properties: readonly JsonMember[];
  readonly attributes: readonly JsonMember[];
  readonly ignoreUnknownInstances: boolean | undefined;
  readonly id: string | undefined;
  /** By name, in byte order. */
  readonly children: ReadonlyMap<string, ProjectNode>;
}

export interface ProjectFile {
  readonly file: ProjectPath;
  readonly document: JsonDocument;
  readonly name: string | undefined;
  readonly tree: ProjectNode;
  readonly servePlaceIds: readonly number[] | undefined;
  readonly blockedPlaceIds: readonly number[] | undefined;
  readonly placeId: number | undefined;
  readonly gameId: number | undefined;
  readonly emitLegacyScripts: boolean;
  readonly syncScriptsOnly: boolean;
  readonly ignoreHiddenServices: boolean;
  readonly globIgnorePaths: readonly GlobRule[];
  readonly syncRules: readonly SyncRule[];
  readonly syncbackRules: SyncbackRules;
  readonly dialect: Dialect;
  readonly warnings: readonly JsonProblem[];
}

const rootFields = fieldNames(projectFields);

/**
 * Reads and checks a project file.
 *
 * @param given the dialect of the outer project, or the requested one; without it, the file decides
 */
export function readProjectFile(
  file: ProjectPath,
  document: JsonDocument,
  syncRuleNames: readonly string[],
  given: Dialect | undefined,
): ProjectFile | JsonProblem {
  return readShape(document, () => readRoot(file, document, syncRuleNames, given));
}

function readRoot(
  file: ProjectPath,
  document: JsonDocument,
  syncRuleNames: readonly string[],
  given: Dialect | undefined,
): ProjectFile {
  const root = objectOf(document.root, 'the project');
  const { known, unknown } = fieldsOf(root.members, rootFields);
  if (unknown[0]) {
    const { key, keyStart } = unknown[0];
    throw new ShapeError(keyStart, `a known field of a project, not "${key}"${suggestName(key, rootFields)}`);
  }
  if (known.tree === undefined) throw new ShapeError(root.start, 'a "tree" field in the project');
  const warnings = Array.from(document.warnings);
  const warn = (offset: number, expected: string): void =>
    void warnings.push({ ...positionIn(document, offset), expected });
  const dialect = given ?? chooseDialect(file, root);
  const optional = <T>(
    node: JsonNode | undefined,
    read: (node: JsonNode, what: string) => T,
    what: string,
  ): T | undefined => (node === undefined ? undefined : read(node, `"${what}"`));
  readServerFields(known);
  for (const name of rootFields) {
    const field = known[name];
    const warning = field === undefined || isWithoutEffect(name, field) ? undefined : warningOf(name);
    if (field !== undefined && warning !== undefined) warn(field.start, warning);
  }
  const globs = new GlobReader();
  return {
    file,
    document,
    name: optional(known.name, textOf, 'name'),
    tree: readNode(known.tree, 'the tree', { warn, count: 0 }),
    servePlaceIds: optional(known.servePlaceIds, idsOf, 'servePlaceIds'),
    blockedPlaceIds: optional(known.blockedPlaceIds, idsOf, 'blockedPlaceIds'),
    placeId: optional(known.placeId, countOf, 'placeId'),
    gameId: optional(known.gameId, countOf, 'gameId'),
    emitLegacyScripts: optional(known.emitLegacyScripts, flagOf, 'emitLegacyScripts') ?? true,
    syncScriptsOnly: optional(known.syncScriptsOnly, flagOf, 'syncScriptsOnly') ?? false,
    ignoreHiddenServices: optional(known.ignoreHiddenServices, flagOf, 'ignoreHiddenServices') ?? true,
    globIgnorePaths:
      optional(known.globIgnorePaths, elementsOf, 'globIgnorePaths')?.map(node =>
        globs.rule(node, 'each of "globIgnorePaths"', dialect),
      ) ?? [],
    syncRules:
      optional(known.syncRules, elementsOf, 'syncRules')?.map(node => readSyncRule(node, syncRuleNames, globs)) ?? [],
    syncbackRules: readSyncbackRules(known.syncbackRules, dialect, globs),
    dialect,
    warnings,
  };
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'none'];

const warningOf = (name: keyof typeof projectFields): string | undefined => {
  const field: ProjectField = projectFields[name];
  return field.warning;
};

/** Whether a field with a warning asks for nothing else than what happens anyway. */
const isWithoutEffect = (name: keyof typeof projectFields, node: JsonNode): boolean =>
  (name === 'serveAddress' && node.kind === 'string' && ['127.0.0.1', '::1'].includes(node.value)) ||
  (name === 'serveAllowedHosts' && node.kind === 'array' && node.elements.length === 0);

/** Validates server fields, because Rojo and Atlas reject a project in which they are invalid. */
function readServerFields(known: { readonly [N in keyof typeof projectFields]?: JsonNode }): void {
  if (known.$schema) textOf(known.$schema, '"$schema"');
  if (known.servePort && countOf(known.servePort, '"servePort"') > 65_535)
    throw new ShapeError(known.servePort.start, '"servePort" to be a port number from 0 to 65535');
  if (known.serveAddress && !isAddress(textOf(known.serveAddress, '"serveAddress"')))
    throw new ShapeError(known.serveAddress.start, '"serveAddress" to be an IPv4 or IPv6 address');
  if (known.serveAllowedHosts)
    for (const host of elementsOf(known.serveAllowedHosts, '"serveAllowedHosts"'))
      textOf(host, 'each of "serveAllowedHosts"');
  if (known.fileLogLevel && !logLevels.includes(textOf(known.fileLogLevel, '"fileLogLevel"')))
    throw new ShapeError(known.fileLogLevel.start, `"fileLogLevel" to be one of ${logLevels.join(', ')}`);
}

function isAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length === 4 && parts.every(part => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return true;
  const halves = text.split('::');
  const groups = halves.flatMap(half => (half === '' ? [] : half.split(':')));
  const areGroups = groups.every(group => /^[0-9a-fA-F]{1,4}$/.test(group));
  return areGroups && (halves.length === 2 ? groups.length < 8 : halves.length === 1 && groups.length === 8);
}

function chooseDialect(file: ProjectPath, root: JsonNode): Dialect {
  if (nameOf(file).endsWith('.json5')) return 'atlas';
  const has = (name: string): boolean => memberOf(root, name) !== undefined;
  return has('syncScriptsOnly') || has('ignoreHiddenServices') || has('fileLogLevel') ? 'atlas' : 'rojo';
}

const idsOf = (node: JsonNode, what: string): readonly number[] =>
  Array.from(new Set(elementsOf(node, what).map(element => countOf(element, `each of ${what}`))));

const nodeFields = ['$className', '$path', '$properties', '$attributes', '$ignoreUnknownInstances', '$id'] as const;

/** Nodes of one project file, which are read in one step. */
const MAX_NODES = 10_000;

interface TreeReading {
  readonly warn: (offset: number, expected: string) => void;
  /** Nodes that were read. */
  count: number;
}

function readNode(node: JsonNode, what: string, reading: TreeReading): ProjectNode {
  const { warn } = reading;
  reading.count += 1;
  if (reading.count > MAX_NODES) throw new ShapeError(node.start, `at most ${MAX_NODES} nodes in a project file`);
  const { members } = objectOf(node, what);
  const { known, unknown } = fieldsOf(members, nodeFields);
  const children: [string, ProjectNode][] = [];
  for (const member of unknown) {
    if (member.key.startsWith('$')) {
      const meant = suggestName(member.key, nodeFields);
      if (member.value.kind !== 'object')
        throw new ShapeError(member.keyStart, `one of ${nodeFields.join(', ')} instead of "${member.key}"${meant}`);
      warn(member.keyStart, `a name that does not start with "$"${meant}: such names are reserved`);
    }
    children.push([member.key, readNode(member.value, `the node "${member.key}"`, reading)]);
  }
  for (const member of membersOf(known.$properties, '"$properties"'))
    if (member.key === 'Name' || member.key === 'Parent')
      warn(member.keyStart, `no "${member.key}" in "$properties": the position in the tree sets it`);
  return {
    offset: node.start,
    className: known.$className && textOf(known.$className, '"$className"'),
    path: known.$path && readPath(known.$path),
    properties: membersOf(known.$properties, '"$properties"').filter(({ key }) => key !== 'Name' && key !== 'Parent'),
    attributes: membersOf(known.$attributes, '"$attributes"'),
    ignoreUnknownInstances:
      known.$ignoreUnknownInstances && flagOf(known.$ignoreUnknownInstances, '"$ignoreUnknownInstances"'),
    id: known.$id && textOf(known.$id, '"$id"'),
    children: new Map(children.sort(([a], [b]) => compareByteOrder(a, b))),
  };
}

function readPath(node: JsonNode): NonNullable<ProjectNode['path']> {
  const optional = memberOf(node, 'optional')?.value;
  const target = optional ?? node;
  if (target.kind !== 'string') throw new ShapeError(target.start, '"$path" to be a string or {"optional": string}');
  return { value: target.value.replaceAll('\\', '/'), isOptional: optional !== undefined, offset: target.start };
}
