import type { FileHandle } from 'node:fs/promises';
import { type PausableWork, runInSlices, runToEnd, TimeSlice } from '../../../base/time-slice.ts';
import { nodeClock } from '../clock.ts';
import { hashParts, hashPausable } from '../hash-parts.ts';

/** `blob`: bytes of an entry, before its record. `record` completes an entry. */
export type FrameKind = 'blob' | 'record' | 'note' | 'ending';

/** One frame of a segment: a line of text, the payload, and a line feed. */
export interface JournalFrame {
  readonly kind: FrameKind;
  /** Identifies the entry. */
  readonly entry: string;
  /** The run of the entry; for a blob, the hash of its name. */
  readonly label: string;
  /** Byte offset of the frame in the segment. */
  readonly offset: number;
  readonly payloadOffset: number;
  readonly length: number;
  readonly checksum: string;
}

const MAGIC = 'atlas-journal 1 ';
const HEADER =
  /^(atlas-journal 1 (blob|record|note|ending) ([\w-]{1,64}) ([\w-]{1,64}) (\d{1,12}) ([0-9a-f]{32})) ([0-9a-f]{8})\n/;
const MAX_HEADER_LENGTH = 256;
const LINE_FEED = 0x0a;
const CHECKSUM_LENGTH = 32;

export const shortHash = (...parts: readonly (string | Uint8Array)[]): string =>
  hashParts('sha256', ...parts).slice(0, CHECKSUM_LENGTH);

/** Payloads up to this size are hashed in one step. In bytes. */
const SMALL_BYTES = 64 * 1024;

/** The first bytes that the checksum of a frame covers. */
const startOf = (kind: string, entry: string, label: string, length: number): string =>
  `${kind} ${entry} ${label} ${length}\n`;

/** The checksum of a header, so that a damaged header cannot turn the ending of one entry into that of another. */
const headerCheckOf = (header: string): string => shortHash(header).slice(0, 8);

/** The bytes of a frame, in pieces. */
export const encodeFrame = (kind: FrameKind, entry: string, label: string, payload: Uint8Array): Uint8Array[] =>
  runToEnd(encodeInSteps(kind, entry, label, [payload]));

/** As `encodeFrame`, with pauses between the parts of the payload. */
export function* encodeInSteps(
  kind: FrameKind,
  entry: string,
  label: string,
  parts: Iterable<Uint8Array>,
): PausableWork<Uint8Array[]> {
  const payload: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    payload.push(part);
    length += part.length;
    yield;
  }
  const checksum = yield* checksumOf(startOf(kind, entry, label, length), payload, length);
  const header = `${MAGIC}${kind} ${entry} ${label} ${length} ${checksum}`;
  return [Buffer.from(`${header} ${headerCheckOf(header)}\n`), ...payload, Buffer.from('\n')];
}

function* checksumOf(start: string, payload: readonly Uint8Array[], length: number): PausableWork<string> {
  if (length <= SMALL_BYTES) return shortHash(start, ...payload);
  return (yield* hashPausable('sha256', [start, ...payload])).slice(0, CHECKSUM_LENGTH);
}

/** @returns `undefined` if the payload is damaged */
export async function readPayload(file: FileHandle, frame: JournalFrame): Promise<Uint8Array | undefined> {
  const payload = Buffer.allocUnsafe(frame.length);
  const { bytesRead } = await file.read(payload, 0, frame.length, frame.payloadOffset);
  if (bytesRead !== frame.length) return undefined;
  const start = startOf(frame.kind, frame.entry, frame.label, frame.length);
  const checksum = await runInSlices(checksumOf(start, [payload], frame.length), new TimeSlice(nodeClock));
  return checksum === frame.checksum ? payload : undefined;
}

/**
 * Reads the header of the frame at an offset that `scanFrames` returned, so that it need not be kept in memory.
 * @returns `undefined` if it is damaged now
 */
export async function readFrameAt(
  file: FileHandle,
  offset: number,
  kind: FrameKind,
): Promise<JournalFrame | undefined> {
  const head = Buffer.allocUnsafe(MAX_HEADER_LENGTH);
  const { bytesRead } = await file.read(head, 0, head.length, offset);
  const frame = parseHeader(head.subarray(0, bytesRead).toString('latin1'), offset);
  return frame?.kind === kind ? frame : undefined;
}

/** A part of a segment that is not a frame. */
export interface Damage {
  readonly kind: 'damage';
  readonly offset: number;
}

/** Reads the headers of a segment from offset `from`. Ends before an unfinished frame, which another process may be appending. */
export async function* scanFrames(file: FileHandle, from: number, size: number): AsyncGenerator<JournalFrame | Damage> {
  const window = new ReadWindow(file, size);
  let isDamaged = false;
  for (let offset = from; offset < size;) {
    const frame = await frameAt(window, offset, size);
    if (frame === 'unfinished' && (await window.find(MAGIC, offset + 1)) === undefined) return;
    if (typeof frame === 'object') {
      isDamaged = false;
      yield frame;
      offset = endOf(frame);
      continue;
    }
    if (!isDamaged) yield { kind: 'damage', offset };
    isDamaged = true;
    const next = await window.find(MAGIC, offset + 1);
    if (next === undefined) return;
    offset = next;
  }
}

export const endOf = (frame: JournalFrame): number => frame.payloadOffset + frame.length + 1;

async function frameAt(
  window: ReadWindow,
  offset: number,
  size: number,
): Promise<JournalFrame | 'unfinished' | 'damaged'> {
  const head = (await window.bytes(offset, MAX_HEADER_LENGTH)).toString('latin1');
  if (!HEADER.test(head))
    return head.startsWith(MAGIC.slice(0, head.length)) && !head.includes('\n') ? 'unfinished' : 'damaged';
  const frame = parseHeader(head, offset);
  if (frame === undefined) return 'damaged';
  const end = frame.payloadOffset + frame.length;
  if (end >= size) return 'unfinished';
  const after = await window.bytes(end, 1 + MAGIC.length);
  const follows = after.subarray(1).toString('latin1');
  return after[0] === LINE_FEED && MAGIC.startsWith(follows) ? frame : 'damaged';
}

function parseHeader(head: string, offset: number): JournalFrame | undefined {
  const match = HEADER.exec(head);
  if (match === null) return undefined;
  const [line, header = '', kind, entry = '', label = '', length, checksum = '', check] = match;
  if (headerCheckOf(header) !== check) return undefined;
  // The pattern only matches these kinds.
  const payloadOffset = offset + line.length;
  return { kind: kind as FrameKind, entry, label, offset, payloadOffset, length: Number(length), checksum };
}

const WINDOW_BYTES = 256 * 1024;

/** Reads only the required parts of a file, in large pieces. */
class ReadWindow {
  readonly #file: FileHandle;
  readonly #size: number;
  #bytes = Buffer.alloc(0);
  #offset = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Returns at most `length` bytes; fewer at the end of the file. */
  async bytes(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.#size - offset);
    if (offset < this.#offset || offset + wanted > this.#offset + this.#bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.min(Math.max(WINDOW_BYTES, wanted), this.#size - offset));
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, offset);
      this.#bytes = bytes.subarray(0, bytesRead);
      this.#offset = offset;
    }
    return this.#bytes.subarray(offset - this.#offset, offset - this.#offset + wanted);
  }

  async find(text: string, from: number): Promise<number | undefined> {
    for (let offset = from; offset < this.#size; offset += WINDOW_BYTES) {
      const found = (await this.bytes(offset, WINDOW_BYTES + text.length)).indexOf(text);
      if (found >= 0) return offset + found;
    }
    return undefined;
  }
}
