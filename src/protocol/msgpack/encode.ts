import type { PausableWork } from '../../base/time-slice.ts';
import { MAX_DEPTH } from '../limits.ts';
import { MsgpackError } from './msgpack-error.ts';

/** A map whose members are created one by one while they are written, because creating many at once would block too long. */
export class LazyMap<T> {
  /** Member count. */
  readonly size: number;
  readonly members: Iterable<readonly [string, T]>;

  constructor(size: number, members: Iterable<readonly [string, T]>) {
    this.size = size;
    this.members = members;
  }
}

/**
 * Encodes msgpack that both plugins can read: whole numbers outside int32 and uint32 become float64, because the plugins decode 64-bit
 * integers to tables. Other numbers become float32 if that is exact, else float64. `undefined` members are omitted; `Uint8Array` becomes bin.
 * The tests of `studio-plugin` use the same vectors: `test/fixtures/wire/msgpack.json`.
 *
 * @throws MsgpackError for a bigint that a double cannot represent, nesting beyond MAX_DEPTH, and unsupported values
 * (functions, symbols, class instances)
 */
export function encodeMsgpack(value: unknown): Uint8Array {
  const out = new Output();
  writeValue(out, value, 0);
  return out.finish();
}

/** Encodes large values such as a whole project, in pieces and with pauses. @throws MsgpackError as `encodeMsgpack` */
export function* encodeMsgpackPausable(value: unknown): PausableWork<readonly Uint8Array[]> {
  const out = new Output();
  const pieces: Uint8Array[] = [];
  yield* writeInPieces(out, value, 0, pieces);
  pieces.push(out.finish());
  return pieces;
}

/** Minimum size of a piece; a text is never split. */
const MIN_PIECE_BYTES = 64 * 1024;
/** Levels of maps that allow a pause between members: a message, and its maps by name or id. */
const OUTER_LEVELS = 2;

function* writeInPieces(out: Output, value: unknown, depth: number, pieces: Uint8Array[]): PausableWork<void> {
  if (depth >= OUTER_LEVELS || typeof value !== 'object' || value === null) return writeValue(out, value, depth);
  if (!isPlain(value) && !(value instanceof LazyMap)) return writeValue(out, value, depth);
  // Listing many members also takes time.
  yield;
  const { size, members } = membersOf(value);
  yield;
  writeMapHead(out, size);
  for (const [key, member] of members) {
    writeText(out, key);
    yield* writeInPieces(out, member, depth + 1, pieces);
    if (out.length < MIN_PIECE_BYTES) continue;
    pieces.push(out.finish());
    out.restart();
    yield;
  }
}

