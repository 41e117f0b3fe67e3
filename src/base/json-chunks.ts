/**
 * Serializes plain data as UTF-8 JSON, chunk by chunk, because serializing a whole project at once would block the thread. Each member of the
 * outer levels is on a separate line.
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

/** In UTF-16 code units. */
const MIN_CHUNK_LENGTH = 64 * 1024;
/** Levels that are written member by member: a record, its lists, and the items of these lists. */
const OUTER_LEVELS = 3;

function* textOf(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth === OUTER_LEVELS) {
    // As in `JSON.stringify`: a value without JSON form is `null` in an array and omitted from an object.
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let separator = '\n';
  for (const [key, member] of Object.entries(value)) {
    if (!isList && member === undefined) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    yield* textOf(member, depth + 1);
    separator = ',\n';
  }
  yield isList ? ']' : '}';
}

const encoder = new TextEncoder();
