/**
 * The JSON of plain data in UTF-8, put together while it is written: what is as large as a project would hold its thread up in one piece. The
 * members of the outer levels stand on lines of their own.
 *
 * @throws TypeError for what JSON has no form for (a bigint, a circle)
 */
export function* jsonPieces(value: unknown): Generator<Uint8Array> {
  let open = '';
  for (const text of textOf(value, 0)) {
    open += text;
    if (open.length < PIECE) continue;
    yield encoder.encode(open);
    open = '';
  }
  yield encoder.encode(`${open}\n`);
}

/** UTF-16 units of a piece, at least. */
const PIECE = 64 * 1024;
/** A record, what it lists, and each member of that. */
const OUTER_LEVELS = 3;

function* textOf(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth === OUTER_LEVELS) {
    // What has no form in JSON is `null` in a list, and no member of an object.
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
