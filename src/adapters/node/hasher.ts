import { createHash } from 'node:crypto';
import type { Hasher } from '../../ports/hasher.ts';

export const nodeHasher: Hasher = {
  gitBlob: bytes => createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex'),
  sha256: bytes => createHash('sha256').update(bytes).digest('hex'),
};
