import { hash } from 'node:crypto';
import type { Hasher } from '../../ports/hasher.ts';
import { hashParts, hashPausable } from './hash-parts.ts';

export const nodeHasher: Hasher = {
  gitBlob: content =>
    hashParts('sha1', header(typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength), content),
  gitBlobPausable: bytes => hashPausable('sha1', [header(bytes.byteLength), bytes]),
  sha256: content => hash('sha256', content),
};

const header = (byteLength: number): string => `blob ${byteLength}\0`;
