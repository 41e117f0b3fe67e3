import {
  type JsonDocument,
  type JsonMember,
  type JsonNode,
  exactJsonValue,
  memberOf,
  parseJsonDocument,
  skipTrivia,
} from './json5-document.ts';

// Own code: libraries such as `jsonc-parser` edit JSON with comments, but not JSON5, and do not keep Rojo's dialect without commas.

/** Names of members and indexes of elements, from the root. */
export type JsonPath = readonly (string | number)[];

/**
 * Sets the value at `path`, and keeps everything else: comments, order, indentation, line ends. Creates missing objects. Returns the same
 * text if the value is already there.
 *
 * @throws Error when a step of the path is not an object, or is a missing element
 */
export function withJsonValue(document: JsonDocument, path: JsonPath, value: unknown): string {
  const { text } = document;
  let node = document.root;
  for (const [depth, step] of path.entries()) {
    const next = childOf(node, step);
    if (next === undefined) {
      if (node.kind !== 'object' || typeof step !== 'string') throw new Error(`nothing to set ${path.join('.')} in`);
      const rest = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      return withNewMember(text, node, step, rest);
    }
    node = next;
  }
  if (sameJson(exactJsonValue(node), value)) return text;
  const printed = printJson(value, styleOf(text), indentAt(text, node.start));
  return text.slice(0, node.start) + printed + text.slice(node.end);
}

/**
 * Adds an element at the end of the array at `path`, and keeps everything else. Creates a missing array.
 *
 * @throws Error when a step of the path is not an object, or the value is not an array
 */
export function withJsonElement(document: JsonDocument, path: JsonPath, value: unknown): string {
  const { text } = document;
  const node = nodeAt(document.root, path);
  if (node === undefined) return withJsonValue(document, path, [value]);
  if (node.kind !== 'array') throw new Error(`nothing to add to at ${path.join('.')}`);
  return withNewItem(text, node, node.elements, (style, indent) => printJson(value, style, indent));
}

/** Removes the member or element at `path`; returns the same text if there is none. Removes all members with the same key. */
export function withoutJsonValue(document: JsonDocument, path: JsonPath): string {
  const parent = nodeAt(document.root, path.slice(0, -1));
  const last = path.at(-1);
  if (parent === undefined || last === undefined) return document.text;
  const items = itemsOf(parent);
  const found = items.flatMap(({ key }, at) => ((typeof last === 'number' ? at === last : key === last) ? [at] : []));
  const [first, second] = found;
  if (first === undefined) return document.text;
  if (second === undefined) return withoutItem(document.text, parent, items, first);
  const again = parseJsonDocument(withoutRepeatedItems(document.text, items, found.slice(1)));
  return again.ok ? withoutJsonValue(again.value, path) : document.text;
}

/** Cuts all items at once, because a file may repeat a key any number of times. `indexes`: increasing, without the first item. */
function withoutRepeatedItems(text: string, items: readonly Item[], indexes: readonly number[]): string {
  const repeated = new Set(indexes);
  const cuts: { readonly from: number; readonly to: number }[] = [];
  /** The comma after the last item that stays. */
  let comma: number | undefined;
  let isCommaNeeded = true;
  for (const [at, { start, end }] of items.entries()) {
    const next = skipTrivia(text, end);
    const hasComma = text[next] === ',';
    if (!repeated.has(at)) {
      comma = hasComma ? next : undefined;
      continue;
    }
    const blanks = startOfBlanks(text, start);
    const isWholeLine = /[\r\n]/.test(text[blanks - 1] ?? '');
    const newline = !isWholeLine ? 0 : text.slice(blanks - 2, blanks) === '\r\n' ? 2 : 1;
    cuts.push({ from: blanks - newline, to: hasComma ? next + 1 : end });
    isCommaNeeded = hasComma || at < items.length - 1;
  }
  if (comma !== undefined && !isCommaNeeded) cuts.push({ from: comma, to: comma + 1 });
  const kept: string[] = [];
  let from = 0;
  for (const cut of cuts.toSorted((one, other) => one.from - other.from)) {
    kept.push(text.slice(from, Math.max(from, cut.from)));
    from = Math.max(from, cut.to);
  }
  return kept.join('') + text.slice(from);
}

