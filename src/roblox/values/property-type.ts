import type { ByteReader } from '../encoding/byte-reader.ts';
import type { ByteWriter } from '../encoding/byte-writer.ts';
import type { ColumnCodec } from '../encoding/columns.ts';
import type { XmlElement } from '../encoding/xml-element.ts';
import type { PayloadSchema, Shape } from './shapes.ts';
import type { Variant } from './variant.ts';

/** All forms of one property type with the payload `T`. If a form is omitted, its file format does not support the type. */
export interface PropertyType<T> {
  /** The payload of `{"<Type>": payload}`, in the Studio protocol and in project files. */
  readonly wire: WireForm<T>;
  /** The payload in project files, where it differs from the wire form with floats shortened. */
  readonly file?: (value: T, nested: (value: Variant) => unknown) => unknown;
  /** The form without the name of the type, for properties of a known type in project files. */
  readonly short?: ShortForm<T>;
  /** Whether numbers are compared exactly: ids differ by less than the tolerance of floats. */
  readonly isExact?: true;
  /** The payload in a form in which equal values have equal structure. */
  readonly comparable?: (value: T) => unknown;
  /** Compares payloads that contain values of other types. */
  readonly equal?: (a: T, b: T, equal: (a: Variant, b: Variant) => boolean) => boolean;
  /** Written to binary files for an instance without the property, if its class has no default. */
  readonly empty: T;
  /** The form in binary files: the values of all instances of a class. */
  readonly column?: ColumnForm<T>;
  readonly xml?: XmlForm<T>;
  /** The form in the bytes of `AttributesSerialize`. */
  readonly attribute?: AttributeForm<T>;
  /** The structure of the payload in JSON schemas and between headless Studio and the Luau VM. */
  readonly shape: Shape<T>;
  /** How the Studio plugin accesses the value: through `core/codec`, as an instance, or not at all, because Luau scripts cannot. */
  readonly plugin: 'codec' | 'instance' | 'none';
}

export interface WireForm<T> {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  encode(value: T, nested: (value: Variant) => unknown): unknown;
  /** `undefined` for a payload of another form. */
  decode(raw: unknown, nested: (raw: unknown) => Variant | undefined): T | undefined;
}

export interface ShortForm<T> {
  /** The text of the wire form if omitted. */
  readonly expected?: string;
  /** The schema of the payload if omitted. */
  readonly schema?: PayloadSchema;
  /** Omitted: the short form is the payload. */
  readonly read?: (json: unknown, decode: (json: unknown) => T | undefined) => T | undefined;
  /** A candidate, which may read back as another value. Omitted: the payload. */
  readonly write?: (value: T) => unknown;
}

export interface ColumnForm<T> extends ColumnCodec<T> {
  /** The number of the type in a `PROP` chunk. */
  readonly id: number;
}

export interface AttributeForm<T> {
  readonly id: number;
  /** Omitted: another type reads the values with this id. */
  readonly read?: (reader: ByteReader) => Variant;
  write(writer: ByteWriter, value: T): void;
}

/** The element of a value and its content. */
export interface WrittenValue {
  readonly element: string;
  readonly inside: string;
}

export type XmlForm<T> =
  | {
      /** Readers by the name of the element. Some elements hold one of several types. @throws XmlValueError */
      readonly read: Readonly<Record<string, (element: XmlElement) => Variant>>;
      write(value: T): WrittenValue;
    }
  | {
      /** Whether the element contains the key of bytes at the end of the file. */
      readonly sharedElement: string;
    };

/** A wire form that equals the value. */
export const plainWire = <T>(expected: string, decode: (raw: unknown) => T | undefined): WireForm<T> => ({
  expected,
  encode: value => value,
  decode,
});

/** Writes the content of one element. */
export const xmlElement =
  <V>(element: string, format: (value: V) => string) =>
  (value: V): WrittenValue => ({ element, inside: format(value) });
