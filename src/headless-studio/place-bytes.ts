import type { Ref } from '../base/brand.ts';
import { ByteReader } from '../roblox/encoding/byte-reader.ts';
import { ByteWriter } from '../roblox/encoding/byte-writer.ts';
import type { Model, ModelInstance } from '../roblox/instances/model.ts';
import { NULL_REF } from '../roblox/values/ref.ts';
import type { ReferenceIndex } from '../roblox/values/shapes.ts';
import type { Variant } from '../roblox/values/variant.ts';
import { readVariant, type SharedBytes, writeVariant } from './variant-bytes.ts';

/** Prefix of property names that only the XML reader knows, and whose text it needs unchanged. */
const UNKNOWN_XML = 'xml:';

/**
 * Encodes a model for the VM in one piece: the table of names; class, name and parent of every instance, parents first; then their
 * properties in the same order. Mirrors `luau/place/load.luau`.
 *
 * @param shared receives the shared strings, which stay outside the VM
 */
export function modelToBytes(model: Model, shared: SharedBytes): Uint8Array {
  const flat: { readonly instance: ModelInstance; readonly parent: number }[] = [];
  const collect = (instances: readonly ModelInstance[], parent: number): void => {
    for (const instance of instances) {
      const index = flat.push({ instance, parent }) - 1;
      collect(instance.children, index);
    }
  };
  collect(model.roots, -1);
  const indexes = new Map(flat.map(({ instance }, index) => [instance.referent, index]));
  const references: ReferenceIndex = {
    indexOf: ref => indexes.get(ref) ?? -1,
    refAt: () => NULL_REF,
    shared,
  };
  const names = new Map<string, number>();
  const nameIndex = (name: string): number => {
    const index = names.get(name) ?? names.size;
    names.set(name, index);
    return index;
  };

  const body = new ByteWriter();
  body.u32(flat.length);
  for (const { instance, parent } of flat) {
    body.u32(nameIndex(instance.className));
    body.text(instance.name);
    body.i32(parent);
  }
  for (const { instance } of flat) {
    const properties = propertiesOf(instance);
    body.u32(properties.length);
    for (const [name, variant] of properties) {
      body.u32(nameIndex(name));
      writeVariant(body, variant, references);
    }
  }
  const whole = new ByteWriter();
  whole.u32(names.size);
  for (const name of names.keys()) whole.text(name);
  whole.append(body);
  return whole.finish();
}

function propertiesOf(instance: ModelInstance): readonly (readonly [string, Variant])[] {
  const unknown = Array.from(
    instance.unknownXml ?? [],
    ([name, value]) => [UNKNOWN_XML + name, { type: 'String', value }] as const,
  );
  return [...instance.properties, ...unknown];
}

/** Decodes a model that `luau/place/save.luau` wrote. Creates new referents. @throws FormatError */
export function modelFromBytes(bytes: Uint8Array, metadata: Model['metadata'], shared: SharedBytes): Model {
  const reader = new ByteReader(bytes);
  const names = Array.from({ length: reader.count(4) }, reader.text);
  const nameAt = (index: number): string => names[index] ?? '';
  const heads = Array.from({ length: reader.count(12) }, () => ({
    className: nameAt(reader.u32()),
    name: reader.text(),
    parent: reader.i32(),
  }));
  const referent = (index: number): string => `RBX${index.toString(16).toUpperCase().padStart(8, '0')}`;
  const references: ReferenceIndex = {
    indexOf: () => -1,
    // A model has referents instead of Refs until it gets ids.
    refAt: index => (index < 0 ? NULL_REF : (referent(index) as Ref)),
    shared,
  };
  const children = heads.map((): ModelInstance[] => []);
  const roots: ModelInstance[] = [];
  for (const [index, { className, name, parent }] of heads.entries()) {
    const instance = { referent: referent(index), className, name, children: children[index] ?? [] };
    (children[parent] ?? roots).push({ ...instance, ...readProperties(reader, nameAt, references) });
  }
  return { roots, metadata };
}

function readProperties(
  reader: ByteReader,
  nameAt: (index: number) => string,
  references: ReferenceIndex,
): Pick<ModelInstance, 'properties' | 'unknownXml'> {
  const properties = new Map<string, Variant>();
  const unknownXml = new Map<string, string>();
  for (let left = reader.count(5); left > 0; left--) {
    const name = nameAt(reader.u32());
    const variant = readVariant(reader, references);
    if (name.startsWith(UNKNOWN_XML) && variant.type === 'String')
      unknownXml.set(name.slice(UNKNOWN_XML.length), variant.value);
    else properties.set(name, variant);
  }
  return unknownXml.size === 0 ? { properties } : { properties, unknownXml };
}
