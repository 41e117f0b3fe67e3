import { DecodeBudget } from '../../base/decode/decode-budget.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';
import { TEXT_FILE_LIMITS } from './limits.ts';

/** Up to so many members are searched one by one; a map of them would take longer. */
export const MAX_SCANNED_MEMBERS = 32;

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, SLASH, NO_ASCII] = [9, 10, 13, 32, 47, 128] as const;
const [DOLLAR, MINUS, POINT, ZERO, NINE, UNDERSCORE, LOWER_A, LOWER_Z] = [36, 45, 46, 48, 57, 95, 97, 122] as const;

/** Offset of the first character at or after `offset` that is neither white space nor in a comment. */
export function skipTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    let code = text.charCodeAt(at);
    // Most texts have nothing but these between their values.
    while (code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB)
      code = text.charCodeAt((at += 1));
    if (code > SPACE && code < NO_ASCII && code !== SLASH) return at;
    const space = /[\s\uFEFF]*/y;
    space.lastIndex = at;
    at += space.exec(text)?.[0].length ?? 0;
    if (text.charCodeAt(at) !== SLASH) return at;
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

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** Whether the character continues a word or a number. */
function isWord(code: number): boolean {
  const lower = code | 32;
  return (
    isDigit(code) || (lower >= LOWER_A && lower <= LOWER_Z) || code === UNDERSCORE || code === DOLLAR || code === POINT
  );
}

/** Ends parsing: the text is invalid at `offset`; `expected` completes "expected …". */
export class ParseStop extends Error {
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
const DOUBLE_QUOTE_OR_ESCAPE = /["\\]/g;
const SINGLE_QUOTE_OR_ESCAPE = /['\\]/g;
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Minimum number of digits of a whole number that a double may not represent exactly. */
const MIN_LONG_DIGITS = 16;
/** Number of values between two pauses, which take about a millisecond. */
const BATCH_SIZE = 256;

/** A member of an object that was read, with the position of its key. */
export interface ParsedMember<V> {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: V;
}

/** Makes the result of what the parser reads. `start` and `end` are offsets in the text. */
export interface JsonBuilder<V> {
  text(value: string, start: number, end: number): V;
  /** @param whole a whole number beyond 2^53, of which `value` may have lost digits */
  number(value: number, whole: bigint | undefined, start: number, end: number): V;
  word(value: boolean | null, start: number, end: number): V;
  array(elements: readonly V[], start: number, end: number): V;
  object(members: readonly ParsedMember<V>[], start: number, end: number): V;
  /**
   * Reads the object or array at `start` in another way; `undefined` to let the parser read it. `depth`: of that object or array, from 1.
   */
  readWhole?(start: number, depth: number): ReadContainer<V> | undefined;
}

/** An object or array with everything in it. */
export interface ReadContainer<V> {
  readonly value: V;
  /** The offset after it. */
  readonly end: number;
  /** How many values are in it. */
  readonly count: number;
}

/** The result of `#scalar` at the start of an object or array. */
const CONTAINER = Symbol('container');

/** Reads the union of JSON, JSONC and JSON5, as described at `parseJsonDocument`. */
export class JsonParser<V> {
  readonly #text: string;
  readonly #builder: JsonBuilder<V>;
  readonly #warnings: { readonly offset: number; readonly expected: string }[] = [];
  #at = 0;
  #depth = 0;
  #sincePause = 0;

  readonly #budget: DecodeBudget;

  /** @throws DecodeBudgetError */
  constructor(text: string, builder: JsonBuilder<V>) {
    this.#text = text;
    this.#builder = builder;
    this.#budget = new DecodeBudget(TEXT_FILE_LIMITS, text.length);
  }

  /** In the order of the text. */
  warnings(): readonly { readonly offset: number; readonly expected: string }[] {
    return this.#warnings.toSorted((a, b) => a.offset - b.offset);
  }

  *document(): PausableWork<V> {
    this.#skip();
    const root = yield* this.#value('a JSON value');
    this.#skip();
    if (this.#at < this.#text.length) throw new ParseStop(this.#at, 'the end of the file');
    return root;
  }

  *#value(expected: string): PausableWork<V> {
    const scalar = this.#scalar(expected);
    return scalar === CONTAINER ? (this.#whole() ?? (yield* this.#container())) : scalar;
  }

  #scalar(expected: string): V | typeof CONTAINER {
    const start = this.#at;
    this.#budget.take();
    const first = this.#text[start];
    if (first === '{' || first === '[') return CONTAINER;
    if (first === '"' || first === "'") {
      const value = this.#string(first);
      return this.#builder.text(value, start, this.#at);
    }
    const digits = this.#shortNumber();
    if (digits !== undefined) return digits;
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, start) || this.#isWordAt(start + word.length)) continue;
      const end = (this.#at += word.length);
      return this.#builder.word(value, start, end);
    }
    return this.#number(expected);
  }

  /** Lets the builder read an object or array. */
  #whole(): V | undefined {
    const read = this.#builder.readWhole?.(this.#at, this.#depth + 1);
    if (read === undefined) return undefined;
    this.#budget.take(read.count);
    this.#sincePause += read.count;
    this.#at = read.end;
    return read.value;
  }

  #container(): PausableWork<V> {
    const start = this.#at;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ParseStop(start, `at most ${MAX_DEPTH} levels of nesting`);
    return this.#text[start] === '{' ? this.#object(start) : this.#array(start);
  }

