import { err, ok, type Result } from '../../../base/result.ts';
import type { Model, ModelInstance, UnknownColumn } from '../../dom/model.ts';
import type { Reflection } from '../../dom/reflection.ts';
import type { Variant, VariantPayloads, VariantType } from '../../dom/variant.ts';
import { blake2b128 } from '../blake2b.ts';
import { ByteWriter } from '../byte-writer.ts';
import { writeFileProperties } from '../file-properties.ts';
import { convertVariant } from '../value-conversion.ts';
import type { WriteContext } from './array-context.ts';
import { writeChunk, writeEnd, writeHeader } from './chunks.ts';
import { fillerFor } from './filler.ts';
import { writeReferents } from './interleaved.ts';
import { arrayCodecs } from './value-arrays.ts';

/**
 * Writes a `.rbxm` or `.rbxl` file; the same model gives the same bytes. The format wants every instance of a class to have the same
 * properties: missing ones get the default of the class. The error names the property that the format cannot hold.
 */
export function writeBinaryModel(model: Model, reflection: Reflection): Result<Uint8Array, string> {
  const instances = inTreeOrder(model.roots);
  const foreign = instances.find(({ unknownXml }) => unknownXml !== undefined && unknownXml.size > 0);
  if (foreign !== undefined) {
    const names = Array.from(foreign.unknownXml?.keys() ?? []);
    return err(`${foreign.className}.${names.join(', ')}: of a type that only XML files can carry on`);
  }
  const numbers = new Map(instances.map((instance, number) => [instance.referent, number]));
  const shared = new SharedStrings();
  const context: WriteContext = {
    sharedIndex: bytes => shared.add(bytes),
    numberOf: ref => numbers.get(ref) ?? -1,
  };
  const body = new ByteWriter();
  const members = byClass(instances);
  const unknown = model.unknownColumns ?? [];
  for (const { className, name, owners } of unknown) {
    const own = inOrderOf(owners, members.get(className) ?? []);
    if (own === undefined)
      return err(`${className}.${name}: of an unknown type, which is kept only while no ${className} comes or goes`);
    members.set(className, own);
  }
  const classes = Array.from(members).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [classId, [className, all]] of classes.entries()) {
    const own = all.map(member => numbers.get(member.referent) ?? -1);
    writeChunk(body, 'INST', classChunk(classId, className, reflection.isService(className), own));
  }
  for (const [classId, [className, all]] of classes.entries()) {
    for (const [name, values] of columnsOf(reflection, className, all)) {
      const chunk = propertyChunk(classId, name, values, context);
      if (chunk === undefined) return err(`${className}.${name}: the format has no form for ${typesOf(values)}`);
      writeChunk(body, 'PROP', chunk);
    }
    for (const column of unknown)
      if (column.className === className) writeChunk(body, 'PROP', unknownChunk(classId, column));
  }
  writeChunk(body, 'PRNT', parentChunk(model.roots, numbers));

  const file = new ByteWriter();
  writeHeader(file, classes.length, instances.length);
  if (model.metadata.size > 0) writeChunk(file, 'META', metadataChunk(model.metadata));
  if (shared.all.length > 0) writeChunk(file, 'SSTR', sharedChunk(shared.all));
  file.raw(body.finish());
  writeEnd(file);
  return ok(file.finish());
}

function inTreeOrder(roots: readonly ModelInstance[]): ModelInstance[] {
  const list: ModelInstance[] = [];
  const waiting = roots.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    list.push(next);
    waiting.push(...next.children.toReversed());
  }
  return list;
}

function byClass(instances: readonly ModelInstance[]): Map<string, ModelInstance[]> {
  const classes = new Map<string, ModelInstance[]>();
  for (const instance of instances) {
    const members = classes.get(instance.className);
    if (members === undefined) classes.set(instance.className, [instance]);
    else members.push(instance);
  }
  return classes;
}

/** The members as the owners of values stand; `undefined` when they are not the same. */
function inOrderOf(owners: readonly string[], members: readonly ModelInstance[]): ModelInstance[] | undefined {
  const byReferent = new Map(members.map(member => [member.referent, member]));
  const own = owners.map(referent => byReferent.get(referent)).filter(member => member !== undefined);
  return own.length === owners.length && own.length === members.length ? own : undefined;
}

