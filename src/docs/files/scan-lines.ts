import type { RootFile } from '../ports/root-files.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import { decodeText, type Line } from './text.ts';

interface ScannedLines {
  readonly lines: readonly Line[];
  readonly encoding: 'utf-8' | 'lossy';
  /** Lines of the whole file; `undefined` when the end was not reached. */
  readonly total: number | undefined;
  /** Whether the byte budget ended the scan before `end`. */
  readonly isCut: boolean;
}

/**
 * Reads lines `start` to `end`, or the last line if the file ends before `start`, without keeping other lines in memory. Stops after
 * `end`; returns `tooFar` if that requires reading more than `RETRIEVAL_LIMITS.scannedBytes`.
 */
export async function scanLines(
  file: RootFile,
  start: number,
  end: number,
  budgetBytes: number,
  signal: AbortSignal,
): Promise<ScannedLines | 'tooFar'> {
  const maxBytes = Math.min(budgetBytes, RETRIEVAL_LIMITS.scannedBytes) + RETRIEVAL_LIMITS.sniffedBytes;
  const lines: Line[] = [];
  let isLossy = false;
  let held = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isCut = false;
  let line = 1;
  let scanned = 0;

  // Keep the bytes of the current line even before `start`: it may be the last line.
  const keep = (bytes: Uint8Array): void => {
    if (pendingBytes > maxBytes) {
      isCut ||= bytes.length > 0;
      return;
    }
    pending.push(bytes);
    pendingBytes += bytes.length;
  };
  const finish = (): void => {
    if (line < start) return;
    const text = joined(pending, pendingBytes, isCut);
    isLossy ||= text.isLossy;
    held += pendingBytes;
    lines.push({ line, text: text.text, ...(isCut ? { isCut } : {}) });
  };
  const next = (): void => {
    pending = [];
    pendingBytes = 0;
    isCut = false;
    line += 1;
  };

  for await (const chunk of file.chunks(0, signal)) {
    scanned += chunk.length;
    let from = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, newline));
      finish();
      from = newline + 1;
      if (line >= end && line >= start) return { lines, encoding: encodingOf(isLossy), total: undefined, isCut: false };
      if (held > maxBytes) return { lines, encoding: encodingOf(isLossy), total: undefined, isCut: true };
      next();
    }
    keep(chunk.subarray(from));
    if (scanned > RETRIEVAL_LIMITS.scannedBytes) return 'tooFar';
  }
  if (line < start) start = line;
  finish();
  return { lines, encoding: encodingOf(isLossy), total: line, isCut: false };
}

const encodingOf = (isLossy: boolean): 'utf-8' | 'lossy' => (isLossy ? 'lossy' : 'utf-8');

function joined(
  pieces: readonly Uint8Array[],
  length: number,
  isCut: boolean,
): { readonly text: string; readonly isLossy: boolean } {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const end = isCut ? wholeChars(bytes) : bytes[length - 1] === 13 ? length - 1 : length;
  const decoded = decodeText(bytes.subarray(0, end));
  if (decoded !== undefined && decoded.encoding !== 'utf-16')
    return { text: decoded.text, isLossy: decoded.encoding === 'lossy' };
  // A NUL far inside the file, or a line that starts with the bytes of a UTF-16 byte order mark.
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end)), isLossy: true };
}

/** Returns the start of the last character, which may be incomplete. */
function wholeChars(bytes: Uint8Array): number {
  let end = bytes.length - 1;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
