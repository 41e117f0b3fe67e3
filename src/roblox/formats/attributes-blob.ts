import { err, ok, type Result } from '../../base/result.ts';
import { propertyTypeOf, propertyTypes } from '../values/property-types.ts';
import type { Variant } from '../values/variant.ts';
import { ByteReader, FormatError } from '../encoding/byte-reader.ts';
import { ByteWriter } from '../encoding/byte-writer.ts';

/** Reads the bytes of `AttributesSerialize`. No bytes mean no attributes. */
export function readAttributesBlob(bytes: Uint8Array): Result<ReadonlyMap<string, Variant>, string> {
  const attributes = new Map<string, Variant>();
  if (bytes.length === 0) return ok(attributes);
  const reader = new ByteReader(bytes);
  try {
    for (let left = reader.count(5); left > 0; left--) {
      const name = reader.text();
      const start = reader.at;
      const id = reader.u8();
      const read = readers.get(id);
      if (read === undefined) throw new FormatError(`an attribute of the unknown type 0x${id.toString(16)}`, start);
      attributes.set(name, read(reader));
    }
  } catch (error) {
    if (error instanceof FormatError) return err(error.message);
    throw error;
  }
  return reader.left === 0 ? ok(attributes) : err(`${reader.left} bytes after the last attribute`);
}

/** Sorted by name. @returns `undefined` when an attribute has a type that the blob cannot hold */
export function writeAttributesBlob(attributes: ReadonlyMap<string, Variant>): Uint8Array | undefined {
  const writer = new ByteWriter();
  if (attributes.size > 0) writer.u32(attributes.size);
  for (const [name, value] of Array.from(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    writer.text(name);
    const form = propertyTypeOf(value.type).attribute;
    if (form === undefined) return undefined;
    writer.u8(form.id);
    form.write(writer, value.value);
  }
  return writer.finish();
}

const readers: ReadonlyMap<number, (reader: ByteReader) => Variant> = new Map(
  Object.values(propertyTypes).flatMap(({ attribute }) =>
    attribute?.read === undefined ? [] : [[attribute.id, attribute.read]],
  ),
);
