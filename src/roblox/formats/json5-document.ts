import { DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type PausableWork, runToEnd } from '../../base/time-slice.ts';
import { type JsonBuilder, JsonParser, MAX_SCANNED_MEMBERS, ParseStop } from './json5-parser.ts';

/** A value with its position in the text: `start` is its first UTF-16 unit, `end` the one after its last. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[]; readonly start: number; readonly end: number }
  | { readonly kind: 'array'; readonly elements: readonly JsonNode[]; readonly start: number; readonly end: number }
  | { readonly kind: 'string'; readonly value: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'number';
      readonly value: number;
      /** A whole number beyond 2^53, of which `value` may have lost digits. */
      readonly whole?: bigint;
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly start: number; readonly end: number }
  | { readonly kind: 'null'; readonly start: number; readonly end: number };

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** `expected` completes the sentence "expected …". Lines and columns count from 1, columns in UTF-16 units. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** A parsed text. `warnings`: mistakes that do not change the meaning (a duplicate key, a missing comma). */
export interface JsonDocument {
  readonly text: string;
  readonly root: JsonNode;
  readonly warnings: readonly JsonProblem[];
}

/**
 * Reads the union of JSON, JSONC and JSON5: comments, trailing commas, bare keys, single quotes, hexadecimal, NaN. Commas between members
 * are optional, as in Rojo. Skips a byte-order mark. Keeps the order of members; keeps all members with one key, of which `jsonValue` uses
 * the last.
 */
export const parseJsonDocument = (text: string): Result<JsonDocument, JsonProblem> =>
  runToEnd(parseJsonDocumentPausable(text));

/** Reads like `parseJsonDocument`, with pauses for large texts. */
export function* parseJsonDocumentPausable(text: string): PausableWork<Result<JsonDocument, JsonProblem>> {
  const read = yield* runParser(text, nodeBuilder);
  return read.ok ? ok({ text, root: read.value.value, warnings: read.value.warnings }) : read;
}

const nodeBuilder: JsonBuilder<JsonNode> = {
  text: (value, start, end) => ({ kind: 'string', value, start, end }),
  number: (value, whole, start, end) =>
    whole === undefined ? { kind: 'number', value, start, end } : { kind: 'number', value, whole, start, end },
  word: (value, start, end) => (value === null ? { kind: 'null', start, end } : { kind: 'boolean', value, start, end }),
  array: (elements, start, end) => ({ kind: 'array', elements, start, end }),
  object: (members, start, end) => ({ kind: 'object', members, start, end }),
};

/** Reads a text as `parseJsonDocument` does, into what the builder makes. */
export function* runParser<V>(
  text: string,
  builder: JsonBuilder<V>,
): PausableWork<Result<{ readonly value: V; readonly warnings: readonly JsonProblem[] }, JsonProblem>> {
  try {
    const parser = new JsonParser(text, builder);
    const value = yield* parser.document();
    const position = createPositions(text);
    return ok({
      value,
      warnings: parser.warnings().map(({ offset, expected }) => ({ ...position(offset), expected })),
    });
  } catch (error) {
    if (error instanceof DecodeBudgetError) return err({ line: 1, column: 1, expected: error.message });
    if (error instanceof ParseStop) return err({ ...positionAt(text, error.offset), expected: error.expected });
    throw error;
  }
}

/** Line and column of an offset, both from 1; CR LF, LF and CR end a line. */
export const positionAt = (text: string, offset: number): { readonly line: number; readonly column: number } =>
  createPositions(text)(offset);

const lineStartsOf = new WeakMap<JsonDocument, Uint32Array>();

/** `positionAt` for any number of offsets of one document: its lines are counted once. */
export function positionIn(document: JsonDocument, offset: number): { readonly line: number; readonly column: number } {
  let starts = lineStartsOf.get(document);
  if (starts === undefined) {
    const ends = Array.from(document.text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length);
    starts = Uint32Array.from([0, ...ends]);
    lineStartsOf.set(document, starts);
  }
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** Returns `positionAt` for non-decreasing offsets of one text, whose calls visit each line once. */
function createPositions(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const lineEnd = /\r\n|\n|\r/g;
  let line = 1;
  let lineStart = 0;
  let end = lineEnd.exec(text);
  return offset => {
    for (; end !== null && end.index + end[0].length <= offset; end = lineEnd.exec(text)) {
      line += 1;
      lineStart = end.index + end[0].length;
    }
    return { line, column: offset - lineStart + 1 };
  };
}

/** The plain value; the last of several members with one key is used. */
export function jsonValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(member => [member.key, jsonValue(member.value)]));
    case 'array':
      return node.elements.map(jsonValue);
    case 'null':
      return null;
    default:
      return node.value;
  }
}

/** The plain value with every digit: whole numbers beyond 2^53 are `bigint`. */
export function exactJsonValue(node: JsonNode): unknown {
  if (node.kind === 'object')
    return Object.fromEntries(node.members.map(member => [member.key, exactJsonValue(member.value)]));
  if (node.kind === 'array') return node.elements.map(exactJsonValue);
  return node.kind === 'number' ? (node.whole ?? node.value) : jsonValue(node);
}

const membersByKey = new WeakMap<JsonNode, ReadonlyMap<string, JsonMember>>();

/** The member with that name, the last if there are several; `undefined` if there is none or `node` is not an object. */
export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  if (node?.kind !== 'object') return undefined;
  if (node.members.length <= MAX_SCANNED_MEMBERS) return node.members.findLast(member => member.key === key);
  let members = membersByKey.get(node);
  if (members === undefined) {
    members = new Map(node.members.map(member => [member.key, member]));
    membersByKey.set(node, members);
  }
  return members.get(key);
}
