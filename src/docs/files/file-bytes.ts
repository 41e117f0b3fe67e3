import type { RootFile } from '../ports/root-files.ts';

/** Reads at most `limit` bytes from `start`. */
export async function readBytes(
  file: RootFile,
  start: number,
  limit: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.chunks(start, signal)) {
    pieces.push(chunk.subarray(0, limit - length));
    length += Math.min(chunk.length, limit - length);
    if (length >= limit) break;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
