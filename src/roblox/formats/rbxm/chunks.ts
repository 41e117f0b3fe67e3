import { type TimeSlice, runToEnd, runInSlices, type PausableWork } from '../../../base/time-slice.ts';
import type { Inflate } from '../../../ports/inflate.ts';
import { ByteReader, FormatError } from '../../encoding/byte-reader.ts';
import type { ByteWriter } from '../../encoding/byte-writer.ts';
import { MODEL_FILE_LIMITS, VALUES_PER_INSTANCE } from '../limits.ts';
import { compressLz4Pausable, decompressLz4, decompressLz4Pausable } from './lz4-block.ts';

/** `name` without its padding; `data` decompressed, with the reader at its start. */
export interface Chunk {
  readonly name: string;
  readonly data: ByteReader;
}

/** `<roblox!` and six bytes that transfers as text would damage. */
const magic = Uint8Array.of(0x3c, 0x72, 0x6f, 0x62, 0x6c, 0x6f, 0x78, 0x21, 0x89, 0xff, 0x0d, 0x0a, 0x1a, 0x0a);
const zstdMagic = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
const startsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean => prefix.every((byte, at) => bytes[at] === byte);

/** An instance takes 4 bytes and a flag in INST, and 8 bytes in PRNT; the rest is for names. */
const MAX_INSTANCES = MODEL_FILE_LIMITS.elements / VALUES_PER_INSTANCE;
const maxChunkBytes: Readonly<Record<string, number>> = {
  INST: 5 * MAX_INSTANCES + 64 * 1024,
  PRNT: 8 * MAX_INSTANCES + 64 * 1024,
};

/** A chunk of the file at offset `start`: `raw` decompresses to `size` bytes. */
export interface PackedChunk {
  readonly name: string;
  readonly raw: Uint8Array;
  readonly size: number;
  readonly packing: 'none' | 'lz4' | 'zstd';
  readonly start: number;
}

/** The chunks of a binary model up to `END`. @throws FormatError for another kind of file */
export function* packedChunks(bytes: Uint8Array): Generator<PackedChunk> {
  if (!startsWith(bytes, magic)) throw new FormatError('expected the header of a binary Roblox model', 0);
  const reader = new ByteReader(bytes);
  reader.take(magic.length);
  const version = reader.u16();
  if (version !== 0) throw new FormatError(`expected version 0 of the format, not ${version}`, magic.length);
  // The counts of classes and instances, which the chunks repeat, and eight unused bytes.
  reader.take(16);
  let total = 0;
  for (;;) {
    const start = reader.at;
    const name = new TextDecoder().decode(reader.take(4)).replace(/\0+$/, '');
    const compressedSize = reader.u32();
    const size = reader.u32();
    reader.take(4);
    total += size;
    if (total > MODEL_FILE_LIMITS.bytes)
      throw new FormatError(`more than ${MODEL_FILE_LIMITS.bytes} bytes of content`, start);
    if (size > (maxChunkBytes[name] ?? size)) throw new FormatError('too many instances', start);
    const raw = reader.take(compressedSize === 0 ? size : compressedSize);
    if (name === 'END') return;
    const packing = compressedSize === 0 ? 'none' : startsWith(raw, zstdMagic) ? 'zstd' : 'lz4';
    yield { name, raw, size, packing, start };
  }
}

/** The chunks of a binary model, decompressed. @throws FormatError */
export function* readChunks(bytes: Uint8Array, inflate: Inflate): Generator<Chunk> {
  for (const packed of packedChunks(bytes)) yield unpack(packed, inflate);
}

/** @throws FormatError */
export function unpack({ name, raw, size, packing, start }: PackedChunk, inflate: Inflate): Chunk {
  if (packing === 'none') return { name, data: new ByteReader(raw) };
  if (packing === 'lz4') return { name, data: new ByteReader(decompressLz4(raw, size)) };
  try {
    return { name, data: new ByteReader(withSize(inflate.zstd(raw, size), size, start)) };
  } catch (error) {
    throw unreadable(error, start);
  }
}

/** Reads like `unpack`, and yields to other work. @throws FormatError */
export async function unpackInSlices(packed: PackedChunk, inflate: Inflate, slice: TimeSlice): Promise<Chunk> {
  const { name, raw, size, packing, start } = packed;
  if (packing === 'lz4')
    return { name, data: new ByteReader(await runInSlices(decompressLz4Pausable(raw, size), slice)) };
  // A small chunk is decompressed faster here than by another thread.
  if (packing === 'none' || size < LARGE) return unpack(packed, inflate);
  try {
    return { name, data: new ByteReader(withSize(await inflate.zstdAsync(raw, size), size, start)) };
  } catch (error) {
    throw unreadable(error, start);
  }
}
/** Minimum number of decompressed bytes of a chunk that another thread decompresses. */
const LARGE = 256 * 1024;

function withSize(data: Uint8Array, size: number, start: number): Uint8Array {
  if (data.length !== size) throw new FormatError(`${size} bytes announced, ${data.length} found`, start);
  return data;
}

const unreadable = (error: unknown, start: number): FormatError =>
  error instanceof FormatError
    ? error
    : new FormatError(
        `Zstandard data that cannot be read (${error instanceof Error ? error.message : 'unknown'})`,
        start,
      );

export function writeHeader(writer: ByteWriter, classCount: number, instanceCount: number): void {
  writer.raw(magic);
  writer.u16(0);
  writer.u32(classCount);
  writer.u32(instanceCount);
  writer.raw(new Uint8Array(8));
}

export type WrittenChunk = 'META' | 'SSTR' | 'INST' | 'PROP' | 'PRNT';

export const writeChunk = (writer: ByteWriter, name: WrittenChunk, data: ByteWriter): void =>
  runToEnd(writeChunkPausable(writer, name, data));

/** Writes like `writeChunk`, with pauses. */
export function* writeChunkPausable(writer: ByteWriter, name: WrittenChunk, data: ByteWriter): PausableWork<void> {
  const compressed = yield* compressLz4Pausable(data.pieces());
  const isSmaller = compressed.length < data.length;
  writeChunkHeader(writer, name, isSmaller ? compressed.length : 0, data.length);
  writer.append(isSmaller ? compressed : data);
}

export function writeEnd(writer: ByteWriter): void {
  const text = new TextEncoder().encode('</roblox>');
  writeChunkHeader(writer, 'END', 0, text.length);
  writer.raw(text);
}

function writeChunkHeader(writer: ByteWriter, name: string, compressedSize: number, size: number): void {
  writer.raw(new TextEncoder().encode(name.padEnd(4, '\0')));
  writer.u32(compressedSize);
  writer.u32(size);
  writer.u32(0);
}