export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) node = node === undefined ? undefined : childOf(node, step);
  return node;
}

export interface JsonStyle {
  readonly newline: string;
  /** One level of indentation. */
  readonly indent: string;
  /** The style of Atlas: sorted names, without quotes if possible; `[ 1, 2 ]` for up to 20 plain values. */
  readonly isJson5?: boolean;
}

/** The line ends and the indentation of a text, and whether its names have quotes. Defaults: LF and two spaces. */
function styleOf(text: string): JsonStyle {
  const open = skipTrivia(text, 0);
  const first = text[skipTrivia(text, open + 1)] ?? '';
  return {
    newline: /\r\n|\n/.exec(text)?.[0] ?? '\n',
    indent: /^[{[][^\n]*\n([ \t]+)/m.exec(text.trimStart())?.[1] ?? '  ',
    isJson5: text[open] === '{' && /[\p{ID_Start}$_]/u.test(first),
  };
}

/** Prints plain values on one line of JSON5. */
const MAX_ON_A_LINE = 20;

/**
 * Prints strict JSON (except NaN and infinities, which only JSON5 has) with arrays of plain values on one line, or JSON5 if the style
 * requires it.
 */
export function printJson(value: unknown, style: JsonStyle, indent = ''): string {
  const parts: string[] = [];
  print(value, style, indent, parts);
  return parts.join('');
}

/** Appends to one list, because joining the lines of every level would copy the innermost ones once per level. */
function print(value: unknown, style: JsonStyle, indent: string, parts: string[]): void {
  if (typeof value !== 'object' || value === null) return void parts.push(printPlain(value));
  const inner = indent + style.indent;
  const block = <T>(open: string, items: readonly T[], close: string, printItem: (item: T) => void): void => {
    parts.push(open);
    for (const [index, item] of items.entries()) {
      parts.push(index === 0 ? style.newline : `,${style.newline}`, inner);
      printItem(item);
    }
    parts.push(items.length === 0 ? close : `${style.newline}${indent}${close}`);
  };
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const isPlain = items.every(item => typeof item !== 'object' || item === null);
    const pad = style.isJson5 === true && items.length > 0 ? ' ' : '';
    if (isPlain && !(style.isJson5 === true && items.length > MAX_ON_A_LINE))
      parts.push(`[${pad}${items.map(printPlain).join(', ')}${pad}]`);
    else block('[', items, ']', item => print(item, style, inner, parts));
    return;
  }
  const entries = Object.entries(value);
  const ordered = style.isJson5 === true ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries;
  block('{', ordered, '}', ([key, item]) => {
    parts.push(`${printKey(key, style)}: `);
    print(item, style, inner, parts);
  });
}

function printPlain(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value) ?? 'null';
}

const printKey = (key: string, { isJson5 }: JsonStyle): string =>
  isJson5 === true && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? key : JSON.stringify(key);

interface Item {
  readonly key: string | undefined;
  readonly start: number;
  readonly end: number;
}

const childOf = (node: JsonNode, step: string | number): JsonNode | undefined =>
  typeof step === 'string' ? memberOf(node, step)?.value : node.kind === 'array' ? node.elements[step] : undefined;

const itemsOf = (node: JsonNode): readonly Item[] => {
  if (node.kind === 'array')
    return node.elements.map(element => ({ key: undefined, start: element.start, end: element.end }));
  if (node.kind !== 'object') return [];
  return node.members.map((member: JsonMember) => ({ key: member.key, start: member.keyStart, end: member.value.end }));
};

const withNewMember = (text: string, node: JsonNode & { kind: 'object' }, key: string, value: unknown): string =>
  withNewItem(
    text,
    node,
    node.members.map(member => ({ start: member.keyStart, end: member.value.end })),
    (style, indent) => `${printKey(key, style)}: ${printJson(value, style, indent)}`,
  );

