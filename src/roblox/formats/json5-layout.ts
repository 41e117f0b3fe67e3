import { TextPieces } from '../../base/text-pieces.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { JsonNode } from './json5-document.ts';
import { skipTrivia } from './json5-parser.ts';
import { type JsonStyle, printJsonPausable } from './json5-print.ts';

// Own code: libraries such as `jsonc-parser` edit JSON with comments, but not JSON5, and do not keep Rojo's dialect without commas.

/** A text that is edited. */
export interface EditedText {
  readonly text: string;
  readonly style: JsonStyle;
  readonly lines: Lines;
}

/** Offsets of the starts of lines. A search in the text would take long in a text of one line. */
class Lines {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string, starts: readonly number[]) {
    this.#text = text;
    this.#starts = starts;
  }

  /** The blanks at the start of the line of `offset`, at most up to it. */
  indentAt(offset: number): string {
    const start = this.#starts[this.#lineOf(offset)] ?? 0;
    let end = start;
    while (end < offset && isBlank(this.#text[end])) end += 1;
    return this.#text.slice(start, end);
  }

  isOneLine({ start, end }: ItemRange): boolean {
    return this.#lineOf(start) === this.#lineOf(end);
  }

  #lineOf(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Lines between two pauses. */
const LINES_PER_PAUSE = 4096;

export function* linesOf(text: string): PausableWork<Lines> {
  const starts = [0];
  const lineEnd = /[\r\n]/g;
  while (lineEnd.exec(text) !== null) {
    starts.push(lineEnd.lastIndex);
    if (starts.length % LINES_PER_PAUSE === 0) yield;
  }
  return new Lines(text, starts);
}

interface ItemRange {
  readonly start: number;
  readonly end: number;
}

/** Replaces `from` to `to`. */
export interface JsonTextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Applies edits. Those at one position keep their order; cuts may overlap. */
export function withEdits(text: string, edits: readonly JsonTextEdit[]): string {
  if (edits.length === 0) return text;
  const output: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    output.push(text.slice(at, Math.max(at, edit.from)), edit.text);
    at = Math.max(at, edit.to);
  }
  return output.join('') + text.slice(at);
}

/** Adds items after the last one of an array or object. @param added the text before each value, and the value */
export function* newItems(
  { text, style, lines }: EditedText,
  node: JsonNode,
  added: readonly (readonly [string, unknown])[],
): PausableWork<readonly JsonTextEdit[]> {
  const last = lastItemOf(node);
  const outer = lines.indentAt(node.start);
  const isOneLine = last !== undefined && lines.isOneLine(node);
  const indent = isOneLine ? outer : last === undefined ? outer + style.indent : lines.indentAt(last.start);
  const printed = new TextPieces();
  const separator = isOneLine ? ' ' : `${style.newline}${indent}`;
  for (const [index, [key, value]] of added.entries()) {
    if (index > 0) printed.add(',');
    printed.add(separator, key, yield* printJsonPausable(value, style, indent));
    yield;
  }
  const output = printed.text();
  if (last === undefined) {
    const from = node.start + 1 + text.slice(node.start + 1, node.end - 1).trimEnd().length;
    return [{ from, to: node.end - 1, text: `${output}${style.newline}${outer}` }];
  }
  if (isOneLine) return [{ from: last.end, to: last.end, text: `,${output}` }];
  const comma = skipTrivia(text, last.end);
  const hasComma = text[comma] === ',';
  const lineEnd = endOfTriviaOnLine(text, hasComma ? comma + 1 : last.end);
  return hasComma
    ? [{ from: lineEnd, to: lineEnd, text: `${output},` }]
    : [
        { from: last.end, to: last.end, text: ',' },
        { from: lineEnd, to: lineEnd, text: output },
      ];
}

function lastItemOf(node: JsonNode): ItemRange | undefined {
  if (node.kind === 'array') return node.elements.at(-1);
  const member = node.kind === 'object' ? node.members.at(-1) : undefined;
  return member && { start: member.keyStart, end: member.value.end };
}

interface Item extends ItemRange {
  readonly step: string | number;
}

const itemsOf = (node: JsonNode): readonly Item[] => {
  if (node.kind === 'array') return node.elements.map(({ start, end }, step) => ({ step, start, end }));
  if (node.kind !== 'object') return [];
  return node.members.map(({ key, keyStart, value }) => ({ step: key, start: keyStart, end: value.end }));
};

/** Items between two pauses. */
const ITEMS_PER_PAUSE = 256;

/** Cuts items with their commas and the comments behind them on the same line. */
export function* cutItems(
  text: string,
  node: JsonNode,
  removed: ReadonlySet<string | number>,
): PausableWork<readonly JsonTextEdit[]> {
  const items = itemsOf(node);
  const cuts: JsonTextEdit[] = [];
  let kept: Item | undefined;
  /** The comma between what stays before an item and what stays behind it. */
  let comma: number | undefined;
  let isCommaKnown = false;
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_PAUSE === 0) yield;
    if (!removed.has(item.step)) {
      [kept, comma, isCommaKnown] = [item, undefined, false];
      continue;
    }
    if (!isCommaKnown && kept !== undefined) comma = commaAfter(text, kept);
    const ownComma = commaAfter(text, item);
    isCommaKnown = true;
    let from = item.start;
    let to = endOfTriviaOnLine(text, ownComma === undefined ? item.end : ownComma + 1);
    const before = from - startOfBlanks(text, from);
    const isFirstOnLine = /[\r\n]/.test(text[from - before - 1] ?? '');
    const isLastOnLine = /^(?:[\r\n]|$)/.test(text.slice(to, to + 1));
    if (isFirstOnLine && isLastOnLine)
      from -= before + (text.slice(from - before - 2, from - before) === '\r\n' ? 2 : 1);
    else if (isFirstOnLine || kept === undefined) {
      to = ownComma === undefined ? item.end : ownComma + 1;
      while (ownComma !== undefined && isBlank(text[to])) to += 1;
    } else {
      from -= before;
      // In Rojo's dialect, there may be no comma before the item. Its own one separates the others then.
      to = ownComma === undefined || comma === undefined ? item.end : ownComma + 1;
      comma ??= ownComma;
    }
    cuts.push({ from, to, text: '' });
    const isLast = index === items.length - 1;
    if (isLast && ownComma === undefined && comma !== undefined) cuts.push({ from: comma, to: comma + 1, text: '' });
  }
  if (kept !== undefined) return cuts;
  const inside = { from: node.start + 1, to: node.end - 1, text: '' };
  const rest = withEdits(
    text.slice(inside.from, inside.to),
    cuts.map(cut => ({ ...cut, from: cut.from - inside.from, to: cut.to - inside.from })),
  );
  return rest.trim() === '' ? [inside] : cuts;
}

/** The comma behind an item, which may be missing in Rojo's dialect. */
function commaAfter(text: string, item: Item): number | undefined {
  const at = skipTrivia(text, item.end);
  return text[at] === ',' ? at : undefined;
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** The start of the blanks before `offset`. */
function startOfBlanks(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && isBlank(text[at - 1])) at--;
  return at;
}

/** The position after spaces and comments on the line of `offset`. */
function endOfTriviaOnLine(text: string, offset: number): number {
  const trivia = /(?:[ \t]|\/\*(?:(?!\*\/)[^\r\n])*\*\/)*(?:\/\/[^\r\n]*)?/y;
  trivia.lastIndex = offset;
  const length = trivia.exec(text)?.[0].length ?? 0;
  return /^(?:[\r\n]|$)/.test(text.slice(offset + length, offset + length + 1)) ? offset + length : offset;
}
