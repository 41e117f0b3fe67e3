import { promisify } from 'node:util';
import { zstdDecompress, zstdDecompressSync, type ZstdOptions } from 'node:zlib';
import type { Inflate } from '../../ports/inflate.ts';

export const nodeInflate: Inflate = {
  zstd: (compressed, size) => viewOf(zstdDecompressSync(compressed, optionsFor(size))),
  zstdAsync: async (compressed, size) => viewOf(await promisify(zstdDecompress)(compressed, optionsFor(size))),
};

/** Makes the output one chunk, which zlib returns without copying. One byte more than needed, because zlib replaces a chunk that is full. */
const optionsFor = (size: number): ZstdOptions => ({
  maxOutputLength: Math.max(1, size),
  chunkSize: Math.max(MIN_CHUNK_BYTES, size + 1),
});

/** The smallest chunk that zlib accepts. */
const MIN_CHUNK_BYTES = 64;

/** Not a `Buffer`, whose `slice` does not copy. */
const viewOf = ({ buffer, byteOffset, length }: Buffer): Uint8Array => new Uint8Array(buffer, byteOffset, length);
