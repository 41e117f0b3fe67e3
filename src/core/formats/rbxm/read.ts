import type { Ref } from '../../../base/brand.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { Inflate } from '../../../ports/inflate.ts';
import type { Model, ModelInstance } from '../../dom/model.ts';
import { NULL_REF } from '../../dom/ref.ts';
import type { Reflection } from '../../dom/reflection.ts';
import type { Variant, VariantType } from '../../dom/variant.ts';
import { type ByteReader, decodeUtf8, FormatError } from '../byte-reader.ts';
import { isDeclared, readFileProperties, takeName } from '../file-properties.ts';
import { MAX_INSTANCE_DEPTH } from '../limits.ts';
import type { ReadContext } from './array-context.ts';
import { readChunks } from './chunks.ts';
import { readReferents } from './interleaved.ts';
import { arrayCodecs } from './value-arrays.ts';

/**
 * Reads a `.rbxm` or `.rbxl` file: `reference/project-format.md`, appendix A.1. Names and types are those that Roblox declares, as
 * `readXmlModel` gives them. The error says at which byte (of the file, or of the decompressed chunk that it names).
 */
export function readBinaryModel(bytes: Uint8Array, reflection: Reflection, inflate: Inflate): Result<Model, string> {
  const reading = new Reading(reflection);
  let chunkName = 'file';
  try {
    for (const { name, data } of readChunks(bytes, inflate)) {
      chunkName = `${name} chunk`;
      reading.chunk(name, data);
      chunkName = 'file';
    }
    return ok(reading.finish());
  } catch (error) {
    if (error instanceof FormatError) return err(`${chunkName}: ${error.message}`);
    throw error;
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

interface AnyCodec {
  readonly type: VariantType;
  read(reader: ByteReader, count: number, context: ReadContext): readonly unknown[];
}
const codecs: ReadonlyMap<number, AnyCodec> = new Map(
  Object.values(arrayCodecs).map((codec): [number, AnyCodec] => [codec.id, codec]),
);

/** One reading of one file: told of its chunks in order, it builds the model. */
class Reading {
  readonly #reflection: Reflection;
  readonly #classes = new Map<number, OpenClass>();
  readonly #instances = new Map<number, OpenInstance>();
  readonly #roots: OpenInstance[] = [];
  readonly #metadata = new Map<string, string>();
  readonly #unread: string[] = [];
  #sharedStrings: readonly Uint8Array[] = [];
  readonly #context: ReadContext = {
    sharedString: index => this.#sharedStrings[index],
    // Referents of a model stand where Refs will be, until the model is given ids.
    refOf: number => (this.#instances.get(number)?.referent ?? NULL_REF) as Ref,
  };

  constructor(reflection: Reflection) {
    this.#reflection = reflection;
  }

  chunk(name: string, data: ByteReader): void {
    switch (name) {
      case 'META':
        for (let left = data.count(8); left > 0; left--) this.#metadata.set(data.text(), data.text());
        return;
      case 'SSTR':
        return this.#readSharedStrings(data);
      case 'INST':
        return this.#readClass(data);
      case 'PROP':
        return this.#readProperty(data);
      case 'PRNT':
        return this.#readParents(data);
      default:
        // Signatures and whatever comes after us: of the file, not of the instances.
        return;
    }
  }

  finish(): Model {
    for (const { parent, className } of this.#instances.values())
      if (parent === undefined) throw new FormatError(`a ${className} without a parent`, 0);
    let count = 0;
    const build = (instance: OpenInstance, depth: number): ModelInstance => {
      if (depth > MAX_INSTANCE_DEPTH)
        throw new FormatError(`more than ${MAX_INSTANCE_DEPTH} instances inside each other`, 0);
      count++;
      const { className, referent } = instance;
      const properties = readFileProperties(this.#reflection, className, instance.values);
      const name = takeName(properties, className);
      return {
        referent,
        className,
        name,
        properties,
        children: instance.children.map(child => build(child, depth + 1)),
      };
    };
    const roots = this.#roots.map(root => build(root, 1));
    if (count !== this.#instances.size) throw new FormatError('instances that are inside themselves', 0);
    return { roots, metadata: this.#metadata, ...(this.#unread.length > 0 ? { unread: this.#unread } : {}) };
  }

  #readSharedStrings(data: ByteReader): void {
    const version = data.u32();
    if (version !== 0) throw new FormatError(`expected version 0, not ${version}`, 0);
    // 16 bytes of hash and a length each; the bytes themselves say more than their hash.
    this.#sharedStrings = Array.from({ length: data.count(20) }, () => {
      data.take(16);
      return data.sized().slice();
    });
  }

  #readClass(data: ByteReader): void {
    const id = data.u32();
    const name = data.text();
    data.u8();
    const start = data.at;
    const numbers = readReferents(data, data.count(4));
    const instances = numbers.map((number): OpenInstance => {
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
      return instance;
    });
    if (this.#classes.has(id)) throw new FormatError(`the class number ${id} a second time`, start);
    this.#classes.set(id, { name, instances });
  }

  #readProperty(data: ByteReader): void {
    const start = data.at;
    const classId = data.u32();
    const name = data.text();
    const owner = this.#classes.get(classId);
    if (owner === undefined) throw new FormatError(`the class number ${classId}, which is not in the file,`, start);
    const typeId = data.u8();
    const codec = codecs.get(typeId);
    if (codec === undefined) {
      this.#unread.push(`${owner.name}.${name} has the unknown type 0x${typeId.toString(16)}`);
      return;
    }
    const values = codec.read(data, owner.instances.length, this.#context);
    const isKnown = isDeclared(this.#reflection, owner.name, name);
    for (const [index, instance] of owner.instances.entries()) {
      // The codec of the type made the value: TypeScript cannot follow the pair through the union.
      const variant = { type: codec.type, value: values[index] } as Variant;
      instance.values.set(name, isKnown ? variant : asText(variant));
    }
  }

  #readParents(data: ByteReader): void {
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
    }
  }
}

/** Of a property that nobody declares, text is the better guess where the bytes are text. */
function asText(variant: Variant): Variant {
  const text = variant.type === 'BinaryString' ? decodeUtf8(variant.value) : undefined;
  return text === undefined ? variant : { type: 'String', value: text };
}
