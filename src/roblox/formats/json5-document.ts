import { DecodeBudget, DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type PausableWork, runToEnd } from '../../base/time-slice.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';
import { TEXT_FILE_LIMITS } from './limits.ts';

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
  try {
    const parser = new Parser(text);
    const root = yield* parser.document();
    return ok({ text, root, warnings: parser.warnings() });
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

/** Members that are searched one by one; a map of them would take longer. */
const MAX_SCANNED_MEMBERS = 32;
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

/** Offset of the first character at or after `offset` that is neither white space nor in a comment. */
export function skipTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const space = /[\s\uFEFF]*/y;
    space.lastIndex = at;
    at += space.exec(text)?.[0].length ?? 0;
    if (text.startsWith('//', at)) {
      const comment = /[^\r\n\u2028\u2029]*/y;
      comment.lastIndex = at;
      at += comment.exec(text)?.[0].length ?? 0;
    } else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      if (close < 0) return at;
      at = close + 2;
    } else return at;
  }
}

class ParseStop extends Error {
  readonly offset: number;
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(expected);
    this.offset = offset;
    this.expected = expected;
  }
}

const NUMBER =
  /[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/y;
// ECMAScript identifiers, and Rojo's: letters, digits, `-`, `_`.
const BARE_KEY = /(?:[\p{ID_Continue}$-]|\u200C|\u200D|\\u[0-9a-fA-F]{4})+/uy;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Number of values between two pauses, which take about a millisecond. */
const BATCH_SIZE = 256;

class Parser {
  readonly #text: string;
  readonly #warnings: { readonly offset: number; readonly expected: string }[] = [];
  #at = 0;
  #depth = 0;
  #sincePause = 0;

  readonly #budget: DecodeBudget;

  /** @throws DecodeBudgetError */
  constructor(text: string) {
    this.#text = text;
    this.#budget = new DecodeBudget(TEXT_FILE_LIMITS, text.length);
  }

  /** In the order of the text. */
  warnings(): JsonProblem[] {
    const position = createPositions(this.#text);
    return this.#warnings
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ offset, expected }) => ({ ...position(offset), expected }));
  }

  *document(): PausableWork<JsonNode> {
    this.#skip();
    const root = this.#scalar('a JSON value') ?? (yield* this.#container());
    this.#skip();
    if (this.#at < this.#text.length) throw new ParseStop(this.#at, 'the end of the file');
    return root;
  }

  /** `undefined` at the start of an object or array. */
  #scalar(expected: string): JsonNode | undefined {
    const start = this.#at;
    this.#budget.take();
    const first = this.#text[start];
    if (first === '{' || first === '[') return undefined;
    if (first === '"' || first === "'") {
      const value = this.#string(first);
      return { kind: 'string', value, start, end: this.#at };
    }
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (!this.#text.startsWith(word, start) || this.#isWordAt(start + word.length)) continue;
      const end = (this.#at += word.length);
      return value === null ? { kind: 'null', start, end } : { kind: 'boolean', value, start, end };
    }
    return this.#number(expected);
  }

  *#container(): PausableWork<JsonNode> {
    const start = this.#at;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ParseStop(start, `at most ${MAX_DEPTH} levels of nesting`);
    const node = yield* this.#text[start] === '{' ? this.#object(start) : this.#array(start);
    this.#depth -= 1;
    return node;
  }

  #isPauseDue(): boolean {
    this.#sincePause = (this.#sincePause + 1) % BATCH_SIZE;
    return this.#sincePause === 0;
  }

  *#object(start: number): PausableWork<JsonNode> {
    const members: JsonMember[] = [];
    const keys = new Set<string>();
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take('}')) return { kind: 'object', members, start, end: this.#at };
      const keyStart = this.#at;
      const key = this.#key();
      const keyEnd = this.#at;
      if (keys.has(key)) this.#warn(keyStart, `the key ${JSON.stringify(key)} only once in this object`);
      keys.add(key);
      this.#skip();
      if (!this.#take(':')) throw new ParseStop(this.#at, `":" after the key ${JSON.stringify(key)}`);
      this.#skip();
      if (this.#isPauseDue()) yield;
      members.push({ key, keyStart, keyEnd, value: this.#scalar('a value') ?? (yield* this.#container()) });
      this.#separator('}');
    }
  }

  *#array(start: number): PausableWork<JsonNode> {
    const elements: JsonNode[] = [];
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take(']')) return { kind: 'array', elements, start, end: this.#at };
      if (this.#isPauseDue()) yield;
      elements.push(this.#scalar('a value or "]"') ?? (yield* this.#container()));
      this.#separator(']');
    }
  }

  #separator(close: '}' | ']'): void {
    const end = this.#at;
    this.#skip();
    if (this.#take(',') || this.#text[this.#at] === close) return;
    const next = this.#text[this.#at];
    const startsAnother = next !== undefined && (close === '}' ? /["'\w$\\]/ : /["'\w.+[{-]/).test(next);
    if (!startsAnother || this.#at === end) throw new ParseStop(this.#at, `"," or "${close}"`);
    this.#warn(end, '","');
  }

  #key(): string {
    const quote = this.#text[this.#at];
    if (quote === '"' || quote === "'") return this.#string(quote);
    BARE_KEY.lastIndex = this.#at;
    const bare = BARE_KEY.exec(this.#text)?.[0];
    if (bare === undefined) throw new ParseStop(this.#at, 'a key or "}"');
    this.#at += bare.length;
    return bare.replace(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  }

  #string(quote: '"' | "'"): string {
    const start = this.#at;
    let value = '';
    this.#at += 1;
    for (;;) {
      const from = this.#at;
      const special = quote === '"' ? /["\\]/g : /['\\]/g;
      special.lastIndex = from;
      const found = special.exec(this.#text);
      if (found === null) throw new ParseStop(start, `a string that ends with ${quote}`);
      value += this.#text.slice(from, found.index);
      this.#at = found.index + 1;
      if (found[0] === quote) return value;
      value += this.#escape();
    }
  }

  #escape(): string {
    const at = this.#at - 1;
    const char = this.#text[this.#at];
    this.#at += 1;
    if (char === 'u' || char === 'x') {
      const length = char === 'u' ? 4 : 2;
      const digits = this.#text.slice(this.#at, this.#at + length);
      if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length)
        throw new ParseStop(at, `${length} hex digits after \\${char}`);
      this.#at += length;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (char === '\r' && this.#text[this.#at] === '\n') this.#at += 1;
    if (char === undefined || /[\r\n\u2028\u2029]/.test(char)) return '';
    if (char === '0' && !/[0-9]/.test(this.#text[this.#at] ?? '')) return '\0';
    if (/[0-9]/.test(char)) throw new ParseStop(at, 'an escape sequence without octal digits');
    return SIMPLE_ESCAPES[char] ?? char;
  }

  #number(expected: string): JsonNode {
    const start = this.#at;
    NUMBER.lastIndex = start;
    const token = NUMBER.exec(this.#text)?.[0];
    if (token === undefined || this.#isWordAt(start + token.length)) throw new ParseStop(start, expected);
    this.#at += token.length;
    const unsigned = token.replace(/^[+-]/, '');
    const value = token.startsWith('-') ? -Number(unsigned) : Number(unsigned);
    const isLong = /^[0-9]{16,20}$/.test(unsigned) && !Number.isSafeInteger(value);
    const whole = isLong ? { whole: BigInt(token.replace('+', '')) } : undefined;
    return { kind: 'number', value, ...whole, start, end: this.#at };
  }

  #isWordAt(offset: number): boolean {
    return /^[\w$.]/.test(this.#text.slice(offset, offset + 1));
  }

  #skip(): void {
    this.#at = skipTrivia(this.#text, this.#at);
    if (this.#text.startsWith('/*', this.#at)) throw new ParseStop(this.#at, 'a comment that ends with */');
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #warn(offset: number, expected: string): void {
    this.#warnings.push({ offset, expected });
  }
}
