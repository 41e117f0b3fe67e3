import assert from 'node:assert/strict';
import { nodeInflate } from '../../src/adapters/node/inflate.ts';
import type { Ref } from '../../src/base/brand.ts';
import { derivedProperty } from '../../src/roblox/instances/derived-properties.ts';
import { areVariantsIdentical } from '../../src/roblox/instances/equality.ts';
import type { Instance } from '../../src/roblox/instances/instance.ts';
import type { Model, ModelInstance } from '../../src/roblox/instances/model.ts';
import { NULL_REF } from '../../src/roblox/values/ref.ts';
import type { Variant } from '../../src/roblox/values/variant.ts';
import { convertVariant } from '../../src/roblox/formats/value-conversion.ts';
import { isPlaceFormat, type ModelFormat, readModel, writeModel } from '../../src/roblox/formats/model/model-file.ts';
import { buildModel } from '../../src/project/build/build-model.ts';
import type { ProjectSession } from '../../src/project/project-session.ts';
import { isReferenceAttribute, resolveReferences } from '../../src/project/tree/resolve-references.ts';
import { reflection } from './reflection.ts';

export const modelFormats: readonly ModelFormat[] = ['rbxl', 'rbxlx', 'rbxm', 'rbxmx'];

/** Builds the project as a file of the format and reads the file back. */
export function builtAndRead(session: ProjectSession, format: ModelFormat): Model {
  const built = buildModel(session, isPlaceFormat(format) ? 'place' : 'model', reflection);
  assert.ok(built);
  const written = writeModel(built.model, format, reflection);
  assert.ok(written.ok, written.ok ? '' : written.error);
  const model = readModel(written.value, reflection, nodeInflate);
  assert.ok(model.ok, model.ok ? '' : model.error);
  return model.value;
}

/** Asserts that the file built from a project has the project's tree: structure, values, references. */
export function assertHolds(model: Model, session: ProjectSession, format: ModelFormat): void {
  const root = instanceOf(session, session.rootId);
  const tops = isPlaceFormat(format) ? root.children.map(id => instanceOf(session, id)) : [root];
  const pairs: (readonly [Instance, ModelInstance])[] = [];
  const pair = (instances: readonly Instance[], found: readonly ModelInstance[]): void => {
    assert.deepEqual(found.map(nameAndClass), instances.map(nameAndClass));
    for (const [index, instance] of instances.entries()) {
      const twin = found[index];
      assert.ok(twin);
      pairs.push([instance, twin]);
      pair(
        instance.children.map(id => instanceOf(session, id)),
        twin.children,
      );
    }
  };
  pair(tops, model.roots);
  const referents = new Map(pairs.map(([{ id }, { referent }]) => [id, referent]));
  const references = resolveReferences(session, reflection).values;
  for (const [instance, twin] of pairs) {
    const wanted = new Map([...instance.properties, ...(references.get(instance.id) ?? [])]);
    for (const [name, value] of wanted) {
      const how = reflection.property(instance.className, name)?.serialization;
      if (how?.kind === 'migrates' && how.to.every(newer => twin.properties.has(newer))) continue;
      const derived = how?.kind === 'no' ? derivedProperty(reflection, instance.className, name) : undefined;
      if (derived !== undefined && twin.properties.has(derived.stored)) continue;
      const expected = asInFile(value, referents, session.info.dialect);
      const found = twin.properties.get(name);
      assert.ok(found !== undefined, `${instance.name}.${name} is missing`);
      assert.ok(isSame(found, expected), `${instance.name}.${name}: ${show(found)} instead of ${show(expected)}`);
    }
    for (const [name, value] of twin.properties) if (!wanted.has(name)) assertIsFiller(twin, name, value);
  }
}

/** Files do not distinguish bytes from text in undeclared properties. */
const isSame = (found: Variant, expected: Variant): boolean =>
  areVariantsIdentical(found, expected) ||
  (bytes.has(found.type) &&
    bytes.has(expected.type) &&
    areVariantsIdentical(found, convertVariant(expected, found.type)));
const bytes: ReadonlySet<string> = new Set(['BinaryString', 'ContentId', 'NetAssetRef', 'SharedString', 'String']);

/** A binary file gives every instance of a class the same properties. */
function assertIsFiller({ className }: ModelInstance, name: string, value: Variant): void {
  if (name === 'NeedsPivotMigration') return assert.equal(value.value, false);
  const normal = reflection.defaultOf(className, name);
  const isNothing = [NULL_REF, '', 0, 0n, false, null, 'Default'].some(empty => Object.is(value.value, empty));
  assert.ok(
    isNothing || typeof value.value === 'object' || (normal !== undefined && areVariantsIdentical(normal, value)),
    `${className}.${name} is unexpectedly ${show(value)}`,
  );
}

function asInFile(value: Variant, referents: ReadonlyMap<Ref, string>, dialect: 'rojo' | 'atlas'): Variant {
  // A model file stores referents in place of Refs.
  const point = (ref: Ref): Ref => (referents.get(ref) ?? NULL_REF) as Ref;
  if (value.type === 'Ref') return { type: 'Ref', value: point(value.value) };
  if (value.type === 'Content' && value.value.kind === 'object')
    return { type: 'Content', value: { kind: 'object', ref: point(value.value.ref) } };
  if (value.type !== 'Attributes' || dialect === 'rojo') return value;
  return {
    type: 'Attributes',
    value: new Map(Array.from(value.value).filter(([name]) => !isReferenceAttribute(name))),
  };
}

function instanceOf(session: ProjectSession, id: Ref): Instance {
  const instance = session.get(id);
  assert.ok(instance);
  return instance;
}
const nameAndClass = ({ name, className }: { readonly name: string; readonly className: string }): string =>
  `${name}:${className}`;
const show = (value: Variant): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? `${part}n` : part instanceof Map ? Object.fromEntries(part) : part,
  );
