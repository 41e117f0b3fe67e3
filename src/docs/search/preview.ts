import { AppError } from '../../base/errors.ts';
import type { RootFiles, RootFolder } from '../ports/root-files.ts';
import type { LineHit } from '../ports/search-backend.ts';
import { readBytes } from '../files/file-bytes.ts';

/** Returns the line of a hit, or the part around the match if the line has more than `maxChars` characters. */
export async function previewOf(
  files: RootFiles,
  root: RootFolder,
  hit: Omit<LineHit, 'folder'>,
  maxChars: number,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const text = hit.text ?? (await readAround(files, root, hit, maxChars, signal));
  const isWhole = hit.text !== undefined || hit.matchOffset <= maxChars;
  if (text.length <= maxChars && isWhole) return { text, isCut: false };
  // Text read from the file starts `maxChars` bytes before the match, or at the start of the line.
  const matchBytes = hit.text === undefined ? Math.min(hit.matchOffset, maxChars) : hit.matchOffset;
  const bytes = new TextEncoder().encode(text);
  const match = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, matchBytes)).length;
  const start = Math.max(0, Math.min(match - Math.floor(maxChars / 4), text.length - maxChars));
  return { text: wholeChars(text, start, start + maxChars), isCut: true };
}

/** Slices without splitting a surrogate pair. */
function wholeChars(text: string, start: number, end: number): string {
  const isLow = (at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return text.slice(isLow(start) ? start + 1 : start, isLow(end) ? end - 1 : end);
}

async function readAround(
  files: RootFiles,
  root: RootFolder,
  hit: Omit<LineHit, 'folder'>,
  maxChars: number,
  signal: AbortSignal,
): Promise<string> {
  const before = Math.min(hit.matchOffset, maxChars);
  try {
    await using file = await files.open(root, hit.path);
    const bytes = await readBytes(file, hit.lineOffset + hit.matchOffset - before, before + maxChars * 4, signal);
    const newline = bytes.indexOf(10, before);
    const line = newline < 0 ? bytes : bytes.subarray(0, newline);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(line).replace(/\r$/, '');
  } catch (error) {
    // The file was removed or changed since the hit was found. The position is still reported, without its text.
    if (error instanceof AppError) return '';
    throw error;
  }
}