function withNewItem(
  text: string,
  node: JsonNode,
  items: readonly Pick<Item, 'start' | 'end'>[],
  print: (style: JsonStyle, indent: string) => string,
): string {
  const style = styleOf(text);
  const last = items.at(-1);
  const outer = indentAt(text, node.start);
  const isOneLine = last !== undefined && !/[\r\n]/.test(text.slice(node.start, node.end));
  if (last !== undefined && isOneLine) {
    return `${text.slice(0, last.end)}, ${print(style, outer)}${text.slice(last.end)}`;
  }
  const indent = last === undefined ? outer + style.indent : indentAt(text, last.start);
  const item = `${style.newline}${indent}${print(style, indent)}`;
  if (last === undefined) {
    const inside = text.slice(node.start + 1, node.end - 1).trimEnd();
    return `${text.slice(0, node.start + 1)}${inside}${item}${style.newline}${outer}${text.slice(node.end - 1)}`;
  }
  const comma = skipTrivia(text, last.end);
  const hasComma = text[comma] === ',';
  const lineEnd = endOfTriviaOnLine(text, hasComma ? comma + 1 : last.end);
  return hasComma
    ? `${text.slice(0, lineEnd)}${item},${text.slice(lineEnd)}`
    : `${text.slice(0, last.end)},${text.slice(last.end, lineEnd)}${item}${text.slice(lineEnd)}`;
}

function withoutItem(text: string, parent: JsonNode, items: readonly Item[], index: number): string {
  const item = items[index];
  if (item === undefined) return text;
  const comma = skipTrivia(text, item.end);
  const hasComma = text[comma] === ',';
  let from = item.start;
  let to = endOfTriviaOnLine(text, hasComma ? comma + 1 : item.end);
  const before = from - startOfBlanks(text, from);
  const isFirstOnLine = /[\r\n]/.test(text[from - before - 1] ?? '');
  const isLastOnLine = /^(?:[\r\n]|$)/.test(text.slice(to, to + 1));
  if (isFirstOnLine && isLastOnLine) from -= before + (text.slice(from - before - 2, from - before) === '\r\n' ? 2 : 1);
  else if (isFirstOnLine || index === 0)
    to = hasComma ? comma + 1 + (/^[ \t]*/.exec(text.slice(comma + 1))?.[0].length ?? 0) : item.end;
  else {
    from -= before;
    to = hasComma ? comma + 1 : item.end;
  }
  const previous = items[index - 1];
  if (hasComma || previous === undefined) {
    const rest = text.slice(0, from) + text.slice(to);
    return items.length === 1 && /^[{[]\s*[}\]]$/.test(rest.slice(parent.start, parent.end - (to - from)))
      ? `${text.slice(0, parent.start + 1)}${text.slice(parent.end - 1)}`
      : rest;
  }
  const previousComma = skipTrivia(text, previous.end);
  const keepTo = text[previousComma] === ',' ? previousComma : previous.end;
  const afterComma = text[previousComma] === ',' ? previousComma + 1 : keepTo;
  return text.slice(0, keepTo) + text.slice(afterComma, Math.max(afterComma, from)) + text.slice(to);
}

/** The start of the blanks before `offset`. */
function startOfBlanks(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at;
}

/** The position after spaces and comments on the line of `offset`. */
function endOfTriviaOnLine(text: string, offset: number): number {
  const trivia = /(?:[ \t]|\/\*(?:(?!\*\/)[^\r\n])*\*\/)*(?:\/\/[^\r\n]*)?/y;
  trivia.lastIndex = offset;
  const length = trivia.exec(text)?.[0].length ?? 0;
  return /^(?:[\r\n]|$)/.test(text.slice(offset + length, offset + length + 1)) ? offset + length : offset;
}

function indentAt(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

const sameJson = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  const entries = Object.entries(a);
  const other = new Map<string, unknown>(Object.entries(b));
  return (
    entries.length === other.size && entries.every(([key, item]) => other.has(key) && sameJson(item, other.get(key)))
  );
};
