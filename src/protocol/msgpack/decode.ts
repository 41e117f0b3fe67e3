import { DecodeBudget, DecodeBudgetError, type DecodeLimits } from '../../base/decode/decode-budget.ts';
import { type PausableWork, runToEnd } from '../../base/time-slice.ts';
import { MESSAGE_LIMITS } from '../limits.ts';
import { MsgpackError } from './msgpack-error.ts';

/**
 * Reads one msgpack value that fills `bytes` exactly.
 *
 * Valid UTF-8 text becomes a string; other text and bin become `Uint8Array` (copies). 64-bit integers become numbers if they are safe
 * integers, else bigints. Maps become plain objects; keys must be unique text and not `__proto__`. Own code: packages such as
 * `@msgpack/msgpack` read a message in one step, which would block the event loop for too long.
 *
 * @throws MsgpackError for invalid input, and for input beyond `limits`
 */
export const decodeMsgpack = (bytes: Uint8Array, limits: DecodeLimits = MESSAGE_LIMITS): unknown =>
  runToEnd(decodeMsgpackPausable(bytes, limits));

/** Steps between two pauses: values, where a text or bin is as many steps as its length requires. */
const BATCH_SIZE = 4096;
/** Bytes of a text that take as long as one other value. */
const BYTES_PER_STEP = 256;

/** Reads one msgpack value with pauses. @throws MsgpackError as `decodeMsgpack` */
export function* decodeMsgpackPausable(bytes: Uint8Array, limits: DecodeLimits): PausableWork<unknown> {
  const input = new Input(bytes);
  try {
    const value = yield* readValues(input, new DecodeBudget(limits, bytes.length));
    if (input.at < bytes.length) throw new MsgpackError('trailing_bytes', input.at);
    return value;
  } catch (error) {
    if (error instanceof DecodeBudgetError) throw new MsgpackError(excessCodes[error.excess], input.at, error.message);
    throw error;
  }
}

const excessCodes = {
  bytes: 'too_large',
  depth: 'too_deep',
  elements: 'too_many',
  members: 'too_many',
  text: 'too_large',
} as const;

/** A list or map that is being read. `left`: the number of its values that follow. */
type OpenValue =
  | { readonly kind: 'list'; readonly value: unknown[]; left: number }
  | { readonly kind: 'map'; readonly value: Record<string, unknown>; left: number; key: string };

/** Reads without recursion, so that it can pause anywhere. */
function* readValues(input: Input, budget: DecodeBudget): PausableWork<unknown> {
  const open: OpenValue[] = [];
  let steps = 0;
  for (;;) {
    const start = input.at;
    let value = readHead(input, budget);
    if (value instanceof LongBytes) value = yield* readLong(input.take(value.length), value.isText);
    if (value instanceof Opening) {
      open.push(value.open);
      value = value.open.value;
    }
    steps += 1 + (input.at - start) / BYTES_PER_STEP;
    if (steps >= BATCH_SIZE) {
      steps = 0;
      yield;
    }
    for (;;) {
      const top = open.at(-1);
      // A container that was just opened is added to its parent when it is complete.
      if (top === undefined) return value;
      if (top.value !== value) {
        if (top.kind === 'list') top.value.push(value);
        else top.value[top.key] = value;
      }
      if (top.left > 0) {
        top.left -= 1;
        if (top.kind === 'map') top.key = readKey(input, budget, top.value);
        break;
      }
      open.pop();
      budget.leave();
      value = top.value;
      if (open.length === 0) return value;
    }
  }
}

/** The head of a list or map, whose values follow. */
class Opening {
  readonly open: OpenValue;

  constructor(open: OpenValue) {
    this.open = open;
  }
}

/** The head of a text or bin that takes too long to read in one step. */
class LongBytes {
  readonly length: number;
  readonly isText: boolean;

  constructor(length: number, isText: boolean) {
    this.length = length;
    this.isText = isText;
  }
}

const PIECE_BYTES = 64 * 1024;

function readBin(input: Input, budget: DecodeBudget, length: number): Uint8Array | LongBytes {
  input.expectAtLeast(length);
  budget.expectText(length);
  return length > PIECE_BYTES ? new LongBytes(length, false) : input.take(length).slice();
}

function* readLong(bytes: Uint8Array, isText: boolean): PausableWork<string | Uint8Array> {
  const text = isText ? yield* readLongText(bytes) : undefined;
  if (text !== undefined) return text;
  const copy = new Uint8Array(bytes.length);
  for (let from = 0; from < bytes.length; from += PIECE_BYTES, yield)
    copy.set(bytes.subarray(from, from + PIECE_BYTES), from);
  return copy;
}

function* readLongText(bytes: Uint8Array): PausableWork<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  try {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES, yield)
      text += decoder.decode(bytes.subarray(from, from + PIECE_BYTES), { stream: true });
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}

function openList(input: Input, budget: DecodeBudget, count: number): Opening {
  input.expectAtLeast(count);
  budget.enter();
  budget.take(count);
  return new Opening({ kind: 'list', value: [], left: count });
}

function openMap(input: Input, budget: DecodeBudget, count: number): Opening {
  input.expectAtLeast(2 * count);
  budget.enter();
  budget.expectMembers(count);
  budget.take(2 * count);
  return new Opening({ kind: 'map', value: {}, left: count, key: '' });
}

function readKey(input: Input, budget: DecodeBudget, map: Readonly<Record<string, unknown>>): string {
  const start = input.at;
  const key = readHead(input, budget);
  if (typeof key !== 'string') throw new MsgpackError('bad_key', start, 'a key must be text');
  if (key === '__proto__' || Object.hasOwn(map, key)) throw new MsgpackError('bad_key', start, JSON.stringify(key));
  return key;
}

function readHead(input: Input, budget: DecodeBudget): unknown {
  const tag = input.uint(1);
  if (tag < 0x80) return tag;
  if (tag < 0x90) return openMap(input, budget, tag & 0x0f);
  if (tag < 0xa0) return openList(input, budget, tag & 0x0f);
  if (tag < 0xc0) return readText(input, budget, tag & 0x1f);
  if (tag >= 0xe0) return tag - 0x100;
  return readTagged(input, budget, tag);
}

function readTagged(input: Input, budget: DecodeBudget, tag: number): unknown {
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
      return readBin(input, budget, input.uint(1 << (tag - 0xc4)));
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
      return readText(input, budget, input.uint(1 << (tag - 0xd9)));
    case 0xdc:
    case 0xdd:
      return openList(input, budget, input.uint(2 << (tag - 0xdc)));
    case 0xde:
    case 0xdf:
      return openMap(input, budget, input.uint(2 << (tag - 0xde)));
    default:
      // 0xc1 is reserved; our messages contain no extension values.
      throw new MsgpackError('bad_type', input.at - 1, `0x${tag.toString(16)}`);
  }
}

const readBigInt = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readText(input: Input, budget: DecodeBudget, length: number): string | Uint8Array | LongBytes {
  input.expectAtLeast(length);
  budget.expectText(length);
  if (length > PIECE_BYTES) return new LongBytes(length, true);
  const bytes = input.take(length);
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.slice();
  }
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
