import * as zlib from 'node:zlib';
import type { Inflate } from '../../ports/inflate.ts';

export const nodeInflate: Inflate = {
  zstd(compressed, size) {
    // Node 20 is the oldest that we run on; it has no Zstandard yet.
    if (typeof zlib.zstdDecompressSync !== 'function')
      throw new Error('this version of Node has no Zstandard; Node 22.15 or newer is needed for this file');
    return new Uint8Array(zlib.zstdDecompressSync(compressed, { maxOutputLength: Math.max(1, size) }));
  },
};
