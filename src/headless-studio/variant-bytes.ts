import { type ByteReader, FormatError } from '../roblox/encoding/byte-reader.ts';
import type { ByteWriter } from '../roblox/encoding/byte-writer.ts';
import { propertyTypeOf, propertyTypes } from '../roblox/values/property-types.ts';
import type { NestedValues, ReferenceIndex } from '../roblox/values/shapes.ts';
import type { Variant, VariantType } from '../roblox/values/variant.ts';

/** The shared strings of an open place, for example meshes of many megabytes that many instances share. */
export class SharedBytes {
  readonly #all: Uint8Array[] = [];
  readonly #indexes = new Map<Uint8Array, number>();

  indexOf(bytes: Uint8Array): number {
    const known = this.#indexes.get(bytes);
    if (known !== undefined) return known;
    const index = this.#all.push(bytes) - 1;
    this.#indexes.set(bytes, index);
    return index;
  }

  /** @throws FormatError for an unknown index */
  at(index: number): Uint8Array {
    const bytes = this.#all[index];
    if (bytes === undefined) throw new FormatError(`the shared string ${index}, which does not exist,`, 0);
    return bytes;
  }
}

/** Types by number, from 1; `luau/place/variant.luau` numbers them in the same alphabetical order. */
const variantTypes = (Object.keys(propertyTypes) as VariantType[]).toSorted();
const numbers: ReadonlyMap<VariantType, number> = new Map(variantTypes.map((type, index) => [type, index + 1]));

/** One property value: the number of its type, then its payload. */
export function writeVariant(writer: ByteWriter, { type, value }: Variant, references: ReferenceIndex): void {
  writer.u8(numbers.get(type) ?? 0);
  propertyTypeOf(type).shape.write(writer, value, references, nested);
}

/** @throws FormatError */
export function readVariant(reader: ByteReader, references: ReferenceIndex): Variant {
  const start = reader.at;
  const type = variantTypes[reader.u8() - 1];
  if (type === undefined) throw new FormatError('an unknown type of value', start);
  // The shape of `type` creates its payload, but TypeScript cannot relate both through the union.
  return { type, value: propertyTypes[type].shape.read(reader, references, nested) } as Variant;
}

const nested: NestedValues = { write: writeVariant, read: readVariant };
