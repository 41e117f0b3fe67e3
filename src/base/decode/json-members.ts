import type { PausableWork } from '../time-slice.ts';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.ts';

/** Bytes between two pauses; scanning them takes less than a millisecond. */
const BATCH_BYTES = 256 * 1024;
/** Bytes of a value that is read. */
const MAX_VALUE_BYTES = 1024;

/**
 * Reads these members of a JSON object if they are short texts or numbers, without decoding the rest, which may exceed any limit. Members
 * have any order, and names without escapes. Returns what it found before the end or the first mistake.
 */
export function* readShortMembers(
  bytes: Uint8Array,
  names: readonly string[],
): PausableWork<Readonly<Record<string, string | number>>> {
  // V8 keeps every short text that `JSON.parse` returns in one table, which grows in one step, so other names and values are not parsed.
  const wanted = names.map(name => ({ name, written: encoder.encode(JSON.stringify(name)) }));
  const found = new Map<string, Span>();
  let depth = 0;
  /** Of the last text. Two numbers, because an object for each text would be garbage. */
  let [textStart, textEnd] = [0, 0];
  let member: { readonly name: string; readonly start: number } | undefined;
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
        textStart = start;
        textEnd = at + 1;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (depth === 0 && bytes[at] !== OPEN_OBJECT) return valuesOf(bytes, found);
        depth += 1;
        break;
      case COLON:
        if (depth === 1) {
          const named = wanted.find(({ written }) => isAt(bytes, textStart, textEnd, written));
          member = named && { name: named.name, start: at + 1 };
        }
        break;
      case COMMA:
      case CLOSE_OBJECT:
      case CLOSE_LIST: {
        if (depth === 1 && member !== undefined) {
          found.set(member.name, { start: member.start, end: at });
          member = undefined;
        }
        if (bytes[at] !== COMMA) depth -= 1;
        if (depth === 0) return valuesOf(bytes, found);
        break;
      }
      default:
    }
  }
  return valuesOf(bytes, found);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const isAt = (bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean =>
  end - start === text.length && text.every((byte, index) => byte === bytes[start + index]);

function valuesOf(bytes: Uint8Array, found: ReadonlyMap<string, Span>): Readonly<Record<string, string | number>> {
  const values: Record<string, string | number> = {};
  for (const [name, { start, end }] of found) {
    const value = parseShort(bytes, start, end);
    if (isScalar(value)) values[name] = value;
  }
  return values;
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
const encoder = new TextEncoder();
