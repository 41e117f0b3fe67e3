import type { Ref } from '../../../base/brand.ts';
import { DecodeBudget, DecodeBudgetError } from '../../../base/decode/decode-budget.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { type TimeSlice, runToEnd, runInSlices, type PausableWork } from '../../../base/time-slice.ts';
import type { Inflate } from '../../../ports/inflate.ts';
import type { Model, ModelInstance, UnknownColumn } from '../../instances/model.ts';
import type { ColumnForm } from '../../values/property-type.ts';
import { propertyTypeOf, propertyTypes } from '../../values/property-types.ts';
import { NULL_REF } from '../../values/ref.ts';
import type { DeclaredType, Reflection } from '../../instances/reflection.ts';
import type { Variant, VariantPayloads, VariantType } from '../../values/variant.ts';
import { type ByteReader, decodeUtf8, FormatError } from '../../encoding/byte-reader.ts';
import { declaredType, readFileProperties, takeName } from '../file-properties.ts';
import { MAX_INSTANCE_DEPTH, MODEL_FILE_LIMITS, VALUES_PER_INSTANCE } from '../limits.ts';
import { rememberSharedStringHash } from '../shared-string-hash.ts';
import type { ColumnReadContext } from '../../encoding/column-context.ts';
import { type Chunk, packedChunks, unpack, unpackInSlices } from './chunks.ts';
import { readReferents } from '../../encoding/interleaved.ts';

/**
 * Reads a `.rbxm` or `.rbxl` file. Names and types are those that Roblox declares, as from `readXmlModel`. The error contains the byte
 * offset (in the file, or in the decompressed chunk that it names).
 */
export function readBinaryModel(bytes: Uint8Array, reflection: Reflection, inflate: Inflate): Result<Model, string> {
  const reading = new Reading(reflection);
  try {
    for (const packed of packedChunks(bytes)) runToEnd(reading.chunk(unpack(packed, inflate)));
    return ok(runToEnd(reading.finish()));
  } catch (error) {
    return reading.failed(error);
  }
}

/** Reads like `readBinaryModel`, and yields to other work. */
export async function readBinaryModelInSlices(
  bytes: Uint8Array,
  reflection: Reflection,
  inflate: Inflate,
  slice: TimeSlice,
): Promise<Result<Model, string>> {
  const reading = new Reading(reflection);
  try {
    for (const packed of packedChunks(bytes))
      await runInSlices(reading.chunk(await unpackInSlices(packed, inflate, slice)), slice);
    return ok(await runInSlices(reading.finish(), slice));
  } catch (error) {
    return reading.failed(error);
  }
}

interface OpenClass {
  readonly name: string;
  readonly instances: readonly OpenInstance[];
}
interface OpenInstance {
  readonly className: string;
  readonly referent: string;
  readonly values: Map<string, Variant>;
  readonly children: OpenInstance[];
  parent: OpenInstance | null | undefined;
}

interface KnownColumn {
  readonly type: VariantType;
  readonly form: ColumnForm<VariantPayloads[VariantType]>;
}
const knownColumns: ReadonlyMap<number, KnownColumn> = new Map(
  (Object.keys(propertyTypes) as VariantType[]).flatMap(type => {
    const form = propertyTypeOf(type).column;
    return form === undefined ? [] : [[form.id, { type, form }]];
  }),
);

/** Number of instances between two pauses. */
const INSTANCE_BATCH_SIZE = 64;

/** Builds the model of one file from its chunks, in order. */
class Reading {
  readonly #reflection: Reflection;
  /** The part that is being read, for errors. */
  #at = 'file';
  readonly #classes = new Map<number, OpenClass>();
  readonly #instances = new Map<number, OpenInstance>();
  readonly #roots: OpenInstance[] = [];
  readonly #metadata = new Map<string, string>();
  readonly #unknown: UnknownColumn[] = [];
  readonly #budget = new DecodeBudget(MODEL_FILE_LIMITS, 0);
  #sharedStrings: readonly Uint8Array[] = [];
  readonly #context: ColumnReadContext = {
    sharedString: index => this.#sharedStrings[index],
    // A model has referents instead of Refs until it gets ids.
    refOf: number => (this.#instances.get(number)?.referent ?? NULL_REF) as Ref,
  };

  constructor(reflection: Reflection) {
    this.#reflection = reflection;
  }

  *chunk({ name, data }: Chunk): PausableWork<void> {
    this.#at = `${name} chunk`;
    yield* this.#read(name, data);
    this.#at = 'file';
  }

