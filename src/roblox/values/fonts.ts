import { sequentialColumn } from '../encoding/columns.ts';
import { childOf, type XmlElement } from '../encoding/xml-element.ts';
import { readUint32, readUri, requireChild, writeTag, writeUri } from '../encoding/xml-values.ts';
import { fontWeightNames } from './value-names.ts';
import type { Font } from './variant.ts';
import { type PropertyType, xmlElement } from './property-type.ts';
import { parseRecord, parseText } from './wire-parsers.ts';
import { objectSchema, text } from './shapes.ts';

function decode(raw: unknown): Font | undefined {
  const record = parseRecord(raw);
  const family = parseText(record?.['family']);
  const weight = parseText(record?.['weight']);
  const style = record?.['style'];
  const cachedFaceId = record?.['cachedFaceId'] ?? undefined;
  if (family === undefined || weight === undefined || !fontWeightNames.includes(weight)) return undefined;
  if (style !== 'Normal' && style !== 'Italic') return undefined;
  if (cachedFaceId === undefined) return { family, weight, style };
  return typeof cachedFaceId === 'string' ? { family, weight, style, cachedFaceId } : undefined;
}

/** Weights are 100 to 900 in files. */
const weightName = (number: number): string => fontWeightNames[number / 100 - 1] ?? 'Regular';
const weightNumber = (name: string): number => (fontWeightNames.indexOf(name) + 1) * 100;

/** Files contain an empty text for a face that is not cached. */
const fontOf = (family: string, weight: string, style: Font['style'], cachedFaceId: string): Font =>
  cachedFaceId === '' ? { family, weight, style } : { family, weight, style, cachedFaceId };

function readXml(e: XmlElement): Font {
  // Tools omit default values.
  const given = childOf(e, 'Weight');
  const weight = given === undefined ? 'Regular' : weightName(readUint32(given));
  const style = childOf(e, 'Style')?.text.trim() === 'Italic' ? 'Italic' : 'Normal';
  return fontOf(readUri(requireChild(e, 'Family')), weight, style, readUri(childOf(e, 'CachedFaceId')));
}

export const font: PropertyType<Font> = {
  wire: {
    expected: '{"family": "…", "weight": "Regular", "style": "Normal"} with the name of a weight and of a style',
    encode: value => ({ ...value, cachedFaceId: value.cachedFaceId ?? null }),
    decode,
  },
  file: value => ({ ...value }),
  short: { expected: '{"family": "…", "weight": "Regular", "style": "Normal"}' },
  // The cached face follows from the other three; Studio fills it in automatically.
  comparable: ({ family, weight, style }) => [family, weight, style],
  empty: { family: 'rbxasset://fonts/families/SourceSansPro.json', weight: 'Regular', style: 'Normal' },
  column: {
    id: 0x20,
    ...sequentialColumn<Font>(
      reader => {
        const family = reader.text();
        const weight = weightName(reader.u16());
        const style = reader.u8() === 1 ? 'Italic' : 'Normal';
        return fontOf(family, weight, style, reader.text());
      },
      (writer, value) => {
        writer.text(value.family);
        writer.u16(weightNumber(value.weight));
        writer.u8(value.style === 'Italic' ? 1 : 0);
        writer.text(value.cachedFaceId ?? '');
      },
    ),
  },
  xml: {
    read: { Font: e => ({ type: 'Font', value: readXml(e) }) },
    write: xmlElement(
      'Font',
      value =>
        writeTag('Family', writeUri(value.family)) +
        writeTag('Weight', weightNumber(value.weight)) +
        writeTag('Style', value.style) +
        (value.cachedFaceId === undefined ? '' : writeTag('CachedFaceId', writeUri(value.cachedFaceId))),
    ),
  },
  attribute: {
    id: 0x21,
    read(reader) {
      const weight = weightName(reader.u16());
      const style = reader.u8() === 1 ? 'Italic' : 'Normal';
      const family = reader.text();
      return { type: 'Font', value: fontOf(family, weight, style, reader.text()) };
    },
    write(writer, value) {
      writer.u16(weightNumber(value.weight));
      writer.u8(value.style === 'Italic' ? 1 : 0);
      writer.text(value.family);
      writer.text(value.cachedFaceId ?? '');
    },
  },
  shape: {
    schema: objectSchema(
      {
        family: text.schema,
        weight: { enum: fontWeightNames },
        style: { enum: ['Normal', 'Italic'] },
        cachedFaceId: { type: ['string', 'null'] },
      },
      ['family', 'weight', 'style'],
    ),
    write(writer, value) {
      writer.text(value.family);
      writer.text(value.weight);
      writer.u8(value.style === 'Italic' ? 1 : 0);
      writer.text(value.cachedFaceId ?? '');
    },
    read(reader) {
      const family = reader.text();
      const weight = reader.text();
      const style = reader.u8() === 1 ? 'Italic' : 'Normal';
      return fontOf(family, weight, style, reader.text());
    },
  },
  plugin: 'codec',
};
