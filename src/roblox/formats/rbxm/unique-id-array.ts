import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { readRows, writeRows } from './interleaved.ts';

const SIZE = 16;
const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, '0');

/** Index and time (32 bits each), then 64 random bits turned left by one; as text: random, time, index. */
export function readUniqueIds(reader: ByteReader, count: number): string[] {
  return readRows(reader, count, SIZE).map(row => {
    const view = new DataView(row.buffer, row.byteOffset, SIZE);
    const turned = view.getBigUint64(8);
    const random = (turned >> 1n) | ((turned & 1n) << 63n);
    return hex(random, 16) + hex(BigInt(view.getUint32(4)), 8) + hex(BigInt(view.getUint32(0)), 8);
  });
}

export function writeUniqueIds(writer: ByteWriter, values: readonly string[]): void {
  const rows = values.map(value => {
    const view = new DataView(new ArrayBuffer(SIZE));
    const random = BigInt(`0x${value.slice(0, 16)}`);
    view.setUint32(0, Number.parseInt(value.slice(24), 16));
    view.setUint32(4, Number.parseInt(value.slice(16, 24), 16));
    view.setBigUint64(8, BigInt.asUintN(64, random << 1n) | (random >> 63n));
    return new Uint8Array(view.buffer);
  });
  writeRows(writer, rows, SIZE);
}
