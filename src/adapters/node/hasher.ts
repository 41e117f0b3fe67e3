import { createHash, hash } from 'node:crypto';
import type { Hasher } from '../../ports/hasher.ts';

export const nodeHasher: Hasher = {
  gitBlob: bytes => createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex'),
  *gitBlobPausable(bytes) {
    const blob = createHash('sha1').update(`blob ${bytes.byteLength}\0`);
    for (let at = 0; at < bytes.byteLength; at += PIECE) {
      blob.update(bytes.subarray(at, at + PIECE));
      yield;
    }
    return blob.digest('hex');
  },
  sha256: content => hash('sha256', content),
};

/** Bytes that are hashed between two pauses. */
const PIECE = 1024 * 1024;
