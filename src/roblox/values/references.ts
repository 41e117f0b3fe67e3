import type { Ref } from '../../base/brand.ts';
import { type ByteReader, FormatError } from '../encoding/byte-reader.ts';
import type { ByteWriter } from '../encoding/byte-writer.ts';
import type { ColumnReadContext, ColumnWriteContext } from '../encoding/column-context.ts';
import { wholeColumn } from '../encoding/columns.ts';
import { readI32s, readReferents, writeI32s, writeReferents } from '../encoding/interleaved.ts';
import { escapeXml, type XmlElement } from '../encoding/xml-element.ts';
import { writeTag } from '../encoding/xml-values.ts';
import { isNoReferent, NULL_REF, parseRef } from './ref.ts';
import { plainWire, type PropertyType, xmlElement } from './property-type.ts';
import { parseRecord, parseText } from './wire-parsers.ts';
import { idSchema, objectSchema, text } from './shapes.ts';

/** A model has its referent instead of the Ref until it gets ids. */
export function readReferent(element: XmlElement): Ref {
  const text = element.text.trim();
  return isNoReferent(text) ? NULL_REF : (text as Ref);
}

const writeReferent = (value: string): string => (value === NULL_REF ? 'null' : escapeXml(value));

export const ref: PropertyType<Ref> = {
  wire: plainWire('32 hex digits', raw => parseRef(parseText(raw) ?? '')),
  // Project files refer to instances through attributes.
  short: { expected: 'left out here', read: () => undefined, write: () => undefined },
  empty: NULL_REF,
  column: {
    id: 0x13,
    ...wholeColumn<Ref>(
      (reader, count, context) => readReferents(reader, count).map(number => context.refOf(number)),
      (writer, values, context) =>
        writeReferents(
          writer,
          values.map(value => context.numberOf(value)),
        ),
    ),
  },
  xml: { read: { Ref: e => ({ type: 'Ref', value: readReferent(e) }) }, write: xmlElement('Ref', writeReferent) },
  shape: {
    schema: idSchema,
    write: (writer, value, references) => writer.i32(references.indexOf(value)),
    read: (reader, references) => references.refAt(reader.i32()),
  },
  plugin: 'instance',
};

export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'object'; readonly ref: Ref };

const kinds = { none: 0, uri: 1, object: 2 } as const;

/** The kinds, the addresses of some of them, the instances, and instances of other files, which cannot be referred to. */
function readContents(reader: ByteReader, count: number, context: ColumnReadContext): Content[] {
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

function writeContents(writer: ByteWriter, values: readonly Content[], context: ColumnWriteContext): void {
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

/** The reader of `ContentId` reads the XML element. */
export const content: PropertyType<Content> = {
  wire: {
    expected: '"None", {"Uri": "…"} or {"Object": "32 hex digits"}',
    encode: value =>
      value.kind === 'none' ? 'None' : value.kind === 'uri' ? { Uri: value.uri } : { Object: value.ref },
    decode(raw) {
      if (raw === 'None') return { kind: 'none' };
      const record = parseRecord(raw);
      if (record === undefined || Object.keys(record).length !== 1) return undefined;
      const uri = parseText(record['Uri']);
      if (uri !== undefined) return { kind: 'uri', uri };
      const object = parseRef(parseText(record['Object']) ?? '');
      return object && { kind: 'object', ref: object };
    },
  },
  short: {
    expected: 'a string',
    schema: text.schema,
    read: json => (typeof json === 'string' ? { kind: 'uri', uri: json } : undefined),
    write: value => (value.kind === 'none' ? '' : value.kind === 'uri' ? value.uri : undefined),
  },
  comparable: value => (value.kind === 'uri' && value.uri === '' ? { kind: 'none' } : value),
  empty: { kind: 'none' },
  column: { id: 0x22, ...wholeColumn(readContents, writeContents) },
  xml: {
    read: {},
    write: xmlElement('Content', value => {
      if (value.kind === 'none') return writeTag('null', '');
      return value.kind === 'uri' ? writeTag('uri', escapeXml(value.uri)) : writeTag('Ref', writeReferent(value.ref));
    }),
  },
  shape: {
    schema: {
      anyOf: [{ enum: ['None'] }, objectSchema({ Uri: text.schema }), objectSchema({ Object: idSchema })],
    },
    write(writer, value, references) {
      writer.u8(kinds[value.kind]);
      if (value.kind === 'uri') writer.text(value.uri);
      if (value.kind === 'object') writer.i32(references.indexOf(value.ref));
    },
    read(reader, references) {
      const kind = reader.u8();
      if (kind === kinds.uri) return { kind: 'uri', uri: reader.text() };
      return kind === kinds.object ? { kind: 'object', ref: references.refAt(reader.i32()) } : { kind: 'none' };
    },
  },
  plugin: 'codec',
};
