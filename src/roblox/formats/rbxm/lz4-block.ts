import { runToEnd, type PausableWork } from '../../../base/time-slice.ts';
import { FormatError } from '../../encoding/byte-reader.ts';
import { ByteWriter } from '../../encoding/byte-writer.ts';

// Own code: lz4js had its last release in 2017, lz4-napi is native, and neither it nor lz4-wasm-nodejs can pause or limit memory.
// A block is sequences of: token (4 bits literal count, 4 bits match length - 4), more count bytes, literals, 2 bytes of distance,
// more length bytes. The last sequence ends after its literals.
const MIN_MATCH = 4;
/** The format requires that the last five bytes are literals, and that no match starts in the last twelve. */
const LAST_LITERALS = 5;
const MATCH_LIMIT = 12;

/** Number of decompressed bytes between two pauses. */
const PIECE = 256 * 1024;
/** Minimum number of bytes that are copied by the runtime; fewer bytes are copied one by one. */
const LONG = 32;

/** Decompresses a raw LZ4 block to exactly `size` bytes. @throws FormatError */
export const decompressLz4 = (block: Uint8Array, size: number): Uint8Array =>
  runToEnd(decompressLz4Pausable(block, size));

/** Decompresses like `decompressLz4`, with pauses. @throws FormatError */
export function* decompressLz4Pausable(block: Uint8Array, size: number): PausableWork<Uint8Array> {
  // One byte of input can produce at most 255, so a larger size is invalid, which is detected before memory is allocated.
  if (size > 255 * block.length) throw new FormatError(`${size} bytes announced from ${block.length}`, 0);
  const open = new Lz4Block(block, size);
  while (!open.advance(PIECE)) yield;
  return open.out;
}

class Lz4Block {
  readonly out: Uint8Array;
  readonly #block: Uint8Array;
  #from = 0;
  #to = 0;

  constructor(block: Uint8Array, size: number) {
    this.#block = block;
    this.out = new Uint8Array(size);
  }

  /** Decompresses the given number of bytes, or a few more. @returns whether the end was reached */
  advance(bytes: number): boolean {
    const block = this.#block;
    const { out } = this;
    const until = this.#to + bytes;
    let from = this.#from;
    let to = this.#to;
    while (from < block.length && to < until) {
      const token = block[from++] ?? 0;
      let literals = token >> 4;
      if (literals === 15) {
        literals += lengthAt(block, from);
        from += bytesOfLength(literals - 15);
      }
      if (literals > block.length - from || literals > out.length - to)
        throw new FormatError('compressed data with too many literals', from);
      if (literals < LONG) for (let end = from + literals; from < end; from++) out[to++] = block[from] ?? 0;
      else {
        out.set(block.subarray(from, from + literals), to);
        from += literals;
        to += literals;
      }
      if (from === block.length) break;
      if (from + 2 > block.length) throw new FormatError('compressed data that ends too early', block.length);
      const distance = (block[from] ?? 0) | ((block[from + 1] ?? 0) << 8);
      from += 2;
      let length = (token & 15) + MIN_MATCH;
      if ((token & 15) === 15) {
        const more = lengthAt(block, from);
        from += bytesOfLength(more);
        length += more;
      }
      if (distance === 0 || distance > to || length > out.length - to)
        throw new FormatError('compressed data with an invalid distance', from);
      if (length < LONG) for (const end = to + length; to < end; to++) out[to] = out[to - distance] ?? 0;
      else to = repeat(out, to, distance, length);
    }
    this.#from = from;
    this.#to = to;
    if (from < block.length) return false;
    if (to !== out.length) throw new FormatError(`${out.length - to} bytes too few after decompression`, from);
    return true;
  }
}

/** Reads the additional bytes of a length: any number of 255s, and the byte after them. */
function lengthAt(block: Uint8Array, from: number): number {
  let sum = 0;
  for (let at = from; at < block.length; at++) {
    const byte = block[at] ?? 0;
    sum += byte;
    if (byte !== 255) return sum;
  }
  throw new FormatError('compressed data that ends too early', block.length);
}
const bytesOfLength = (sum: number): number => Math.floor(sum / 255) + 1;

/** Repeats the last `distance` bytes until there are `length` more. The copied part doubles, because a match may overlap its output. */
function repeat(out: Uint8Array, to: number, distance: number, length: number): number {
  const end = to + length;
  const start = to - distance;
  for (let at = to; at < end; at = Math.min(end, at + (at - start)))
    out.copyWithin(at, start, Math.min(at, start + end - at));
  return end;
}

