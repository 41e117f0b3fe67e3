import { blake2b } from '@noble/hashes/blake2.js';

const hashes = new WeakMap<Uint8Array, Uint8Array>();

/**
 * The hash by which files name the bytes of a shared string: BLAKE2b with a result of 16 bytes, as Studio has it. All instances that share
 * the bytes share one array, so it is hashed once, however many files and instances hold it.
 */
export function sharedStringHash(bytes: Uint8Array): Uint8Array {
  const known = hashes.get(bytes);
  if (known !== undefined) return known;
  const hash = blake2b(bytes, { dkLen: 16 });
  hashes.set(bytes, hash);
  return hash;
}