function writeValue(out: Output, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new MsgpackError('too_deep', out.length, `at most ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case 'undefined':
      return out.byte(0xc0);
    case 'boolean':
      return out.byte(value ? 0xc3 : 0xc2);
    case 'number':
      return writeNumber(out, value);
    case 'bigint':
      return writeBigInt(out, value);
    case 'string':
      return writeText(out, value);
    case 'object':
      if (value === null) return out.byte(0xc0);
      if (value instanceof Uint8Array) return writeBytes(out, value);
      if (Array.isArray(value)) return writeArray(out, value, depth);
      if (!isPlain(value) && !(value instanceof LazyMap))
        throw new MsgpackError('unsupported', out.length, `a ${value.constructor.name}`);
      return writeMap(out, value, depth);
    default:
      throw new MsgpackError('unsupported', out.length, `a ${typeof value}`);
  }
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function writeNumber(out: Output, value: number): void {
  if (Number.isInteger(value) && !Object.is(value, -0)) {
    if (value >= 0 && value <= 0xffffffff) return writeUnsigned(out, value);
    if (value < 0 && value >= -0x80000000) return writeNegative(out, value);
    return out.float64(value);
  }
  if (Object.is(Math.fround(value), value)) out.float32(value);
  else out.float64(value);
}

function writeUnsigned(out: Output, value: number): void {
  if (value < 0x80) out.byte(value);
  else if (value < 0x100) out.bytes(0xcc, value);
  else if (value < 0x10000) out.uint16(0xcd, value);
  else out.uint32(0xce, value);
}

function writeNegative(out: Output, value: number): void {
  if (value >= -0x20) out.byte(value & 0xff);
  else if (value >= -0x80) out.bytes(0xd0, value & 0xff);
  else if (value >= -0x8000) out.uint16(0xd1, value & 0xffff);
  else out.uint32(0xd2, value >>> 0);
}

function writeBigInt(out: Output, value: bigint): void {
  const number = Number(value);
  if (BigInt(number) !== value)
    throw new MsgpackError('unsupported', out.length, `${value}, which a double cannot represent`);
  writeNumber(out, number);
}

const utf8 = new TextEncoder();

function writeText(out: Output, text: string): void {
  // Written directly to the output at the likely position: a separate buffer for each text would burden the garbage collector.
  const space = textHeadSize(text.length);
  const length = out.textAfter(space, text);
  const size = textHeadSize(length);
  if (size !== space) out.shift(space, size, length);
  if (size === 1) out.byte(0xa0 | length);
  else if (size === 2) out.bytes(0xd9, length);
  else if (size === 3) out.uint16(0xda, length);
  else out.uint32(0xdb, length);
  out.length += length;
}

/** @param length in bytes */
const textHeadSize = (length: number): 1 | 2 | 3 | 5 =>
  length < 0x20 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 5;

function writeBytes(out: Output, bytes: Uint8Array): void {
  const { length } = bytes;
  if (length < 0x100) out.bytes(0xc4, length);
  else if (length < 0x10000) out.uint16(0xc5, length);
  else out.uint32(0xc6, length);
  out.append(bytes);
}

function writeArray(out: Output, items: readonly unknown[], depth: number): void {
  if (items.length < 0x10) out.byte(0x90 | items.length);
  else if (items.length < 0x10000) out.uint16(0xdc, items.length);
  else out.uint32(0xdd, items.length);
  for (const item of items) writeValue(out, item, depth + 1);
}

function membersOf(map: object): LazyMap<unknown> {
  if (map instanceof LazyMap) return map;
  const members = Object.entries(map).filter(([, value]) => value !== undefined);
  return new LazyMap(members.length, members);
}

function writeMapHead(out: Output, size: number): void {
  if (size < 0x10) out.byte(0x80 | size);
  else if (size < 0x10000) out.uint16(0xde, size);
  else out.uint32(0xdf, size);
}

function writeMap(out: Output, map: object, depth: number): void {
  const { size, members } = membersOf(map);
  writeMapHead(out, size);
  for (const [key, value] of members) {
    writeText(out, key);
    writeValue(out, value, depth + 1);
  }
}

/** A byte buffer that doubles its size when full. */
class Output {
  #buffer = new Uint8Array(1024);
  #view = new DataView(this.#buffer.buffer);
  length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.length++] = value;
  }

  bytes(first: number, second: number): void {
    this.byte(first);
    this.byte(second);
  }

  uint16(tag: number, value: number): void {
    this.#reserve(3);
    this.#buffer[this.length] = tag;
    this.#view.setUint16(this.length + 1, value);
    this.length += 3;
  }

  uint32(tag: number, value: number): void {
    this.#reserve(5);
    this.#buffer[this.length] = tag;
    this.#view.setUint32(this.length + 1, value);
    this.length += 5;
  }

  float32(value: number): void {
    this.#reserve(5);
    this.#buffer[this.length] = 0xca;
    this.#view.setFloat32(this.length + 1, value);
    this.length += 5;
  }

  float64(value: number): void {
    this.#reserve(9);
    this.#buffer[this.length] = 0xcb;
    this.#view.setFloat64(this.length + 1, value);
    this.length += 9;
  }

  /** Writes a text as UTF-8 and leaves `space` bytes before it for its head. Returns its length in bytes. */
  textAfter(space: number, text: string): number {
    // UTF-8 has at most three bytes for a UTF-16 unit, and the head may still grow to five.
    this.#reserve(5 + 3 * text.length);
    return utf8.encodeInto(text, this.#buffer.subarray(this.length + space)).written;
  }

  /** Moves `count` bytes from offset `from` to offset `to`, both relative to the current length. */
  shift(from: number, to: number, count: number): void {
    this.#buffer.copyWithin(this.length + to, this.length + from, this.length + from + count);
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.length);
  }

  /** Discards the content and keeps the buffer. */
  restart(): void {
    this.length = 0;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.length + count));
    larger.set(this.#buffer);
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}