/** Compresses to a raw LZ4 block, greedily. */
export const compressLz4 = (bytes: Uint8Array): Uint8Array => runToEnd(compressLz4Pausable([bytes])).finish();

/** After each 2^6 positions without a match, the search skips one more byte: data that does not compress takes little time. */
const SKIP_BITS = 6;
const MAX_SKIP = 64;
/** Shorter matches do not end the skipping, and are not used during fast skipping, since random bytes have them too. */
const GOOD_MATCH = 8;
/** Bytes per step above which the skipping is fast. */
const FAST_SKIP = 8;
/** The longest distance of a match. */
const WINDOW = 0xffff;

/** Compresses the pieces to one block, with pauses. Matches stay inside a piece. The writer refers to the pieces. */
export function* compressLz4Pausable(pieces: readonly Uint8Array[]): PausableWork<ByteWriter> {
  const block = new BlockWriter();
  // Most chunks have a few bytes, so a large table would take longer than the compression.
  const slotBits = pieces.every(({ length }) => length < 4096) ? 8 : 14;
  const lastSeen = new Int32Array(1 << slotBits).fill(-1);
  let base = 0;
  let misses = 1 << SKIP_BITS;
  for (const bytes of pieces) {
    const { length } = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    block.begin(bytes);
    let at = 0;
    let pause = PIECE;
    while (at + MATCH_LIMIT < length) {
      if (at > pause) {
        pause = at + PIECE;
        yield;
      }
      const word = view.getUint32(at, true);
      const slot = Math.imul(word, 2654435761) >>> (32 - slotBits);
      const candidate = (lastSeen[slot] ?? -1) - base;
      lastSeen[slot] = base + at;
      if (candidate < 0 || at - candidate > WINDOW || view.getUint32(candidate, true) !== word) {
        at += Math.min(misses++ >> SKIP_BITS, MAX_SKIP);
        continue;
      }
      let end = at + MIN_MATCH;
      const distance = at - candidate;
      const last = length - LAST_LITERALS;
      while (end + 4 <= last && view.getUint32(end - distance, true) === view.getUint32(end, true)) end += 4;
      while (end < last && bytes[end - distance] === bytes[end]) end++;
      if (end - at >= GOOD_MATCH) misses = 1 << SKIP_BITS;
      else if (misses >> SKIP_BITS > FAST_SKIP) {
        at += Math.min(misses++ >> SKIP_BITS, MAX_SKIP);
        continue;
      }
      block.add(at, distance, end);
      at = end;
    }
    base += length;
    yield;
  }
  return block.finish();
}

/** Writes the sequences of a block. */
class BlockWriter {
  readonly #out = new ByteWriter();
  #bytes: Uint8Array = new Uint8Array();
  /** Start of the literals of the next sequence, which may begin with `#before`. */
  #anchor = 0;
  #before: Uint8Array[] = [];
  #beforeLength = 0;

  /** Starts the next piece. */
  begin(bytes: Uint8Array): void {
    if (this.#anchor < this.#bytes.length) {
      this.#before.push(this.#bytes.subarray(this.#anchor));
      this.#beforeLength += this.#bytes.length - this.#anchor;
    }
    this.#bytes = bytes;
    this.#anchor = 0;
  }

  /** Literals up to `at`, and a match from there to `end`. */
  add(at: number, distance: number, end: number): void {
    const extra = end - at - MIN_MATCH;
    this.#literals(at, Math.min(extra, 15));
    this.#out.u16(distance);
    this.#rest(extra);
    this.#anchor = end;
  }

  /** The last sequence has only literals. */
  finish(): ByteWriter {
    this.#literals(this.#bytes.length, 0);
    return this.#out;
  }

  #literals(until: number, matchBits: number): void {
    const count = this.#beforeLength + until - this.#anchor;
    this.#out.u8((Math.min(count, 15) << 4) | matchBits);
    this.#rest(count);
    if (this.#beforeLength > 0) {
      for (const bytes of this.#before) this.#out.raw(bytes);
      this.#before = [];
      this.#beforeLength = 0;
    }
    this.#out.raw(this.#bytes, this.#anchor, until);
  }

  #rest(count: number): void {
    if (count < 15) return;
    let rest = count - 15;
    for (; rest >= 255; rest -= 255) this.#out.u8(255);
    this.#out.u8(rest);
  }
}
