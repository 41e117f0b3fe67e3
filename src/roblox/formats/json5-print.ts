import { TextPieces } from '../../base/text-pieces.ts';
import { type PausableWork, runToEnd } from '../../base/time-slice.ts';
import { skipTrivia } from './json5-parser.ts';

export interface JsonStyle {
  readonly newline: string;
  /** One level of indentation. */
  readonly indent: string;
  /** The style of Atlas: sorted names, without quotes if possible; `[ 1, 2 ]` for up to 20 plain values. */
  readonly isJson5?: boolean;
}

/** The line ends and the indentation of a text, and whether its names have quotes. Defaults: LF and two spaces. */
export function styleOf(text: string): JsonStyle {
  const open = skipTrivia(text, 0);
  const first = text[skipTrivia(text, open + 1)] ?? '';
  return {
    newline: /\r\n|\n/.exec(text)?.[0] ?? '\n',
    indent: /^[{[][^\n]*\n([ \t]+)/m.exec(text.trimStart())?.[1] ?? '  ',
    isJson5: text[open] === '{' && /[\p{ID_Start}$_]/u.test(first),
  };
}

/** Maximum number of plain values of an array on one line of JSON5. */
const MAX_ON_A_LINE = 20;
const CHARACTERS_PER_PAUSE = 32_768;

/**
 * Prints strict JSON (except NaN and infinities, which only JSON5 has) with arrays of plain values on one line, or JSON5 if the style
 * requires it.
 */
export const printJson = (value: unknown, style: JsonStyle): string => runToEnd(printJsonPausable(value, style, ''));

/** Prints like `printJson`, with pauses for large values. `indent` precedes every line after the first. */
export function* printJsonPausable(value: unknown, style: JsonStyle, indent: string): PausableWork<string> {
  const output = new Output();
  yield* print(value, style, indent, output);
  return output.text();
}

/** One text for all levels, because joining the lines of every level would copy the innermost ones once per level. */
class Output {
  readonly #pieces = new TextPieces();
  #sincePause = 0;

  add(...parts: readonly string[]): void {
    this.#pieces.add(...parts);
    for (const part of parts) this.#sincePause += part.length + 1;
  }

  /** Whether enough was added for a pause. One pause takes time in proportion to the number of levels. */
  isPauseDue(): boolean {
    if (this.#sincePause < CHARACTERS_PER_PAUSE) return false;
    this.#sincePause = 0;
    return true;
  }

  text(): string {
    return this.#pieces.text();
  }
}

function* print(value: unknown, style: JsonStyle, indent: string, output: Output): PausableWork<void> {
  if (typeof value !== 'object' || value === null) return output.add(printPlain(value));
  if (output.isPauseDue()) yield;
  const inner = indent + style.indent;
  const block = function* (open: string, items: readonly (readonly [string, unknown])[], close: string) {
    output.add(open);
    for (const [index, [key, item]] of items.entries()) {
      output.add(index === 0 ? style.newline : `,${style.newline}`, inner, key);
      if (typeof item !== 'object' || item === null) output.add(printPlain(item));
      else yield* print(item, style, inner, output);
    }
    output.add(items.length === 0 ? close : `${style.newline}${indent}${close}`);
  };
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const isPlain = items.every(item => typeof item !== 'object' || item === null);
    const pad = style.isJson5 === true && items.length > 0 ? ' ' : '';
    if (isPlain && !(style.isJson5 === true && items.length > MAX_ON_A_LINE))
      output.add(`[${pad}${items.map(printPlain).join(', ')}${pad}]`);
    else
      yield* block(
        '[',
        items.map(item => ['', item]),
        ']',
      );
    return;
  }
  const entries = Object.entries(value);
  const ordered = style.isJson5 === true ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries;
  yield* block(
    '{',
    ordered.map(([key, item]) => [`${printKey(key, style)}: `, item]),
    '}',
  );
}

function printPlain(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value) ?? 'null';
}

/** A name of a member, in quotes unless the style leaves them out. */
export const printKey = (key: string, { isJson5 }: JsonStyle): string =>
  isJson5 === true && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? key : JSON.stringify(key);
