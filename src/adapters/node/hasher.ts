import { createHash } from 'node:crypto';
import type { Hasher } from '../../ports/hasher.ts';

export const nodeHasher: Hasher = {
  gitBlob: bytes => createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex'),
  *gitBlobSteps(bytes) {
    const hash = createHash('sha1').update(`blob ${bytes.byteLength}\0`);
    for (let at = 0; at < bytes.byteLength; at += PIECE) {
      hash.update(bytes.subarray(at, at + PIECE));
      yield;
    }
    return hash.digest('hex');
  },
  sha256: bytes => createHash('sha256').update(bytes).digest('hex'),
};

/** Bytes that are hashed between two pauses. */
const PIECE = 1024 * 1024;
