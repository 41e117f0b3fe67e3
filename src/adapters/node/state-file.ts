import { join } from 'node:path';
import { temporaryBeside } from './temporary-beside.ts';
import { createHash } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { hasErrorCode, ifFound } from '../../base/errno.ts';
import { jsonChunks } from '../../base/json-chunks.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { nodeClock } from './clock.ts';
import { putFlushed } from './flushed-files.ts';
import { hashPausable } from './hash-parts.ts';
import { parseState } from './parse-state.ts';

/** The last line of a state file: the version of its content, and the checksum of everything before that line. */
const TRAILER = /\natlas-state (\d{1,4}) ([0-9a-f]{32})\n$/;
const TRAILER_LENGTH = '\natlas-state 1234 \n'.length + 32;

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
  let bytes: Buffer | undefined;
  try {
    bytes = await ifFound(readFile(path));
    if (bytes === undefined) return undefined;
  } catch (error) {
    if (!hasErrorCode(error, 'EISDIR', 'EACCES', 'EPERM')) throw error;
  }
  const read = bytes && (await parse(bytes, version));
  if (read === undefined || read === 'otherVersion') {
    await onDamaged(path, read ?? 'damaged');
    return undefined;
  }
  return read;
}

async function parse(
  bytes: Buffer,
  version: number,
): Promise<{ readonly value: unknown; readonly isChecked: boolean } | 'otherVersion' | undefined> {
  const end = bytes.subarray(Math.max(0, bytes.length - TRAILER_LENGTH)).toString('latin1');
  const trailer = TRAILER.exec(end);
  const content = trailer === null ? bytes : bytes.subarray(0, bytes.length - trailer[0].length);
  if (trailer !== null && trailer[2] !== (await checksumOf(content))) return undefined;
  if (trailer !== null && Number(trailer[1]) !== version) return 'otherVersion';
  const value = await parseState(content);
  return value === undefined ? undefined : { value, isChecked: trailer !== null };
}

/** The state file of a place in `folder`. */
export const stateFileOfPlace = (folder: string, place: string): string =>
  join(folder, `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.json`);

/** Replaces a state file atomically, and flushes it. `value` must be JSON. */
export async function writeStateFile(path: string, version: number, value: unknown): Promise<void> {
  await putFlushed(path, temporaryBeside(path), withTrailer(value, version));
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
