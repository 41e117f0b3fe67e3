/** Arrays with the first bytes of all values, then all second bytes, and so on. Each value is big-endian. */
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

export function readU32s(reader: ByteReader, count: number): number[] {
  const bytes = reader.take(4 * count);
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    const high = ((bytes[i] ?? 0) << 24) | ((bytes[count + i] ?? 0) << 16);
    values.push((high | ((bytes[2 * count + i] ?? 0) << 8) | (bytes[3 * count + i] ?? 0)) >>> 0);
  }
  return values;
}

export function writeU32s(writer: ByteWriter, values: readonly number[]): void {
  for (const shift of [24, 16, 8, 0]) for (const value of values) writer.u8((value >>> shift) & 255);
}

/** Signed, with the sign in the lowest bit. */
export const readI32s = (reader: ByteReader, count: number): number[] =>
  readU32s(reader, count).map(value => (value >>> 1) ^ -(value & 1));

export const writeI32s = (writer: ByteWriter, values: readonly number[]): void =>
  writeU32s(
    writer,
    values.map(value => ((value << 1) ^ (value >> 31)) >>> 0),
  );

const bits = new DataView(new ArrayBuffer(4));

/** Floats, with the sign in the lowest bit. */
export const readF32s = (reader: ByteReader, count: number): number[] =>
  readU32s(reader, count).map(value => {
    bits.setUint32(0, (value >>> 1) | (value << 31));
    return bits.getFloat32(0);
  });

export const writeF32s = (writer: ByteWriter, values: readonly number[]): void =>
  writeU32s(
    writer,
    values.map(value => {
      bits.setFloat32(0, value);
      const word = bits.getUint32(0);
      return ((word << 1) | (word >>> 31)) >>> 0;
    }),
  );

/** Signed 64-bit integers, with the sign in the lowest bit. */
export function readI64s(reader: ByteReader, count: number): bigint[] {
  const high = readU32s(reader, count);
  const low = readU32s(reader, count);
  return high.map((word, index) => {
    const value = (BigInt(word) << 32n) | BigInt(low[index] ?? 0);
    return (value >> 1n) ^ -(value & 1n);
  });
}

export function writeI64s(writer: ByteWriter, values: readonly bigint[]): void {
  const words = values.map(value => BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
  writeU32s(
    writer,
    words.map(word => Number(word >> 32n)),
  );
  writeU32s(
    writer,
    words.map(word => Number(word & 0xffffffffn)),
  );
}

/** Numbers of instances, each as the difference to the previous one. */
export function readReferents(reader: ByteReader, count: number): number[] {
  let last = 0;
  return readI32s(reader, count).map(step => (last = (last + step) | 0));
}

export function writeReferents(writer: ByteWriter, referents: readonly number[]): void {
  writeI32s(
    writer,
    referents.map((referent, index) => (referent - (referents[index - 1] ?? 0)) | 0),
  );
}

/** Rows of `size` bytes, column by column. */
export function readRows(reader: ByteReader, count: number, size: number): Uint8Array[] {
  const bytes = reader.take(count * size);
  return Array.from({ length: count }, (_, row) =>
    Uint8Array.from({ length: size }, (__, c) => bytes[c * count + row] ?? 0),
  );
}

export function writeRows(writer: ByteWriter, rows: readonly Uint8Array[], size: number): void {
  for (let column = 0; column < size; column++) for (const row of rows) writer.u8(row[column] ?? 0);
}