  #leave(node: V): V {
    this.#depth -= 1;
    return node;
  }

  #isPauseDue(): boolean {
    this.#sincePause += 1;
    if (this.#sincePause < BATCH_SIZE) return false;
    this.#sincePause = 0;
    return true;
  }

  *#object(start: number): PausableWork<V> {
    const members: ParsedMember<V>[] = [];
    let keys: Set<string> | undefined;
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#take('}')) return this.#leave(this.#builder.object(members, start, this.#at));
      const keyStart = this.#at;
      const key = this.#key();
      const keyEnd = this.#at;
      if (keys === undefined && members.length === MAX_SCANNED_MEMBERS)
        keys = new Set(members.map(member => member.key));
      if (keys?.has(key) ?? members.some(member => member.key === key))
        this.#warn(keyStart, `the key ${JSON.stringify(key)} only once in this object`);
      keys?.add(key);
      this.#skip();
      if (!this.#take(':')) throw new ParseStop(this.#at, `":" after the key ${JSON.stringify(key)}`);
      this.#skip();
      if (this.#isPauseDue()) yield;
      const scalar = this.#scalar('a value');
      const value = scalar === CONTAINER ? (this.#whole() ?? (yield* this.#container())) : scalar;
      members.push({ key, keyStart, keyEnd, value });
      this.#separator('}');
    }
  }

  *#array(start: number): PausableWork<V> {
    const elements: V[] = [];
    this.#at += 1;
    for (;;) {
      const next = this.#scalars(elements);
      if (next === 'end') return this.#leave(this.#builder.array(elements, start, this.#at));
      if (next === 'pause' || this.#isPauseDue()) yield;
      if (next === 'container') {
        elements.push(this.#whole() ?? (yield* this.#container()));
        this.#separator(']');
      }
    }
  }

  /** Reads the next elements of an array until its end, a container, or a pause that is due. Most arrays have only numbers. */
  #scalars(elements: V[]): 'end' | 'container' | 'pause' {
    for (;;) {
      this.#skip();
      if (this.#take(']')) return 'end';
      const element = this.#scalar('a value or "]"');
      if (element === CONTAINER) return 'container';
      elements.push(element);
      this.#separator(']');
      if (this.#isPauseDue()) return 'pause';
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
    const special = quote === '"' ? DOUBLE_QUOTE_OR_ESCAPE : SINGLE_QUOTE_OR_ESCAPE;
    let value = '';
    this.#at += 1;
    for (;;) {
      const from = this.#at;
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

  /** Reads what most numbers are, digits with or without a sign and a point, without a regular expression; `undefined` for others. */
  #shortNumber(): V | undefined {
    const text = this.#text;
    const start = this.#at;
    const from = text.charCodeAt(start) === MINUS ? start + 1 : start;
    let at = from;
    let code = text.charCodeAt(at);
    // `01` is not a number.
    if (!isDigit(code) || (code === ZERO && isDigit(text.charCodeAt(at + 1)))) return undefined;
    while (isDigit(code)) code = text.charCodeAt((at += 1));
    if (code === POINT) {
      code = text.charCodeAt((at += 1));
      while (isDigit(code)) code = text.charCodeAt((at += 1));
    }
    if (at - from >= MIN_LONG_DIGITS || isWord(code)) return undefined;
    this.#at = at;
    return this.#builder.number(Number(text.slice(start, at)), undefined, start, at);
  }

  #number(expected: string): V {
    const start = this.#at;
    NUMBER.lastIndex = start;
    if (!NUMBER.test(this.#text) || this.#isWordAt(NUMBER.lastIndex)) throw new ParseStop(start, expected);
    this.#at = NUMBER.lastIndex;
    const token = this.#text.slice(start, this.#at);
    const isSigned = token.startsWith('-') || token.startsWith('+');
    const unsigned = isSigned ? token.slice(1) : token;
    const value = token.startsWith('-') ? -Number(unsigned) : Number(unsigned);
    const isLong =
      unsigned.length >= MIN_LONG_DIGITS && /^[0-9]{16,20}$/.test(unsigned) && !Number.isSafeInteger(value);
    const whole = isLong ? BigInt(token.replace('+', '')) : undefined;
    return this.#builder.number(value, whole, start, this.#at);
  }

  #isWordAt(offset: number): boolean {
    return isWord(this.#text.charCodeAt(offset));
  }

  #skip(): void {
    this.#at = skipTrivia(this.#text, this.#at);
    if (this.#text.charCodeAt(this.#at) === SLASH && this.#text.startsWith('/*', this.#at))
      throw new ParseStop(this.#at, 'a comment that ends with */');
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
