import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import { decodeUtf8, FormatError } from '../encoding/byte-reader.ts';
import { type ColumnCodec, makeValues, sequentialColumn, wholeColumn } from '../encoding/columns.ts';
import { readRows, readU32s, writeRows, writeU32s } from '../encoding/interleaved.ts';
import { escapeXml, isXmlText, type XmlElement } from '../encoding/xml-element.ts';
import { readBytes, writeUri, XmlValueError } from '../encoding/xml-values.ts';
import { parseRef } from './ref.ts';
import type { Variant } from './variant.ts';
import { plainWire, type PropertyType, type ShortForm, type WireForm, xmlElement } from './property-type.ts';
import { readReferent } from './references.ts';
import { parseText } from './wire-parsers.ts';
import { bytes, idSchema, sharedBytes, text } from './shapes.ts';

const shortText: ShortForm<string> = { read: json => (typeof json === 'string' ? json : undefined) };

/** Binary files store texts as bytes; only the declared type of a property distinguishes them. */
export const string: PropertyType<string> = {
  wire: plainWire('a string', parseText),
  short: shortText,
  empty: '',
  xml: {
    read: {
      ProtectedString: e => ({ type: 'String', value: e.text }),
      string: e => ({ type: 'String', value: e.text }),
    },
    // Text that XML cannot represent is written as bytes; the reader uses the declared type.
    write: value =>
      isXmlText(value)
        ? { element: 'string', inside: escapeXml(value) }
        : { element: 'BinaryString', inside: encodeBase64(new TextEncoder().encode(value)) },
  },
  attribute: {
    id: 0x02,
    read(reader) {
      const bytes = reader.sized();
      const text = decodeUtf8(bytes);
      return text === undefined ? { type: 'BinaryString', value: bytes.slice() } : { type: 'String', value: text };
    },
    write: (writer, value) => writer.text(value),
  },
  shape: text,
  plugin: 'codec',
};

/** Files have one element for `ContentId` and `Content`, which its child distinguishes. */
function readContent(element: XmlElement): Variant {
  const [inner] = element.children;
  switch (inner?.name) {
    case 'url':
      return { type: 'ContentId', value: inner.text };
    case 'uri':
      return { type: 'Content', value: { kind: 'uri', uri: inner.text } };
    case 'Ref':
      return { type: 'Content', value: { kind: 'object', ref: readReferent(inner) } };
    case undefined:
      // A text without an element keeps its blanks, because ids with a trailing blank exist. A text of only blanks is layout.
      return { type: 'ContentId', value: element.text.trim() === '' ? '' : element.text };
    default:
      return { type: 'Content', value: { kind: 'none' } };
  }
}

export const contentId: PropertyType<string> = {
  wire: plainWire('a string', parseText),
  short: shortText,
  empty: '',
  xml: { read: { Content: readContent, ContentId: readContent }, write: xmlElement('Content', writeUri) },
  shape: text,
  plugin: 'codec',
};

const base64: WireForm<Uint8Array> = {
  expected: 'a base64 string',
  encode: encodeBase64,
  decode: raw => (raw instanceof Uint8Array ? raw : typeof raw === 'string' ? decodeBase64(raw) : undefined),
};
const noBytes = new Uint8Array();

export const binaryString: PropertyType<Uint8Array> = {
  wire: base64,
  empty: noBytes,
  column: {
    id: 0x01,
    // Views of the chunk, so a caller that keeps one must copy it.
    ...sequentialColumn<Uint8Array>(
      reader => reader.sized(),
      (writer, value) => writer.sized(value),
    ),
  },
  xml: {
    read: { BinaryString: e => ({ type: 'BinaryString', value: readBytes(e) }) },
    write: xmlElement('BinaryString', encodeBase64),
  },
  attribute: { id: 0x02, write: (writer, value) => writer.sized(value) },
  shape: bytes,
  plugin: 'codec',
};

const sharedColumn: ColumnCodec<Uint8Array> = {
  *read(reader, count, context) {
    const start = reader.at;
    const indexes = readU32s(reader, count);
    return yield* makeValues(count, row => {
      const found = context.sharedString(indexes[row] ?? -1);
      if (found === undefined)
        throw new FormatError(`the shared string ${indexes[row]}, which is not in the file,`, start);
      return found;
    });
  },
  write: (writer, values, context) =>
    writeU32s(
      writer,
      values.map(value => context.sharedIndex(value)),
    ),
};

export const sharedString: PropertyType<Uint8Array> = {
  wire: base64,
  empty: noBytes,
  column: { id: 0x1c, ...sharedColumn },
  xml: { sharedElement: 'SharedString' },
  shape: sharedBytes,
  plugin: 'none',
};

/** Binary files store it as a `SharedString`. */
export const netAssetRef: PropertyType<Uint8Array> = {
  wire: base64,
  empty: noBytes,
  xml: { sharedElement: 'NetAssetRef' },
  shape: sharedBytes,
  plugin: 'none',
};

const ID_SIZE = 16;
const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, '0');

/** A row has index and time (32 bits each), then 64 random bits rotated left by one; the text is random, time, index. */
function idOfRow(row: Uint8Array): string {
  const view = new DataView(row.buffer, row.byteOffset, ID_SIZE);
  const rotated = view.getBigUint64(8);
  const random = (rotated >> 1n) | ((rotated & 1n) << 63n);
  return hex(random, 16) + hex(BigInt(view.getUint32(4)), 8) + hex(BigInt(view.getUint32(0)), 8);
}

function rowOfId(id: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(ID_SIZE));
  const random = BigInt(`0x${id.slice(0, 16)}`);
  view.setUint32(0, Number.parseInt(id.slice(24), 16));
  view.setUint32(4, Number.parseInt(id.slice(16, 24), 16));
  view.setBigUint64(8, BigInt.asUintN(64, random << 1n) | (random >> 63n));
  return new Uint8Array(view.buffer);
}

function readUniqueId(element: XmlElement): string {
  const digits = parseRef(element.text.trim());
  if (digits === undefined) throw new XmlValueError('32 hex digits', element);
  return digits;
}

export const uniqueId: PropertyType<string> = {
  wire: plainWire('32 hex digits', raw => parseRef(parseText(raw) ?? '')),
  empty: '0'.repeat(32),
  column: {
    id: 0x1f,
    ...wholeColumn<string>(
      (reader, count) => readRows(reader, count, ID_SIZE).map(idOfRow),
      (writer, values) => writeRows(writer, values.map(rowOfId), ID_SIZE),
    ),
  },
  xml: {
    read: { UniqueId: e => ({ type: 'UniqueId', value: readUniqueId(e) }) },
    write: xmlElement('UniqueId', String),
  },
  shape: { ...text, schema: idSchema },
  plugin: 'none',
};
