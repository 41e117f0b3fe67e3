/** Columns of binary models: the values of one property in all instances of a class. */
import type { PausableWork } from '../../base/time-slice.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { ColumnReadContext, ColumnWriteContext } from './column-context.ts';
import { readF32s, writeF32s } from './interleaved.ts';

/** Reads and writes the values of one column. */
export interface ColumnCodec<V> {
  read(reader: ByteReader, count: number, context: ColumnReadContext): PausableWork<V[]>;
  write(writer: ByteWriter, values: readonly V[], context: ColumnWriteContext): void;
}

const VALUES_BATCH_SIZE = 2048;
/** Number of bytes of one value above which the work pauses earlier. */
const BYTES_BATCH_SIZE = 1024 * 1024;

/** Creates `count` values with pauses. */
export function* makeValues<T>(count: number, make: (row: number) => T): PausableWork<T[]> {
  const made: T[] = [];
  for (let row = 0; row < count; row++) {
    made.push(make(row));
    if (row % VALUES_BATCH_SIZE === VALUES_BATCH_SIZE - 1) yield;
  }
  return made;
}

/** A column whose reader is fast enough to need no pause. */
export const wholeColumn = <V>(
  read: (reader: ByteReader, count: number, context: ColumnReadContext) => V[],
  write: ColumnCodec<V>['write'],
): ColumnCodec<V> => ({
  // oxlint-disable-next-line require-yield -- there is nothing to wait for
  *read(reader, count, context) {
    return read(reader, count, context);
  },
  write,
});

/** A column of values of `size` floats each; the file has one array for each of the floats. */
export const floatColumns = <V>(
  size: number,
  make: (floats: readonly number[]) => V,
  split: (value: V) => readonly number[],
): ColumnCodec<V> => ({
  *read(reader, count) {
    const columns: number[][] = [];
    for (let at = 0; at < size; at++) {
      columns.push(readF32s(reader, count));
      yield;
    }
    return yield* makeValues(count, row => make(columns.map(values => values[row] ?? 0)));
  },
  write(writer, values) {
    const rows = values.map(split);
    for (let at = 0; at < size; at++)
      writeF32s(
        writer,
        rows.map(row => row[at] ?? 0),
      );
  },
});

/** A column of consecutive values. */
export const sequentialColumn = <V>(
  read: (reader: ByteReader) => V,
  write: (writer: ByteWriter, value: V) => void,
): ColumnCodec<V> => ({
  *read(reader, count) {
    const values: V[] = [];
    for (let last = reader.at; values.length < count;) {
      values.push(read(reader));
      if (values.length % VALUES_BATCH_SIZE !== 0 && reader.at - last < BYTES_BATCH_SIZE) continue;
      last = reader.at;
      yield;
    }
    return values;
  },
  write(writer, values) {
    for (const value of values) write(writer, value);
  },
});
