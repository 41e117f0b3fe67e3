import type { PausableWork } from './time-slice.ts';

/** In UTF-16 code units. */
const PIECE_LENGTH = 64 * 1024;

/** Splits a text into pieces of at most 64 K UTF-16 code units, none of which ends between the two units of a surrogate pair. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + PIECE_LENGTH;
    const isPairCut = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
    const next = isPairCut ? end - 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}

/** A text that is built from many small parts. Joins them while they are added, because joining all of them at the end would block. */
export class TextPieces {
  readonly #pieces: string[] = [];
  #parts: string[] = [];
  #length = 0;

  add(...parts: readonly string[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      this.#length += part.length + 1;
    }
    if (this.#length >= PIECE_LENGTH) this.#close();
  }

  text(): string {
    this.#close();
    return this.#pieces.join('');
  }

  #close(): void {
    this.#pieces.push(this.#parts.join(''));
    this.#parts = [];
    this.#length = 0;
  }
}

/** Encodes a text as UTF-8 and pauses after each piece. The bytes are the same as those of `TextEncoder`. */
export function* encodePausable(text: string): PausableWork<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let byteCount = 0;
  for (const part of piecesOf(text)) {
    const piece = utf8.encode(part);
    pieces.push(piece);
    byteCount += piece.length;
    yield;
  }
  const whole = new Uint8Array(byteCount);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const utf8 = new TextEncoder();
