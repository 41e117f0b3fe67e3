import {
  fieldsOf,
  elementsOf,
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
  parseJsonDocument,
} from '../../roblox/formats/json5-document.ts';
import type { JsonPath } from '../../roblox/formats/json5-edit.ts';
import { plainSnapshot } from './file-snapshot.ts';
import type { FileKind, SourceFile } from './file-kind.ts';
import { readText, reportProblem, type SnapshotPass } from '../snapshot/pass.ts';
import type { SourceLocation, SourceSnapshot } from '../snapshot/source-snapshot.ts';
import { readValues } from '../snapshot/values.ts';

const read: FileKind['read'] = async (pass, file) => {
  const found = await readText(pass, file.path);
  if (found === undefined || found === 'broken') return found;
  // Editors create an empty file before they write its text.
  if (found.text.trim() === '') return undefined;
  const parsed = parseJsonDocument(found.text);
  const model = parsed.ok ? readShape(parsed.value, () => readModel(parsed.value.root, [])) : parsed.error;
  if (!parsed.ok || 'expected' in model) {
    if ('expected' in model) reportProblem(pass, file.path, model);
    return 'broken';
  }
  for (const warning of parsed.value.warnings) reportProblem(pass, file.path, warning, 'warning');
  return rootSnapshot(pass, file, parsed.value, model);
};

/** `*.model.json`: an instance with everything below it. */
export const jsonModel: FileKind = {
  name: 'jsonModel',
  syncRuleNames: ['jsonModel'],
  suffixes: [
    { suffix: '.model.json' },
    { suffix: '.model.jsonc', dialect: 'rojo' },
    { suffix: '.model.json5', dialect: 'atlas' },
  ],
  content: 'instances',
  read,
};

interface ModelNode {
  readonly at: JsonPath;
  readonly childrenKey: string;
  readonly propertiesKey: string;
  readonly className: string;
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly properties: readonly JsonMember[];
  readonly attributes: readonly JsonMember[];
  readonly children: readonly ModelNode[];
}

const aliases = { ClassName: 'className', Name: 'name', Properties: 'properties', Children: 'children' } as const;

function readModel(node: JsonNode, at: JsonPath): ModelNode {
  const { members } = objectOf(node, 'an instance');
  const { known } = fieldsOf(
    members,
    ['className', 'name', 'properties', 'attributes', 'children', 'id'] as const,
    aliases,
  );
  if (known.className === undefined) throw new ShapeError(node.start, 'a "className" in every instance');
  const spelled = (name: 'Properties' | 'Children', normal: string): string =>
    members.some(member => member.key === name) ? name : normal;
  const childrenKey = spelled('Children', 'children');
  const children = known.children === undefined ? [] : elementsOf(known.children, '"children"');
  return {
    at,
    childrenKey,
    propertiesKey: spelled('Properties', 'properties'),
    className: textOf(known.className, '"className"'),
    name: known.name && textOf(known.name, '"name"'),
    id: known.id && textOf(known.id, '"id"'),
    properties: membersOf(known.properties, '"properties"'),
    attributes: membersOf(known.attributes, '"attributes"'),
    children: children.map((child, index) => readModel(child, [...at, childrenKey, index])),
  };
}

function rootSnapshot(pass: SnapshotPass, file: SourceFile, document: JsonDocument, node: ModelNode): SourceSnapshot {
  const plain = plainSnapshot(file, { className: node.className, properties: new Map() });
  const inner = nodeSnapshot(pass, file, document, node);
  return {
    ...plain,
    // In the Rojo dialect only the file name names the root.
    name: (file.settings.dialect === 'atlas' ? node.name : undefined) ?? file.name,
    properties: inner.properties,
    unreadable: inner.unreadable,
    children: inner.children,
    location: { ...inner.location, kind: 'file', fileKind: file.kind, entry: file.path },
    specifiedId: node.id,
  };
}

function nodeSnapshot(pass: SnapshotPass, file: SourceFile, document: JsonDocument, node: ModelNode): SourceSnapshot {
  const read = readValues(pass, file.path, document, node.className, node.properties, node.attributes);
  return {
    kind: 'instance',
    key: undefined,
    origin: undefined,
    location: nodeLocation(file, node, read.keys),
    name: node.name ?? node.className,
    className: node.className,
    properties: read.values,
    unreadable: read.unreadable,
    children: node.children.map(child => nodeSnapshot(pass, file, document, child)),
    metadata: {
      ignoreUnknownInstances: false,
      globIgnoredChildren: false,
      source: undefined,
      relevantPaths: [file.path],
    },
  };
}

const nodeLocation = (
  { path: file, kind: fileKind }: SourceFile,
  node: ModelNode,
  keys: ReadonlyMap<string, string>,
): SourceLocation => ({
  kind: 'insideFile',
  fileKind,
  values: [
    {
      kind: 'model',
      file,
      exists: true,
      at: node.at,
      propertiesKey: node.propertiesKey,
      attributesKey: 'attributes',
      ...(node.at.length === 0 && { idKey: 'id' as const }),
      hasAttributes: node.attributes.length > 0,
      keys,
    },
  ],
  children: { file, at: [...node.at, node.childrenKey] },
});
