import { sequentialColumn } from '../encoding/columns.ts';
import { bitsOf, readFlags, requireChild, writeTag } from '../encoding/xml-values.ts';
import { axisNames, faceNames } from './value-names.ts';
import { plainWire, type PropertyType, xmlElement } from './property-type.ts';
import { parseList, parseNames, parseText } from './wire-parsers.ts';
import { listOf, setOf, text } from './shapes.ts';

const asSet = (names: readonly string[]): string[] => Array.from(new Set(names)).toSorted();

/** Sets of names are one byte in binary files, with a bit for each name. */
const flagColumn = <T extends string>(names: readonly T[]) =>
  sequentialColumn<readonly T[]>(
    reader => {
      const bits = reader.u8();
      return names.filter((_, index) => (bits & (1 << index)) !== 0);
    },
    (writer, value) => writer.u8(bitsOf(names, value)),
  );

export const axes: PropertyType<readonly (typeof axisNames)[number][]> = {
  wire: plainWire('an array of "X", "Y", "Z"', parseNames(axisNames)),
  comparable: asSet,
  empty: [],
  column: { id: 0x0a, ...flagColumn(axisNames) },
  xml: {
    read: { Axes: e => ({ type: 'Axes', value: readFlags(requireChild(e, 'axes'), axisNames) }) },
    write: xmlElement('Axes', value => writeTag('axes', bitsOf(axisNames, value))),
  },
  shape: setOf(axisNames),
  plugin: 'codec',
};

/** The bits have the numbers of `Enum.NormalId`. */
export const faces: PropertyType<readonly (typeof faceNames)[number][]> = {
  wire: plainWire(`an array of ${faceNames.map(name => `"${name}"`).join(', ')}`, parseNames(faceNames)),
  comparable: asSet,
  empty: [],
  column: { id: 0x09, ...flagColumn(faceNames) },
  xml: {
    read: { Faces: e => ({ type: 'Faces', value: readFlags(requireChild(e, 'faces'), faceNames) }) },
    write: xmlElement('Faces', value => writeTag('faces', bitsOf(faceNames, value))),
  },
  shape: setOf(faceNames),
  plugin: 'codec',
};

/** Files store tags as a `BinaryString`: see `value-conversion.ts`. */
export const tags: PropertyType<readonly string[]> = {
  wire: plainWire('an array of strings', raw => parseList(raw, parseText)),
  short: {},
  comparable: asSet,
  empty: [],
  shape: listOf(text),
  plugin: 'codec',
};
