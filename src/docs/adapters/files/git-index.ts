import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The state of a file when git wrote it. */
interface IndexEntry {
  readonly mtimeSeconds: number;
  readonly mtimeNanoseconds: number;
  /** Bytes, modulo 2^32. */
  readonly size: number;
  /** Hash of its blob. */
  readonly hash: string;
}

const SIGNATURE = 0x44495243;
const NAME_LENGTH = 0xfff;
const EXTENDED = 0x4000;

/**
 * Whether each file is unchanged since git wrote it, according to the index of the tree; `false` if that cannot be determined. Parses the
 * index instead of running `git ls-files`, because retrieval starts no git process and must work without git.
 *
 * @param hashBytes 20 or 32
 * @param paths relative to `tree`, with `/` as separator
 */
export async function areUnmodified(
  tree: string,
  index: string,
  hashBytes: number,
  paths: readonly string[],
): Promise<boolean> {
  const wanted = new Set(paths);
  // Without the index, no file is known to be unchanged.
  const bytes = await readFile(index).catch(() => undefined);
  const entries = bytes === undefined ? undefined : findEntries(bytes, hashBytes, wanted);
  if (entries === undefined || entries.size < wanted.size) return false;
  for (const [path, entry] of entries) if (!(await isUnmodified(join(tree, ...path.split('/')), entry))) return false;
  return true;
}

async function isUnmodified(file: string, entry: IndexEntry): Promise<boolean> {
  try {
    const found = await lstat(file, { bigint: true });
    if (!found.isFile() || Number(found.size % 2n ** 32n) !== entry.size) return false;
    const seconds = Number(found.mtimeNs / 1_000_000_000n) >>> 0;
    const nanoseconds = Number(found.mtimeNs % 1_000_000_000n);
    if (seconds === entry.mtimeSeconds && nanoseconds === entry.mtimeNanoseconds) return true;
    // The times differ, but the content may be the same: compare the hash.
    const bytes = await readFile(file);
    const hash = createHash(entry.hash.length === 40 ? 'sha1' : 'sha256');
    return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === entry.hash;
  } catch {
    // A file that cannot be read may be modified.
    return false;
  }
}

/** Parses git's index format (gitformat-index), versions 2 and 3, which `read-tree` writes. Returns `undefined` for anything else. */
function findEntries(
  bytes: Buffer,
  hashBytes: number,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, IndexEntry> | undefined {
  if (bytes.length < 12 || bytes.readUInt32BE(0) !== SIGNATURE) return undefined;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const found = new Map<string, IndexEntry>();
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0 && found.size < wanted.size; left -= 1) {
    if (at + 42 + hashBytes > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(at + 40 + hashBytes);
    const name = at + 42 + hashBytes + ((flags & EXTENDED) === 0 ? 0 : 2);
    const length = flags & NAME_LENGTH;
    const end = length < NAME_LENGTH ? name + length : bytes.indexOf(0, name);
    if (end < name || end > bytes.length) return undefined;
    const path = bytes.toString('utf8', name, end);
    if (wanted.has(path))
      found.set(path, {
        mtimeSeconds: bytes.readUInt32BE(at + 8),
        mtimeNanoseconds: bytes.readUInt32BE(at + 12),
        size: bytes.readUInt32BE(at + 36),
        hash: bytes.toString('hex', at + 40, at + 40 + hashBytes),
      });
    // An entry is padded with one to eight NULs to a multiple of eight bytes.
    at += (end - at + 8) & ~7;
  }
  return found;
}
