import { blake2b } from '@noble/hashes/blake2.js';
import { areBytesEqual } from '../instances/equality.ts';

const HASH_SIZE = 16;
const hashes = new WeakMap<Uint8Array, Uint8Array>();

/**
 * The hash that identifies the bytes of a shared string in files: BLAKE2b with 16 bytes, as in Studio, or the hash in the file of the
 * bytes. All instances with the same bytes share one array, which is hashed at most once.
 */
export function sharedStringHash(bytes: Uint8Array): Uint8Array {
  const known = hashes.get(bytes);
  if (known !== undefined) return known;
  const hash = hashOf(bytes);
  hashes.set(bytes, hash);
  return hash;
}

const hashOf = (bytes: Uint8Array): Uint8Array => blake2b(bytes, { dkLen: HASH_SIZE });

/**
 * Stores the hash that a file has for the bytes. Hashing 26 MB of meshes again takes seconds. Other tools write other hashes than Studio,
 * and Studio reads them, because a hash is only a name inside one file. An empty hash is ignored.
 */
export function rememberSharedStringHash(bytes: Uint8Array, hash: Uint8Array | undefined): void {
  if (hash?.length === HASH_SIZE && hash.some(byte => byte !== 0)) hashes.set(bytes, hash);
}

/** The shared strings of one file. Equal bytes get one entry, and different bytes never share a hash, whatever their files had. */
export class SharedStringTable {
  readonly all: { readonly bytes: Uint8Array; readonly hash: Uint8Array }[] = [];
  readonly #indexes = new Map<Uint8Array, number>();
  readonly #byHash = new Map<string, number>();

  /** The index of the bytes in `all`. */
  add(bytes: Uint8Array): number {
    const known = this.#indexes.get(bytes);
    if (known !== undefined) return known;
    let hash = sharedStringHash(bytes);
    let index = this.#find(bytes, hash);
    // A file can give to some bytes the hash of others, so even the own hash of the bytes may be taken.
    for (let tried = 0; index === undefined; tried += 1) {
      hash = tried === 0 ? hashOf(bytes) : hashOf(hash);
      index = this.#find(bytes, hash);
    }
    this.#indexes.set(bytes, index);
    return index;
  }

  /** The entry with the hash, new if there is none; `undefined` if other bytes have the hash. */
  #find(bytes: Uint8Array, hash: Uint8Array): number | undefined {
    const key = hash.join();
    const index = this.#byHash.get(key);
    if (index === undefined) {
      const added = this.all.push({ bytes, hash }) - 1;
      this.#byHash.set(key, added);
      return added;
    }
    return areBytesEqual(this.all[index]?.bytes ?? bytes, bytes) ? index : undefined;
  }
}
