import { join } from 'node:path';
import { temporaryBeside } from './temporary-beside.ts';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { hasErrorCode, ifFound } from '../../base/errno.ts';
import { jsonChunks } from '../../base/json-chunks.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { nodeClock } from './clock.ts';
import { putFlushed } from './flushed-files.ts';
import { hashPausable } from './hash-parts.ts';
import { parseState } from './parse-state.ts';

/** The last line of a state file: the version of its content, and the checksum of everything before that line. */
const TRAILER = /\natlas-state (\d{1,4}) ([0-9a-f]{32})\n$/;
const TRAILER_START = '\natlas-state ';
const TRAILER_LENGTH = '\natlas-state 1234 \n'.length + 32;
/** Searched in one turn. */
const SEARCHED_BYTES = 1024 * 1024;

/**
 * Reads a state file. A damaged one is moved aside to `<path>.damaged`, so that the next write succeeds and nothing is lost silently.
 *
 * @param version of the content; a file of another version is damaged
 * @param onDamaged called instead of moving the file aside
 * @returns `undefined` without a valid file. The caller validates a value with `isChecked` false: an older version wrote it, without a
 *          checksum.
 */
export async function readStateFile(
  path: string,
  version: number,
  onDamaged: (path: string, problem: 'damaged' | 'otherVersion') => Promise<void> | void = setAside,
): Promise<{ readonly value: unknown; readonly isChecked: boolean } | undefined> {
  return readWith(path, onDamaged, bytes => parse(bytes, version));
}

/** The values of a state file to which others were appended. */
export interface AppendedState {
  /** The value that was written, then those that were appended, in order. Objects with many members are maps. */
  readonly values: readonly unknown[];
  /** As for `readStateFile`. */
  readonly isChecked: boolean;
  /** Bytes of the first value. */
  readonly firstBytes: number;
  /** A crash left a part of a value at the end, so the file must be written as a whole before anything is appended. */
  readonly isCut: boolean;
}

/** Reads a state file with the values that `appendToStateFile` added. A damaged one is moved aside as by `readStateFile`. */
export const readAppendedState = (path: string, version: number): Promise<AppendedState | undefined> =>
  readWith(path, setAside, bytes => parseAll(bytes, version));

async function readWith<T>(
  path: string,
  onDamaged: (path: string, problem: 'damaged' | 'otherVersion') => Promise<void> | void,
  parseBytes: (bytes: Buffer) => Promise<T | 'otherVersion' | undefined>,
): Promise<T | undefined> {
  let bytes: Buffer | undefined;
  try {
    bytes = await ifFound(readFile(path));
    if (bytes === undefined) return undefined;
  } catch (error) {
    if (!hasErrorCode(error, 'EISDIR', 'EACCES', 'EPERM')) throw error;
  }
  const read = bytes && (await parseBytes(bytes));
  if (read !== undefined && read !== 'otherVersion') return read;
  await onDamaged(path, read === undefined ? 'damaged' : 'otherVersion');
  return undefined;
}

async function parse(
  bytes: Buffer,
  version: number,
  hasMaps = false,
): Promise<{ readonly value: unknown; readonly isChecked: boolean } | 'otherVersion' | undefined> {
  const end = bytes.subarray(Math.max(0, bytes.length - TRAILER_LENGTH)).toString('latin1');
  const trailer = TRAILER.exec(end);
  const content = trailer === null ? bytes : bytes.subarray(0, bytes.length - trailer[0].length);
  if (trailer !== null && trailer[2] !== (await checksumOf(content))) return undefined;
  if (trailer !== null && Number(trailer[1]) !== version) return 'otherVersion';
  const value = await parseState(content, hasMaps);
  return value === undefined ? undefined : { value, isChecked: trailer !== null };
}

/** Finds the last line of a value. Node needs 2 ms for each megabyte. */
async function trailerAt(bytes: Buffer, from: number): Promise<number> {
  const slice = new TimeSlice(nodeClock);
  for (let start = from; start < bytes.length; start += SEARCHED_BYTES) {
    if (slice.isUsedUp()) await slice.waitForNextTurn();
    const at = bytes.subarray(start, start + SEARCHED_BYTES + TRAILER_LENGTH).indexOf(TRAILER_START);
    if (at !== -1) return start + at;
  }
  return -1;
}

async function parseAll(bytes: Buffer, version: number): Promise<AppendedState | 'otherVersion' | undefined> {
  const values: unknown[] = [];
  let firstBytes = 0;
  let from = 0;
  for (;;) {
    // No text of JSON has a line feed, so this starts the last line of a value.
    const at = await trailerAt(bytes, from);
    const end = at === -1 ? -1 : bytes.indexOf('\n', at + 1);
    if (end === -1) break;
    const read = await parse(bytes.subarray(from, end + 1), version, true);
    if (read === undefined || read === 'otherVersion') return read;
    values.push(read.value);
    from = end + 1;
    if (firstBytes === 0) firstBytes = from;
  }
  if (values.length > 0) return { values, isChecked: true, firstBytes, isCut: from < bytes.length };
  const old = await parse(bytes, version, true);
  if (old === undefined || old === 'otherVersion') return old;
  return { values: [old.value], isChecked: false, firstBytes: bytes.length, isCut: true };
}

/** The state file of a place in `folder`. */
export const stateFileOfPlace = (folder: string, place: string): string =>
  join(folder, `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.json`);

/** Replaces a state file atomically, and flushes it. `value` must be JSON. */
export async function writeStateFile(path: string, version: number, value: unknown): Promise<void> {
  await putFlushed(path, temporaryBeside(path), withTrailer(value, version));
}

/**
 * Adds a value to the end of a state file, and flushes it. A crash may leave a part of it there, which `readAppendedState` ignores.
 * Requires a file that is not cut.
 */
export async function appendToStateFile(path: string, version: number, value: unknown): Promise<void> {
  await using handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
  await handle.writeFile(withTrailer(value, version));
  await handle.sync();
}

function* withTrailer(value: unknown, version: number): Generator<Uint8Array> {
  const hash = createHash('sha256');
  for (const chunk of jsonChunks(value)) {
    hash.update(chunk);
    yield chunk;
  }
  yield Buffer.from(`\natlas-state ${version} ${hash.digest('hex').slice(0, 32)}\n`);
}

const checksumOf = async (content: Uint8Array): Promise<string> =>
  (await runInSlices(hashPausable('sha256', [content]), new TimeSlice(nodeClock))).slice(0, 32);

/** Moves a damaged file to `<path>.damaged`. */
export async function setAside(path: string): Promise<void> {
  await rm(`${path}.damaged`, { recursive: true, force: true });
  // The next write replaces a file that cannot be moved.
  await rename(path, `${path}.damaged`).catch(() => undefined);
}
