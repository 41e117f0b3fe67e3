import type { ProjectPath } from '../../base/brand.ts';
import type { FileEntry } from '../../ports/file-system.ts';

/** The last known state of a path on disk. */
export type DiskEntry =
  | {
      readonly kind: 'file';
      readonly size: number;
      readonly mtimeMs: number;
      readonly ctimeMs: number;
      readonly inode: number;
      readonly gitBlob: string;
      /** False while the file is so young that another write may not change its size and timestamp. */
      readonly settled: boolean;
    }
  | { readonly kind: 'directory'; readonly entries: readonly FileEntry[] }
  | { readonly kind: 'absent' };

const BLOCK_ROWS = 512;
/** Numbers of a row: size, two times, inode, settled, and the hash in parts that a number holds exactly. */
const WIDTH = 9;
const HASH_AT = 5;
const HASH_DIGITS = 40;
const PART_DIGITS = 10;

/**
 * Entries by path. Files are rows of numbers outside the heap of V8: as objects, they would be a tenth of what a minor garbage collection
 * copies while a project is loaded, and so block the thread. `get` creates the object of a file.
 */
export class DiskEntries {
  readonly #entries = new Map<ProjectPath, number | DiskEntry>();
  readonly #blocks: Float64Array[] = [];
  readonly #free: number[] = [];
  #rows = 0;

  has(path: ProjectPath): boolean {
    return this.#entries.has(path);
  }

  get(path: ProjectPath): DiskEntry | undefined {
    const found = this.#entries.get(path);
    return typeof found === 'number' ? this.#read(found) : found;
  }

  set(path: ProjectPath, entry: DiskEntry): void {
    const known = this.#entries.get(path);
    if (entry.kind !== 'file' || !isHash(entry.gitBlob)) {
      if (typeof known === 'number') this.#free.push(known);
      this.#entries.set(path, entry);
      return;
    }
    const row = typeof known === 'number' ? known : (this.#free.pop() ?? this.#rows++);
    this.#write(row, entry);
    if (row !== known) this.#entries.set(path, row);
  }

  delete(path: ProjectPath): void {
    const known = this.#entries.get(path);
    if (typeof known === 'number') this.#free.push(known);
    this.#entries.delete(path);
  }

  *[Symbol.iterator](): Generator<readonly [ProjectPath, DiskEntry]> {
    for (const [path, found] of this.#entries) yield [path, typeof found === 'number' ? this.#read(found) : found];
  }

  #read(row: number): DiskEntry {
    const block = this.#blockOf(row);
    const at = (row % BLOCK_ROWS) * WIDTH;
    const numberAt = (column: number): number => block[at + column] ?? 0;
    let gitBlob = '';
    for (let part = 0; part < HASH_DIGITS / PART_DIGITS; part += 1)
      gitBlob += numberAt(HASH_AT + part)
        .toString(16)
        .padStart(PART_DIGITS, '0');
    const [size, mtimeMs, ctimeMs, inode] = [numberAt(0), numberAt(1), numberAt(2), numberAt(3)];
    return { kind: 'file', size, mtimeMs, ctimeMs, inode, gitBlob, settled: numberAt(4) === 1 };
  }

  #write(row: number, file: Extract<DiskEntry, { readonly kind: 'file' }>): void {
    const block = this.#blockOf(row);
    const at = (row % BLOCK_ROWS) * WIDTH;
    block[at] = file.size;
    block[at + 1] = file.mtimeMs;
    block[at + 2] = file.ctimeMs;
    block[at + 3] = file.inode;
    block[at + 4] = file.settled ? 1 : 0;
    for (let part = 0; part < HASH_DIGITS / PART_DIGITS; part += 1)
      block[at + HASH_AT + part] = Number.parseInt(
        file.gitBlob.slice(part * PART_DIGITS, (part + 1) * PART_DIGITS),
        16,
      );
  }

  #blockOf(row: number): Float64Array {
    const index = Math.floor(row / BLOCK_ROWS);
    const block = this.#blocks[index] ?? new Float64Array(BLOCK_ROWS * WIDTH);
    this.#blocks[index] = block;
    return block;
  }
}

/** A process that reads only once does not compute hashes. */
const isHash = (gitBlob: string): boolean => /^[0-9a-f]{40}$/.test(gitBlob);
