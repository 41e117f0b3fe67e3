import { piecesOf } from './text-pieces.ts';
import type { PausableWork } from './time-slice.ts';

type Replacer = (key: string, value: unknown) => unknown;

/**
 * Serializes plain data as UTF-8 JSON, chunk by chunk, because serializing a whole project at once would block the thread. Each member of the
 * outer levels is on a separate line. A `Map` with texts as keys is written as an object, without copying its members first.
 *
 * @throws TypeError for values that JSON cannot represent (a bigint, a cyclic reference)
 */
export function* jsonChunks(value: unknown): Generator<Uint8Array> {
  let open = '';
  for (const text of textOf(value, 0)) {
    open += text;
    if (open.length < MIN_CHUNK_LENGTH) continue;
    yield encoder.encode(open);
    open = '';
  }
  yield encoder.encode(`${open}\n`);
}

/** Serializes the same data as one text. @param replacer as in `JSON.stringify`; its key is empty for members of large values */
export function* jsonTextPausable(value: unknown, replacer?: Replacer): PausableWork<string> {
  const texts: string[] = [];
  for (const text of textOf(value, 0, replacer)) {
    texts.push(text);
    yield;
  }
  return texts.join('');
}

/** In UTF-16 code units. */
const MIN_CHUNK_LENGTH = 64 * 1024;
/** Levels that are always written member by member: a record, its lists, and the items of these lists. Deeper ones are if they are large. */
const OUTER_LEVELS = 3;

/** Values that one step serializes. */
const MAX_STEP_VALUES = 500;

/** Whether the value contains at most `MAX_STEP_VALUES` values and no long text. A getter is one value, because reading it may create a large text. */
export function isSmallJson(value: object): boolean {
  const open = [value];
  let count = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    // `JSON.stringify` writes no members of a map.
    if (one instanceof Map) return false;
    for (const key of Object.keys(one)) {
      count += 1;
      if (count > MAX_STEP_VALUES) return false;
      const member: unknown = Object.getOwnPropertyDescriptor(one, key)?.value;
      if (typeof member === 'string' && member.length > MIN_CHUNK_LENGTH) return false;
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return true;
}

/** The JSON of a text, piece by piece. */
function* textOfString(value: string): Generator<string> {
  yield '"';
  for (const piece of piecesOf(value)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

function* textOf(value: unknown, depth: number, replacer?: Replacer): Generator<string> {
  if (typeof value === 'string' && value.length > MIN_CHUNK_LENGTH) return yield* textOfString(value);
  if (typeof value !== 'object' || value === null || (depth >= OUTER_LEVELS && isSmallJson(value))) {
    // As in `JSON.stringify`: a value without JSON form is `null` in an array and omitted from an object.
    yield JSON.stringify(value, replacer) ?? 'null';
    return;
  }
  let separator = '\n';
  if (Array.isArray(value)) {
    yield '[';
    for (const item of value) {
      yield separator;
      yield* textOf(item, depth + 1, replacer);
      separator = ',\n';
    }
    yield ']';
    return;
  }
  yield '{';
  for (const [key, member] of value instanceof Map ? value : membersOf(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    yield* textOf(member, depth + 1, replacer);
    separator = ',\n';
  }
  yield '}';
}

/** Like `Object.entries`, but one by one, because a large object would take a whole step. */
function* membersOf(value: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(value)) yield [key, (value as Readonly<Record<string, unknown>>)[key]];
}

const encoder = new TextEncoder();
