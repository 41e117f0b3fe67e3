import { ok } from '../../base/result.ts';
import { encodePausable } from '../../base/text-pieces.ts';
import { runInSlices, type PausableWork } from '../../base/time-slice.ts';
import type { ModelPlace } from '../../roblox/instances/instance.ts';
import { type Model, type ModelInstance, unknownColumnWarnings } from '../../roblox/instances/model.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { readBinaryModelInSlices } from '../../roblox/formats/rbxm/read.ts';
import { writeBinaryModelPausable } from '../../roblox/formats/rbxm/write.ts';
import { readXmlModelPausable } from '../../roblox/formats/rbxmx/read.ts';
import { writeXmlModelPausable } from '../../roblox/formats/rbxmx/write.ts';
import { plainSnapshot } from './file-snapshot.ts';
import type { FileKind, SourceFile } from './file-kind.ts';
import { readText, type SnapshotPass } from '../snapshot/pass.ts';
import type { SourceSnapshot } from '../snapshot/source-snapshot.ts';

const readBinary: FileKind['read'] = async (pass, file) => {
  const bytes = await pass.disk.read(file.path);
  if (bytes === undefined) return undefined;
  const model = await readBinaryModelInSlices(bytes, pass.reflection, pass.inflate, pass.slice);
  return model.ok ? snapshotModel(pass, file, model.value) : broken(pass, file, `a binary model (${model.error})`);
};

const readXml: FileKind['read'] = async (pass, file) => {
  const read = await readText(pass, file.path);
  if (read === undefined || read === 'broken') return read;
  const model = await runInSlices(readXmlModelPausable(read.text, pass.reflection), pass.slice);
  if (model.ok) return snapshotModel(pass, file, model.value);
  const [, line = '1', column = '1', problem = model.error] = /^(\d+):(\d+): (.*)$/s.exec(model.error) ?? [];
  return broken(pass, file, `an XML model (${problem})`, Number(line), Number(column));
};

/** `*.rbxm`: a binary model with one root instance, named after the file. */
export const rbxm: FileKind = {
  name: 'rbxm',
  syncRuleNames: ['rbxm'],
  suffixes: [{ suffix: '.rbxm', keepsBareName: true }],
  content: 'instances',
  read: readBinary,
  writeModel: (model, reflection, slice) => runInSlices(writeBinaryModelPausable(model, reflection), slice),
};

/** `*.rbxmx`: an XML model with one root instance, named after the file. */
export const rbxmx: FileKind = {
  name: 'rbxmx',
  syncRuleNames: ['rbxmx'],
  suffixes: [{ suffix: '.rbxmx', keepsBareName: true }],
  content: 'instances',
  read: readXml,
  async writeModel(model, reflection, slice) {
    const text = await runInSlices(writeXmlModelPausable(model, 'model', reflection), slice);
    return text.ok ? ok(await runInSlices(encodePausable(text.value), slice)) : text;
  },
};

function broken(pass: SnapshotPass, file: SourceFile, expected: string, line = 1, column = 1): 'broken' {
  pass.report({ file: file.path, line, column, severity: 'error', message: `expected ${expected}` });
  return 'broken';
}

async function snapshotModel(pass: SnapshotPass, file: SourceFile, model: Model): Promise<SourceSnapshot | 'broken'> {
  const [top, second] = model.roots;
  if (top === undefined || second !== undefined)
    return broken(pass, file, `one root instance, not ${model.roots.length}; group them in a Folder`);
  for (const unknown of unknownColumnWarnings(model)) {
    const message = `expected values of known types: ${unknown} and is skipped`;
    pass.report({ file: file.path, line: 1, column: 1, severity: 'warning', message });
  }
  return { ...(await runInSlices(withAllBelow(file, top), pass.slice)), ...sourceOfTop(file, top) };
}

/** The fields that only the root has, because only the root corresponds to the file. */
function sourceOfTop(file: SourceFile, { className }: ModelInstance) {
  const { key, origin, location, name, metadata } = plainSnapshot(file, { className, properties: new Map() });
  return { key, origin, location, name, metadata };
}

/** Instances that are read between two pauses. */
const BATCH_SIZE = 64;

function* withAllBelow(file: SourceFile, top: ModelInstance): PausableWork<SourceSnapshot> {
  const first: SourceSnapshot[] = [];
  const location = { kind: 'insideFile', fileKind: file.kind, values: [] } as const;
  const open = top.children.toReversed().map(instance => ({ instance, into: first }));
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const children: SourceSnapshot[] = [];
    next.into.push(below(location, next.instance, children, false));
    for (const instance of next.instance.children.toReversed()) open.push({ instance, into: children });
    count++;
    if (count % BATCH_SIZE === 0) yield;
  }
  return below(location, top, first, true);
}

// Shared by all instances: a model may have 100,000, and separate objects take as long to collect as the model takes to read.
const noNames: ReadonlySet<string> = new Set();
const insideMetadata = {
  ignoreUnknownInstances: false,
  globIgnoredChildren: false,
  source: undefined,
  relevantPaths: [],
} as const;

function below(
  location: SourceSnapshot['location'],
  instance: ModelInstance,
  children: readonly SourceSnapshot[],
  isTop: boolean,
): SourceSnapshot {
  const { properties, references } = separateReferences(instance.properties);
  const { referent, unknownXml } = instance;
  const modelPlace: ModelPlace = { isTop, referent, references, ...(unknownXml && { unknownXml }) };
  return {
    kind: 'instance',
    key: undefined,
    origin: undefined,
    location,
    name: instance.name,
    className: instance.className,
    properties,
    unreadable: noNames,
    children,
    metadata: insideMetadata,
    modelPlace,
  };
}

/** Separates references from other properties. Referents are valid only inside the file, so they are resolved once instances have ids. */
function separateReferences(
  all: ReadonlyMap<string, Variant>,
): Pick<SourceSnapshot, 'properties'> & Pick<ModelPlace, 'references'> {
  if (!hasReference(all)) return { properties: all, references: noReferences };
  const properties = new Map<string, Variant>();
  const references = new Map<string, { readonly type: 'Ref' | 'Content'; readonly referent: string }>();
  for (const [name, value] of all) {
    const ref = value.type === 'Ref' ? value.value : undefined;
    if (ref !== undefined) {
      if (ref !== NULL_REF) references.set(name, { type: 'Ref', referent: ref });
    } else if (value.type === 'Content' && value.value.kind === 'object')
      references.set(name, { type: 'Content', referent: value.value.ref });
    else properties.set(name, value);
  }
  return { properties, references };
}

/** A loop, because most instances have no references, and copying their properties takes longer than everything else here. */
function hasReference(all: ReadonlyMap<string, Variant>): boolean {
  for (const value of all.values())
    if (value.type === 'Ref' || (value.type === 'Content' && value.value.kind === 'object')) return true;
  return false;
}

const noReferences: ModelPlace['references'] = new Map();
