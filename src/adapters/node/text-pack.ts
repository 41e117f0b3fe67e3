import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { type InputType, inflateRaw, type ZlibOptions } from 'node:zlib';
import { nodeHasher } from './hasher.ts';

const MAGIC = 'ATLASTX1';
const HEAD_BYTES = MAGIC.length + 4 + 32;
const inflate = promisify<InputType, ZlibOptions, Buffer>(inflateRaw);

/** The position of a text in its decompressed block. */
export type TextAt = readonly [hash: string, start: number, length: number];

/** Several texts that are compressed together. */
export interface PackBlock {
  /** Offset after the index. */
  readonly start: number;
  readonly length: number;
  readonly texts: readonly TextAt[];
}

export interface NewPackBlock {
  readonly bytes: Uint8Array;
  readonly texts: readonly TextAt[];
}

export interface PackIndex {
  /** Offset of the first block. */
  readonly bodyAt: number;
  readonly blocks: readonly PackBlock[];
}

/** The file of a pack: magic, length and checksum of the index, the index, the blocks. */
export function packOf(blocks: readonly NewPackBlock[]): readonly Uint8Array[] {
  let start = 0;
  const index = blocks.map(({ bytes, texts }): PackBlock => {
    const block = { start, length: bytes.length, texts };
    start += bytes.length;
    return block;
  });
  return [...packHead(index), ...blocks.map(block => block.bytes)];
}

/** The magic, length and checksum of an index, and the index. @param index JSON */
export function packHead(index: unknown): readonly [Uint8Array, Uint8Array] {
  const json = Buffer.from(JSON.stringify(index));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC);
  head.writeUInt32LE(json.length, MAGIC.length);
  head.set(checksum(json), MAGIC.length + 4);
  return [head, json];
}

const checksum = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/**
 * Reads the index of a pack; `undefined` if the pack is damaged.
 *
 * @param read reads bytes of the file; those after its end are 0
 * @param size bytes of the file
 */
export async function readPackIndex(
  read: (offset: number, length: number) => Promise<Buffer>,
  size: number,
): Promise<PackIndex | undefined> {
  const head = await read(0, HEAD_BYTES);
  const length = head.readUInt32LE(MAGIC.length);
  const bodyAt = HEAD_BYTES + length;
  if (head.toString('latin1', 0, MAGIC.length) !== MAGIC || bodyAt > size) return undefined;
  const json = await read(HEAD_BYTES, length);
  if (!head.subarray(MAGIC.length + 4).equals(checksum(json))) return undefined;
  const blocks: unknown = JSON.parse(json.toString());
  // Without a schema, because an index has up to 100,000 texts.
  return Array.isArray(blocks) && blocks.every(block => isBlock(block, size - bodyAt)) ? { bodyAt, blocks } : undefined;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Validates a block of an index, which another version may have written. @param size bytes of all blocks */
function isBlock(value: unknown, size: number): value is PackBlock {
  if (typeof value !== 'object' || value === null) return false;
  const { start, length, texts } = value as Readonly<Record<string, unknown>>;
  if (!isCount(start) || !isCount(length) || start + length > size) return false;
  return Array.isArray(texts) && texts.every(isTextAt);
}

const isTextAt = (value: unknown): value is TextAt =>
  Array.isArray(value) && typeof value[0] === 'string' && isCount(value[1]) && isCount(value[2]);

/** Decompresses a text of a block; `undefined` if it is damaged. @throws Error when the block is damaged */
export async function extractText(
  compressed: Uint8Array,
  { texts }: PackBlock,
  [hash, start, length]: TextAt,
): Promise<string | undefined> {
  const size = texts.reduce((end, text) => Math.max(end, text[1] + text[2]), 1);
  const bytes = (await inflate(compressed, { maxOutputLength: size })).subarray(start, start + length);
  return nodeHasher.gitBlob(bytes) === hash ? bytes.toString() : undefined;
}
