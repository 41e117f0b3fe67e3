import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

export const readF32x2 = (reader: ByteReader): readonly [number, number] => [reader.f32(), reader.f32()];
export const readF32x3 = (reader: ByteReader): readonly [number, number, number] => [
  reader.f32(),
  reader.f32(),
  reader.f32(),
];

export function writeF32List(writer: ByteWriter, values: readonly number[]): void {
  for (const value of values) writer.f32(value);
}
