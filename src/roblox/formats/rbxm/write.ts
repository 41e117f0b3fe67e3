import { err, ok, type Result } from '../../../base/result.ts';
import { runToEnd, type PausableWork } from '../../../base/time-slice.ts';
import type { Model, ModelInstance, UnknownColumn } from '../../instances/model.ts';
import { propertyTypeOf } from '../../values/property-types.ts';
import type { Reflection } from '../../instances/reflection.ts';
import type { Variant } from '../../values/variant.ts';
import { ByteWriter } from '../../encoding/byte-writer.ts';
import { unsortedFileProperties } from '../file-properties.ts';
import { SharedStringTable } from '../shared-string-hash.ts';
import { convertVariant } from '../value-conversion.ts';
import type { ColumnWriteContext } from '../../encoding/column-context.ts';
import { writeChunkPausable, writeEnd, writeHeader } from './chunks.ts';
import { fillerFor } from './filler.ts';
import { writeReferents } from '../../encoding/interleaved.ts';

/**
 * Writes a `.rbxm` or `.rbxl` file; the same model gives the same bytes. The format requires the same properties for every instance of a
 * class: missing ones get the default of the class. The error names the property that the format does not support.
 */
export const writeBinaryModel = (model: Model, reflection: Reflection): Result<Uint8Array, string> =>
  runToEnd(writeBinaryModelPausable(model, reflection));

/** Writes like `writeBinaryModel`, with pauses. */
export function* writeBinaryModelPausable(
  model: Model,
  reflection: Reflection,
): PausableWork<Result<Uint8Array, string>> {
  const file = yield* fileOf(model, reflection);
  return file.ok ? ok(file.value.finish()) : file;
}

/** Writes like `writeBinaryModel`, to consecutive parts of the file. Large values are not copied, so the model must not change while the parts are used. */
export function writeBinaryModelParts(model: Model, reflection: Reflection): Result<readonly Uint8Array[], string> {
  const file = runToEnd(fileOf(model, reflection));
  return file.ok ? ok(file.value.pieces()) : file;
}

function* fileOf(model: Model, reflection: Reflection): PausableWork<Result<ByteWriter, string>> {
  const instances = inTreeOrder(model.roots);
  const foreign = instances.find(({ unknownXml }) => unknownXml !== undefined && unknownXml.size > 0);
  if (foreign !== undefined) {
    const names = Array.from(foreign.unknownXml?.keys() ?? []);
    return err(`${foreign.className}.${names.join(', ')}: a type that only XML files can hold`);
  }
  const numbers = new Map(instances.map((instance, number) => [instance.referent, number]));
  const shared = new SharedStringTable();
  const context: ColumnWriteContext = {
    sharedIndex: bytes => shared.add(bytes),
    numberOf: ref => numbers.get(ref) ?? -1,
  };
  const body = new ByteWriter();
  const members = byClass(instances);
  const unknown = model.unknownColumns ?? [];
  for (const { className, name, owners } of unknown) {
    const own = inOrderOf(owners, members.get(className) ?? []);
    if (own === undefined)
      return err(`${className}.${name}: an unknown type, which is kept only while no ${className} is added or removed`);
    members.set(className, own);
  }
  const classes = Array.from(members).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [classId, [className, all]] of classes.entries()) {
    const own = all.map(member => numbers.get(member.referent) ?? -1);
    yield* writeChunkPausable(body, 'INST', classChunk(classId, className, reflection.isService(className), own));
  }
  for (const [classId, [className, all]] of classes.entries()) {
    const { rows, names } = yield* rowsOf(reflection, className, all);
    for (const name of names) {
      const values = yield* columnOf(reflection, className, name, rows);
      const chunk = propertyChunk(classId, name, values, context);
      if (chunk === undefined) return err(`${className}.${name}: the format has no form for ${typesOf(values)}`);
      yield* writeChunkPausable(body, 'PROP', chunk);
    }
    for (const column of unknown)
      if (column.className === className) yield* writeChunkPausable(body, 'PROP', unknownChunk(classId, column));
  }
  yield* writeChunkPausable(body, 'PRNT', parentChunk(model.roots, numbers));

  const file = new ByteWriter();
  writeHeader(file, classes.length, instances.length);
  if (model.metadata.size > 0) yield* writeChunkPausable(file, 'META', metadataChunk(model.metadata));
  if (shared.all.length > 0) yield* writeChunkPausable(file, 'SSTR', sharedChunk(shared.all));
  file.append(body);
  writeEnd(file);
  return ok(file);
}

function inTreeOrder(roots: readonly ModelInstance[]): ModelInstance[] {
  const list: ModelInstance[] = [];
  const waiting = roots.toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    list.push(next);
    // One by one, because a call cannot have 100,000 arguments.
    for (const child of next.children.toReversed()) waiting.push(child);
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

/** The members in the order of the owners of values; `undefined` if they are not the same instances. */
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

/** Number of instances whose values are read between two pauses. */
const INSTANCE_BATCH_SIZE = 64;

type FileRow = ReadonlyMap<string, Variant>;

/** The values of each instance, and all of their names in files. */
function* rowsOf(
  reflection: Reflection,
  className: string,
  members: readonly ModelInstance[],
): PausableWork<{ readonly rows: readonly FileRow[]; readonly names: readonly string[] }> {
  const rows: FileRow[] = [];
  const names = new Set<string>();
  for (const { name, properties } of members) {
    const row = unsortedFileProperties(reflection, className, properties);
    row.set('Name', { type: 'String', value: name });
    for (const key of row.keys()) names.add(key);
    if (rows.push(row) % INSTANCE_BATCH_SIZE === 0) yield;
  }
  return { rows, names: Array.from(names).toSorted() };
}

/** The value of each instance, all of one type if possible. */
function* columnOf(
  reflection: Reflection,
  className: string,
  name: string,
  rows: readonly FileRow[],
): PausableWork<readonly Variant[]> {
  const sample = rows.find(row => row.has(name))?.get(name);
  const type = sample === undefined ? 'String' : asWritten(sample).type;
  const values: Variant[] = [];
  let filler: Variant | undefined;
  for (const row of rows) {
    const value = row.get(name) ?? (filler ??= fillerFor(reflection, className, name, type));
    if (values.push(convertVariant(asWritten(value), type)) % INSTANCE_BATCH_SIZE === 0) yield;
  }
  return values;
}

/** Treats text as bytes. */
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
  context: ColumnWriteContext,
): ByteWriter | undefined {
  const type = values[0]?.type;
  if (type === undefined || values.some(value => value.type !== type)) return undefined;
  const writer = new ByteWriter();
  writer.u32(classId);
  writer.text(name);
  const form = propertyTypeOf(type).column;
  if (form === undefined) return undefined;
  writer.u8(form.id);
  form.write(
    writer,
    values.map(value => value.value),
    context,
  );
  return writer;
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

function sharedChunk(strings: SharedStringTable['all']): ByteWriter {
  const writer = new ByteWriter();
  writer.u32(0);
  writer.u32(strings.length);
  for (const { bytes, hash } of strings) {
    writer.raw(hash);
    writer.sized(bytes);
  }
  return writer;
}