function unknownChunk(classId: number, { name, typeId, bytes }: UnknownColumn): ByteWriter {
  const writer = new ByteWriter();
  writer.u32(classId);
  writer.text(name);
  writer.u8(typeId);
  writer.raw(bytes);
  return writer;
}

class SharedStrings {
  readonly all: Uint8Array[] = [];
  readonly #indexes = new Map<string, number>();

  add(bytes: Uint8Array): number {
    const key = blake2b128(bytes).join();
    const index = this.#indexes.get(key) ?? this.all.push(bytes) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}

/** Name in files, and the value of each instance, all of one type where that can be. */
function columnsOf(reflection: Reflection, className: string, members: readonly ModelInstance[]) {
  const rows = members.map(
    ({ name, properties }) =>
      new Map(
        writeFileProperties(reflection, className, new Map([...properties, ['Name', { type: 'String', value: name }]])),
      ),
  );
  const names = Array.from(new Set(rows.flatMap(row => Array.from(row.keys())))).toSorted();
  return names.map((name): [string, Variant[]] => {
    const given = rows.map(row => row.get(name));
    const sample = given.find(value => value !== undefined);
    const type = sample === undefined ? 'String' : asWritten(sample).type;
    const values = given.map(value => value ?? fillerFor(reflection, className, name, type));
    return [name, values.map(value => convertVariant(asWritten(value), type))];
  });
}

/** Text is bytes here. */
const asWritten = (value: Variant): Variant =>
  value.type === 'String' || value.type === 'ContentId'
    ? convertVariant(value, 'BinaryString')
    : value.type === 'NetAssetRef'
      ? convertVariant(value, 'SharedString')
      : value;

const typesOf = (values: readonly Variant[]): string =>
  Array.from(new Set(values.map(value => value.type))).join(' and ');

function propertyChunk(
  classId: number,
  name: string,
  values: readonly Variant[],
  context: WriteContext,
): ByteWriter | undefined {
  const type = values[0]?.type;
  if (type === undefined || values.some(value => value.type !== type)) return undefined;
  const writer = new ByteWriter();
  writer.u32(classId);
  writer.text(name);
  const payloads = values.map(value => value.value);
  return writeArray(writer, type, payloads, context) ? writer : undefined;
}

/** All `payloads` are of `type`: the caller has looked. */
function writeArray<T extends VariantType>(
  writer: ByteWriter,
  type: T,
  payloads: readonly unknown[],
  context: WriteContext,
): boolean {
  const codec = arrayCodecs[type];
  if (codec === undefined) return false;
  writer.u8(codec.id);
  codec.write(writer, payloads as readonly VariantPayloads[T][], context);
  return true;
}

function classChunk(id: number, name: string, isService: boolean, numbers: readonly number[]): ByteWriter {
  const writer = new ByteWriter();
  writer.u32(id);
  writer.text(name);
  writer.u8(isService ? 1 : 0);
  writer.u32(numbers.length);
  writeReferents(writer, numbers);
  if (isService) for (const _ of numbers) writer.u8(1);
  return writer;
}

/** Children before their parents, as Studio writes them. */
function parentChunk(roots: readonly ModelInstance[], numbers: ReadonlyMap<string, number>): ByteWriter {
  const children: number[] = [];
  const parents: number[] = [];
  const visit = (instance: ModelInstance, parent: number): void => {
    const number = numbers.get(instance.referent) ?? -1;
    for (const child of instance.children) visit(child, number);
    children.push(number);
    parents.push(parent);
  };
  for (const root of roots) visit(root, -1);
  const writer = new ByteWriter();
  writer.u8(0);
  writer.u32(children.length);
  writeReferents(writer, children);
  writeReferents(writer, parents);
  return writer;
}

function metadataChunk(metadata: ReadonlyMap<string, string>): ByteWriter {
  const writer = new ByteWriter();
  writer.u32(metadata.size);
  for (const [name, value] of metadata) {
    writer.text(name);
    writer.text(value);
  }
  return writer;
}

function sharedChunk(strings: readonly Uint8Array[]): ByteWriter {
  const writer = new ByteWriter();
  writer.u32(0);
  writer.u32(strings.length);
  for (const bytes of strings) {
    writer.raw(blake2b128(bytes));
    writer.sized(bytes);
  }
  return writer;
}
