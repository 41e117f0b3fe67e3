import { FormatError } from '../byte-reader.ts';
import { ByteWriter } from '../byte-writer.ts';

// A block is sequences of: token (4 bits literal count, 4 bits match length - 4), more count bytes, literals, 2 bytes of distance,
// more length bytes. The last sequence ends after its literals.
const MIN_MATCH = 4;
/** The format wants the last five bytes as literals and no match to start in the last twelve. */
const LAST_LITERALS = 5;
const MATCH_LIMIT = 12;

/** Decompresses a raw LZ4 block to exactly `size` bytes. @throws FormatError */
export function decompressLz4(block: Uint8Array, size: number): Uint8Array {
  // One byte of input can give at most 255: a larger promise is a lie, found before memory is taken for it.
  if (size > 255 * block.length) throw new FormatError(`${size} bytes promised from ${block.length}`, 0);
  const out = new Uint8Array(size);
  let from = 0;
  let to = 0;
  const next = (): number => {
    const byte = block[from++];
    if (byte === undefined) throw new FormatError('compressed data that ends too early', from - 1);
    return byte;
  };
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    if (nibble === 15) for (let byte = 255; byte === 255; length += byte) byte = next();
    return length;
  };
  while (from < block.length) {
    const token = next();
    const literals = lengthFrom(token >> 4);
    if (literals > block.length - from || literals > size - to)
      throw new FormatError('compressed data with too many literals', from);
    out.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === block.length) break;
    const distance = next() | (next() << 8);
    const length = lengthFrom(token & 15) + MIN_MATCH;
    if (distance === 0 || distance > to || length > size - to)
      throw new FormatError('compressed data that refers to nothing', from);
    // Byte by byte: a match may overlap what it writes.
    for (const end = to + length; to < end; to++) out[to] = out[to - distance] ?? 0;
  }
  if (to !== size) throw new FormatError(`${size - to} bytes too few after decompression`, from);
  return out;
}

/** Compresses to a raw LZ4 block, greedily. */
export function compressLz4(bytes: Uint8Array): Uint8Array {
  const out = new ByteWriter();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Most chunks are a few bytes: a large table would cost more than they do.
  const slotBits = bytes.length < 4096 ? 8 : 14;
  const lastSeen = new Int32Array(1 << slotBits).fill(-1);
  let anchor = 0;
  let at = 0;
  while (at + MATCH_LIMIT < bytes.length) {
    const word = view.getUint32(at, true);
    const slot = Math.imul(word, 2654435761) >>> (32 - slotBits);
    const candidate = lastSeen[slot] ?? -1;
    lastSeen[slot] = at;
    if (candidate < 0 || at - candidate > 0xffff || view.getUint32(candidate, true) !== word) {
      at++;
      continue;
    }
    let length = MIN_MATCH;
    while (at + length < bytes.length - LAST_LITERALS && bytes[candidate + length] === bytes[at + length]) length++;
    writeSequence(out, bytes.subarray(anchor, at), at - candidate, length);
    at += length;
    anchor = at;
  }
  writeSequence(out, bytes.subarray(anchor), 0, MIN_MATCH);
  return out.finish();
}

/** Distance 0: the last sequence, literals only. */
function writeSequence(out: ByteWriter, literals: Uint8Array, distance: number, length: number): void {
  const extra = length - MIN_MATCH;
  out.u8((Math.min(literals.length, 15) << 4) | Math.min(extra, 15));
  writeRest(out, literals.length);
  out.raw(literals);
  if (distance === 0) return;
  out.u16(distance);
  writeRest(out, extra);
}

function writeRest(out: ByteWriter, length: number): void {
  if (length < 15) return;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) out.u8(255);
  out.u8(rest);
}