  *#read(name: string, data: ByteReader): PausableWork<void> {
    switch (name) {
      case 'META':
        for (let left = data.count(8); left > 0; left--) this.#metadata.set(data.text(), data.text());
        return;
      case 'SSTR':
        return yield* this.#readSharedStrings(data);
      case 'INST':
        return yield* this.#readClass(data);
      case 'PROP':
        return yield* this.#readProperty(data);
      case 'PRNT':
        return yield* this.#readParents(data);
      default:
        // Signatures and unknown chunks belong to the file, not to the instances.
        return;
    }
  }

  /** Converts the error of an unreadable file. @throws any other error */
  failed(error: unknown): Result<never, string> {
    if (error instanceof FormatError) return err(`${this.#at}: ${error.message}`);
    if (error instanceof DecodeBudgetError) return err(`${this.#at}: expected ${error.message}`);
    throw error;
  }

  *finish(): PausableWork<Model> {
    for (const { parent, className } of this.#instances.values())
      if (parent === undefined) throw new FormatError(`a ${className} without a parent`, 0);
    const roots: ModelInstance[] = [];
    const open = this.#roots.toReversed().map(instance => ({ instance, into: roots, depth: 1 }));
    let count = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { instance, into, depth } = next;
      if (depth > MAX_INSTANCE_DEPTH)
        throw new FormatError(`more than ${MAX_INSTANCE_DEPTH} levels of nested instances`, 0);
      count++;
      if (count % INSTANCE_BATCH_SIZE === 0) yield;
      const { className, referent } = instance;
      const properties = readFileProperties(this.#reflection, className, instance.values);
      const name = takeName(properties, className);
      const children: ModelInstance[] = [];
      into.push({ referent, className, name, properties, children });
      for (const child of instance.children.toReversed())
        open.push({ instance: child, into: children, depth: depth + 1 });
    }
    if (count !== this.#instances.size) throw new FormatError('instances that contain themselves', 0);
    return { roots, metadata: this.#metadata, ...(this.#unknown.length > 0 ? { unknownColumns: this.#unknown } : {}) };
  }

  *#readSharedStrings(data: ByteReader): PausableWork<void> {
    const version = data.u32();
    if (version !== 0) throw new FormatError(`expected version 0, not ${version}`, 0);
    const strings: Uint8Array[] = [];
    for (let left = data.count(20); left > 0; left--) {
      const hash = data.take(16).slice();
      // A view: the chunk has nothing but shared strings, so nothing else stays in memory with it.
      const bytes = data.sized();
      rememberSharedStringHash(bytes, hash);
      strings.push(bytes);
      yield;
    }
    this.#sharedStrings = strings;
  }

  *#readClass(data: ByteReader): PausableWork<void> {
    const id = data.u32();
    const name = data.text();
    data.u8();
    const start = data.at;
    const instances: OpenInstance[] = [];
    const count = data.count(4);
    // A few bytes of a compressed file can declare a million instances.
    this.#budget.take(count * VALUES_PER_INSTANCE);
    for (const number of readReferents(data, count)) {
      if (number < 0 || this.#instances.has(number))
        throw new FormatError(`the number ${number} for an instance`, start);
      const instance = {
        className: name,
        referent: String(number),
        values: new Map(),
        children: [],
        parent: undefined,
      };
      this.#instances.set(number, instance);
      if (instances.push(instance) % INSTANCE_BATCH_SIZE === 0) yield;
    }
    if (this.#classes.has(id)) throw new FormatError(`the class number ${id} a second time`, start);
    this.#classes.set(id, { name, instances });
  }

  *#readProperty(data: ByteReader): PausableWork<void> {
    const start = data.at;
    const classId = data.u32();
    const name = data.text();
    const owner = this.#classes.get(classId);
    if (owner === undefined) throw new FormatError(`the class number ${classId}, which is not in the file,`, start);
    const typeId = data.u8();
    const known = knownColumns.get(typeId);
    if (known === undefined) {
      const owners = owner.instances.map(({ referent }) => referent);
      this.#unknown.push({ className: owner.name, name, typeId, bytes: data.take(data.left).slice(), owners });
      return;
    }
    this.#budget.take(owner.instances.length);
    const values = yield* known.form.read(data, owner.instances.length, this.#context);
    const make = known.type === 'BinaryString' ? bytesOf(declaredType(this.#reflection, owner.name, name)) : undefined;
    for (const [index, instance] of owner.instances.entries()) {
      const value = values[index];
      instance.values.set(name, make?.(value as Uint8Array) ?? ({ type: known.type, value } as Variant));
      if (index % INSTANCE_BATCH_SIZE === 0) yield;
    }
  }

  *#readParents(data: ByteReader): PausableWork<void> {
    const version = data.u8();
    if (version !== 0) throw new FormatError(`expected version 0, not ${version}`, 0);
    const count = data.count(8);
    const children = readReferents(data, count);
    const parents = readReferents(data, count);
    for (const [index, number] of children.entries()) {
      const child = this.#instances.get(number);
      const parentNumber = parents[index] ?? -1;
      const parent = parentNumber === -1 ? null : this.#instances.get(parentNumber);
      if (child === undefined || parent === undefined || child.parent !== undefined)
        throw new FormatError(`${number} inside ${parentNumber}, which is not possible,`, data.at);
      child.parent = parent;
      (parent?.children ?? this.#roots).push(child);
      if (index % INSTANCE_BATCH_SIZE === 0) yield;
    }
  }
}

/**
 * Decodes bytes of a chunk as text if the property is declared as text, or if it is undeclared and the bytes are text. Copies bytes,
 * because one value must not keep the whole chunk in memory.
 */
function bytesOf(declared: DeclaredType | undefined): (view: Uint8Array) => Variant {
  const mayBeText = declared === undefined || declared === 'String';
  return view => {
    const text = mayBeText ? decodeUtf8(view) : undefined;
    return text === undefined ? { type: 'BinaryString', value: view.slice() } : { type: 'String', value: text };
  };
}
