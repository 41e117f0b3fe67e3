import type { PausableWork } from '../time-slice.ts';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.ts';

/** Bytes between two pauses; scanning them takes less than a millisecond. */
const BATCH_BYTES = 256 * 1024;
/** Bytes of a value that is read. */
const MAX_VALUE_BYTES = 1024;

/**
 * Reads these members of a JSON object if they are short texts or numbers, without decoding the rest, which may exceed any limit. Members
 * have any order. Returns what it found before the end or the first mistake.
 */
export function* readShortMembers(
  bytes: Uint8Array,
  names: readonly string[],
): PausableWork<Readonly<Record<string, string | number>>> {
  const found: Record<string, string | number> = {};
  let depth = 0;
  let text = { start: 0, end: 0 };
  let member: { readonly name: unknown; readonly start: number } | undefined;
  let pauseAt = BATCH_BYTES;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= pauseAt) {
      pauseAt = at + BATCH_BYTES;
      yield;
    }
    switch (bytes[at]) {
      case QUOTE: {
        const start = at;
        for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
          if (bytes[at] === BACKSLASH) at += 1;
          if (at < pauseAt) continue;
          pauseAt = at + BATCH_BYTES;
          yield;
        }
        text = { start, end: at + 1 };
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (depth === 0 && bytes[at] !== OPEN_OBJECT) return found;
        depth += 1;
        break;
      case COLON:
        if (depth === 1) member = { name: parseShort(bytes, text.start, text.end), start: at + 1 };
        break;
      case COMMA:
      case CLOSE_OBJECT:
      case CLOSE_LIST: {
        if (depth === 1 && member !== undefined) {
          const { name, start } = member;
          const value = parseShort(bytes, start, at);
          if (typeof name === 'string' && names.includes(name) && isScalar(value)) found[name] = value;
          member = undefined;
        }
        if (bytes[at] !== COMMA) depth -= 1;
        if (depth === 0) return found;
        break;
      }
      default:
    }
  }
  return found;
}

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

function parseShort(bytes: Uint8Array, start: number, end: number): unknown {
  if (end - start > MAX_VALUE_BYTES) return undefined;
  try {
    return JSON.parse(utf8.decode(bytes.subarray(start, end)));
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder();
