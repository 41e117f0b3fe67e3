import { close, closeSync, fstat, fstatSync, open, openSync, read, readSync } from 'node:fs';
import type { FileStat } from '../../ports/file-system.ts';

export interface FileAndStat {
  readonly bytes: Uint8Array;
  /** Taken before the read. */
  readonly stat: FileStat;
}

/** Returns memory for the bytes of a file. */
export type Allocate = (size: number) => Buffer;

/**
 * Reads a whole file. Uses callbacks, because for thousands of small files, handles and promises cost more than reading.
 *
 * @param flags of `open`
 * @throws the error of the file system; EISDIR for anything but a file
 */
export function readOpen(absolute: string, flags: number, allocate: Allocate = allocateShared): Promise<FileAndStat> {
  return new Promise((resolve, reject) => {
    open(absolute, flags, (problem, file) => {
      if (problem) return reject(problem);
      const finish = (result: FileAndStat | Error): void =>
        close(file, failure => {
          if (result instanceof Error) reject(result);
          else if (failure) reject(failure);
          else resolve(result);
        });
      fstat(file, (error, found) => {
        if (error) return finish(error);
        const stat = toFileStat(found);
        if (stat.kind !== 'file') return finish(notAFile(absolute));
        // The size of the stat; the file may have more or fewer bytes by now.
        const bytes = allocate(stat.size);
        const fill = (from: number): void => {
          if (from === bytes.length) return finish({ bytes, stat });
          read(file, bytes, from, bytes.length - from, null, (failed, count) => {
            if (failed) return finish(failed);
            if (count === 0) return finish({ bytes: bytes.subarray(0, from), stat });
            fill(from + count);
          });
        };
        fill(0);
      });
    });
  });
}

/**
 * Reads like `readOpen`, but blocks the thread, because switching threads takes twenty times as long as reading a small file. For threads
 * with no other work.
 */
export async function readOpenSync(
  absolute: string,
  flags: number,
  allocate: Allocate = size => Buffer.allocUnsafe(size),
): Promise<FileAndStat> {
  const file = openSync(absolute, flags);
  try {
    const stat = toFileStat(fstatSync(file));
    if (stat.kind !== 'file') throw notAFile(absolute);
    const bytes = allocate(stat.size);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return { bytes: bytes.subarray(0, filled), stat };
  } finally {
    closeSync(file);
  }
}

/** Bytes of a block that small files share. */
const BLOCK_BYTES = 64 * 1024;
const MAX_SMALL_BYTES = BLOCK_BYTES / 4;
let block = Buffer.alloc(0);
let used = 0;

/**
 * Allocates memory for a file. V8 may advance its garbage collection by several milliseconds at each allocation outside its heap, and the
 * files of a project are read 128 at a time.
 */
function allocateShared(size: number): Buffer {
  if (size > MAX_SMALL_BYTES) return Buffer.allocUnsafe(size);
  if (used + size > block.length) [block, used] = [Buffer.allocUnsafeSlow(BLOCK_BYTES), 0];
  used += size;
  return block.subarray(used - size, used);
}

/** Maximum size of a file that is read into lent memory. */
const MAX_LENT_BYTES = 64 * 1024;
/** Blocks that are kept for later reads; no more are needed than files are read at the same time. */
const MAX_SPARE_BLOCKS = 32;
const spare: Buffer[] = [];

/**
 * Lends memory for a file to `use`, and takes it back when `use` ends. The memory of 10,000 scripts, which are read only to be decoded, would
 * make V8 collect all garbage of the extension host, which takes 40 ms.
 */
export async function lendMemory<T>(use: (allocate: Allocate) => Promise<T>): Promise<T> {
  const lent: Buffer[] = [];
  try {
    return await use(size => {
      if (size > MAX_LENT_BYTES) return Buffer.allocUnsafe(size);
      const block = spare.pop() ?? Buffer.allocUnsafeSlow(MAX_LENT_BYTES);
      lent.push(block);
      return block.subarray(0, size);
    });
  } finally {
    spare.push(...lent.slice(0, MAX_SPARE_BLOCKS - spare.length));
  }
}

const notAFile = (absolute: string): Error =>
  Object.assign(new Error(`EISDIR: not a file, read '${absolute}'`), { code: 'EISDIR', syscall: 'read' });

export const toFileStat = (found: {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}): FileStat => ({
  kind: found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other',
  size: found.size,
  mtimeMs: found.mtimeMs,
  ctimeMs: found.ctimeMs,
  inode: found.ino,
});
