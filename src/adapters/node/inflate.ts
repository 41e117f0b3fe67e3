import { promisify } from 'node:util';
import { zstdDecompress, zstdDecompressSync, type ZstdOptions } from 'node:zlib';
import type { Inflate } from '../../ports/inflate.ts';

export const nodeInflate: Inflate = {
  zstd: (compressed, size) => new Uint8Array(zstdDecompressSync(compressed, optionsFor(size))),
  zstdAsync: async (compressed, size) => new Uint8Array(await promisify(zstdDecompress)(compressed, optionsFor(size))),
};

const optionsFor = (size: number): ZstdOptions => ({ maxOutputLength: Math.max(1, size) });
