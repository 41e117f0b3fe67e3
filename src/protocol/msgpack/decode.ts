import { MAX_BODY_BYTES, MAX_DEPTH } from '../limits.ts';
import { MsgpackError } from './msgpack-error.ts';

/**
 * Reads one msgpack value that fills `bytes` exactly.
 *
 * Valid UTF-8 text becomes a string; other text and bin become `Uint8Array` (copies). 64-bit integers become numbers if a double represents
 * them exactly, else bigints. Maps become plain objects; keys must be unique text and not `__proto__`.
 *
 * @throws MsgpackError for invalid input, and for input beyond MAX_BODY_BYTES or MAX_DEPTH
 */
export function decodeMsgpack(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_BODY_BYTES) throw new MsgpackError('too_large', 0, `at most ${MAX_BODY_BYTES} bytes`);
  const input = new Input(bytes);
  const value = readValue(input, 0);
  if (input.at < bytes.length) throw new MsgpackError('trailing_bytes', input.at);
  return value;
}

function readValue(input: Input, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new MsgpackError('too_deep', input.at, `at most ${MAX_DEPTH} levels`);
  const tag = input.uint(1);
  if (tag < 0x80) return tag;
  if (tag < 0x90) return readMap(input, tag & 0x0f, depth);
  if (tag < 0xa0) return readArray(input, tag & 0x0f, depth);
  if (tag < 0xc0) return readText(input, tag & 0x1f);
  if (tag >= 0xe0) return tag - 0x100;
  return readTagged(input, tag, depth);
}

function readTagged(input: Input, tag: number, depth: number): unknown {
  switch (tag) {
    case 0xc0:
      return null;
    case 0xc2:
      return false;
    case 0xc3:
      return true;
    case 0xc4:
    case 0xc5:
    case 0xc6:
      return input.take(input.uint(1 << (tag - 0xc4))).slice();
    case 0xca:
      return input.view.getFloat32(input.step(4));
    case 0xcb:
      return input.view.getFloat64(input.step(8));
    case 0xcc:
    case 0xcd:
    case 0xce:
      return input.uint(1 << (tag - 0xcc));
    case 0xcf:
      return readBigInt(input.view.getBigUint64(input.step(8)));
    case 0xd0:
      return input.view.getInt8(input.step(1));
    case 0xd1:
      return input.view.getInt16(input.step(2));
    case 0xd2:
      return input.view.getInt32(input.step(4));
    case 0xd3:
      return readBigInt(input.view.getBigInt64(input.step(8)));
    case 0xd9:
    case 0xda:
    case 0xdb:
      return readText(input, input.uint(1 << (tag - 0xd9)));
    case 0xdc:
    case 0xdd:
      return readArray(input, input.uint(2 << (tag - 0xdc)), depth);
    case 0xde:
    case 0xdf:
      return readMap(input, input.uint(2 << (tag - 0xde)), depth);
    default:
      // 0xc1 is reserved; our messages contain no extension values.
      throw new MsgpackError('bad_type', input.at - 1, `0x${tag.toString(16)}`);
  }
}

const readBigInt = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readText(input: Input, length: number): string | Uint8Array {
  const bytes = input.take(length);
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.slice();
  }
}

function readArray(input: Input, count: number, depth: number): unknown[] {
  input.expectAtLeast(count);
  const items: unknown[] = [];
  for (let index = 0; index < count; index++) items.push(readValue(input, depth + 1));
  return items;
}

function readMap(input: Input, count: number, depth: number): Record<string, unknown> {
  input.expectAtLeast(2 * count);
  const map: Record<string, unknown> = {};
  for (let index = 0; index < count; index++) {
    const start = input.at;
    const key = readValue(input, depth + 1);
    if (typeof key !== 'string') throw new MsgpackError('bad_key', start, 'a key must be text');
    if (key === '__proto__' || Object.hasOwn(map, key)) throw new MsgpackError('bad_key', start, JSON.stringify(key));
    map[key] = readValue(input, depth + 1);
  }
  return map;
}

class Input {
  readonly #bytes: Uint8Array;
  readonly view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Rejects a count larger than the remaining bytes before allocating for it; every value has at least one byte. */
  expectAtLeast(count: number): void {
    if (count > this.#bytes.length - this.at) throw new MsgpackError('truncated', this.#bytes.length);
  }

  /** Skips `length` bytes and returns their start. @throws MsgpackError if the input ends before */
  step(length: number): number {
    this.expectAtLeast(length);
    const start = this.at;
    this.at += length;
    return start;
  }

  /** Returns the next bytes without copying them. */
  take(length: number): Uint8Array {
    const start = this.step(length);
    return this.#bytes.subarray(start, this.at);
  }

  /** Big-endian, of 1, 2 or 4 bytes. */
  uint(size: number): number {
    const start = this.step(size);
    if (size === 1) return this.view.getUint8(start);
    return size === 2 ? this.view.getUint16(start) : this.view.getUint32(start);
  }
}
