import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Inflate } from '../../ports/inflate.ts';

export const nodeInflate: Inflate = {
  zstd(compressed, size) {
    if (typeof zlib.zstdDecompressSync !== 'function') throw noZstandard();
    return new Uint8Array(zlib.zstdDecompressSync(compressed, optionsFor(size)));
  },
  async zstdAside(compressed, size) {
    if (typeof zlib.zstdDecompress !== 'function') throw noZstandard();
    return new Uint8Array(await promisify(zlib.zstdDecompress)(compressed, optionsFor(size)));
  },
};

const optionsFor = (size: number): zlib.ZstdOptions => ({ maxOutputLength: Math.max(1, size) });

/** Node 20 is the oldest that we run on; it has no Zstandard yet. */
const noZstandard = (): Error =>
  new Error('this version of Node has no Zstandard; Node 22.15 or newer is needed for this file');
