import type { ByteSpan, Position, Span } from './ast/span.ts';

const LF = 10;

/** The line starts of a text, and its offsets in UTF-8. Built in one pass; lookups are binary searches. */
export class LineMap {
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #byteStarts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    const byteStarts = [0];
    let bytes = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      bytes += bytesOf(code);
      if (code !== LF) continue;
      starts.push(at + 1);
      byteStarts.push(bytes);
    }
    this.#text = text;
    this.#starts = starts;
    this.#byteStarts = byteStarts;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Offset of the first character of a line, which counts from 1. */
  startOfLine(line: number): number {
    return this.#starts[line - 1] ?? this.#text.length;
  }

  position(offset: number): Position {
    const line = this.#lineAt(offset);
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }

  toByte(offset: number): number {
    const line = this.#lineAt(offset);
    let bytes = this.#byteStarts[line] ?? 0;
    for (let at = this.#starts[line] ?? 0; at < offset && at < this.#text.length; at += 1)
      bytes += bytesOf(this.#text.charCodeAt(at));
    return bytes;
  }

  toByteSpan({ start, end }: Span): ByteSpan {
    return { start: this.toByte(start), end: this.toByte(end) };
  }

  /** The offset of the character that contains a byte. */
  fromByte(byte: number): number {
    const line = lastAtMost(this.#byteStarts, byte);
    let bytes = this.#byteStarts[line] ?? 0;
    let at = this.#starts[line] ?? 0;
    while (at < this.#text.length) {
      const code = this.#text.codePointAt(at) ?? 0;
      const width = code > 0xffff ? 4 : bytesOf(code);
      if (bytes + width > byte) break;
      bytes += width;
      at += code > 0xffff ? 2 : 1;
    }
    return at;
  }

  #lineAt(offset: number): number {
    return lastAtMost(this.#starts, offset);
  }
}

const lineMaps = new WeakMap<object, LineMap>();

/** The lines of a parsed module, computed once. */
export function linesOf(module: { readonly text: string }): LineMap {
  const known = lineMaps.get(module);
  if (known !== undefined) return known;
  const lines = new LineMap(module.text);
  lineMaps.set(module, lines);
  return lines;
}

/** Each half of a surrogate pair has two of its four bytes. A lone one becomes U+FFFD with three bytes, but no file contains one. */
const bytesOf = (code: number): number =>
  code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3;

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
