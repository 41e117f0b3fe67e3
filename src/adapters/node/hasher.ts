import { createHash, hash } from 'node:crypto';
import type { Hasher } from '../../ports/hasher.ts';
import { hashParts } from './hash-parts.ts';

export const nodeHasher: Hasher = {
  gitBlob: content =>
    hashParts('sha1', header(typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength), content),
  *gitBlobPausable(bytes) {
    const blob = createHash('sha1').update(header(bytes.byteLength));
    for (let at = 0; at < bytes.byteLength; at += PIECE) {
      blob.update(bytes.subarray(at, at + PIECE));
      yield;
    }
    return blob.digest('hex');
  },
  sha256: content => hash('sha256', content),
};

const header = (byteLength: number): string => `blob ${byteLength}\0`;

/** Bytes that are hashed between two pauses. */
const PIECE = 1024 * 1024;
