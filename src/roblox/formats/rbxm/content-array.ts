import type { VariantPayloads } from '../../instances/variant.ts';
import { type ByteReader, FormatError } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { readI32s, readReferents, writeI32s, writeReferents } from './interleaved.ts';
import type { ReadContext, WriteContext } from './array-context.ts';

type Content = VariantPayloads['Content'];

const kinds = { none: 0, uri: 1, object: 2 } as const;

/** Kinds, then the uris of those that have one, the instances, and instances of other files, which nothing can point to. */
export function readContents(reader: ByteReader, count: number, context: ReadContext): Content[] {
  const start = reader.at;
  const kindOf = readI32s(reader, count);
  const uris = Array.from({ length: reader.count(4) }, reader.text);
  const objects = readReferents(reader, reader.count(4));
  reader.take(4 * reader.count(4));
  let [uriCount, objectCount] = [0, 0];
  return kindOf.map((kind): Content => {
    if (kind === kinds.none) return { kind: 'none' };
    const uri = kind === kinds.uri ? uris[uriCount++] : undefined;
    if (uri !== undefined) return { kind: 'uri', uri };
    const object = kind === kinds.object ? objects[objectCount++] : undefined;
    if (object === undefined) throw new FormatError('content that is not there', start);
    return { kind: 'object', ref: context.refOf(object) };
  });
}

export function writeContents(writer: ByteWriter, values: readonly Content[], context: WriteContext): void {
  writeI32s(
    writer,
    values.map(value => kinds[value.kind]),
  );
  const uris = values.flatMap(value => (value.kind === 'uri' ? [value.uri] : []));
  writer.u32(uris.length);
  for (const uri of uris) writer.text(uri);
  const objects = values.flatMap(value => (value.kind === 'object' ? [context.numberOf(value.ref)] : []));
  writer.u32(objects.length);
  writeReferents(writer, objects);
  writer.u32(0);
}
