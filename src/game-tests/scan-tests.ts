/** A block or test of a file, found without running it. */
export interface ScannedTest {
  readonly name: string;
  /** From 1, of the name of the function that defines it. */
  readonly line: number;
  /** Empty for a test. */
  readonly children: readonly ScannedTest[];
}

const BLOCKS: ReadonlySet<string> = new Set(['describe', 'describeFOCUS', 'describeSKIP', 'fdescribe', 'xdescribe']);
const TESTS: ReadonlySet<string> = new Set(['it', 'itFOCUS', 'itSKIP', 'itFIXME', 'fit', 'xit']);

interface OpenBlock {
  readonly children: ScannedTest[];
  /** Number of open parentheses inside the call. */
  readonly depth: number;
}

/**
 * Finds the blocks and tests whose names are string literals; the names of others are known after they have run. Scans the text once, without
 * a parser, so that it also works while the file is edited.
 */
export function scanTests(source: string): readonly ScannedTest[] {
  const top: ScannedTest[] = [];
  const open: OpenBlock[] = [];
  let depth = 0;
  let at = 0;
  let line = 1;
  const moveTo = (end: number): string => {
    const text = source.slice(at, end);
    for (const character of text) if (character === '\n') line += 1;
    at = end;
    return text;
  };
  while (at < source.length) {
    const character = source.charAt(at);
    if (isNameStart(character)) {
      const isMember = /[.:]/.test(source.charAt(at - 1));
      const start = line;
      const word = moveTo(endOfName(source, at));
      if (isMember || (!BLOCKS.has(word) && !TESTS.has(word))) continue;
      const name = firstArgument(source, at);
      if (name === undefined) continue;
      const children: ScannedTest[] = [];
      (open.at(-1)?.children ?? top).push({ name, line: start, children });
      if (BLOCKS.has(word)) open.push({ children, depth: depth + 1 });
    } else if (character === '(') {
      depth += 1;
      at += 1;
    } else if (character === ')') {
      if (open.at(-1)?.depth === depth) open.pop();
      depth -= 1;
      at += 1;
    } else moveTo(endOfText(source, at) ?? at + 1);
  }
  return top;
}

const isNameStart = (character: string): boolean => /[A-Za-z_]/.test(character);

function endOfName(source: string, start: number): number {
  let end = start + 1;
  while (/\w/.test(source.charAt(end))) end += 1;
  return end;
}

/** The end of the comment or string that starts at `at`; `undefined` if none does. An unfinished one ends with the text or its line. */
function endOfText(source: string, at: number): number | undefined {
  const character = source.charAt(at);
  if (character === '-' && source.charAt(at + 1) === '-') return endOfLong(source, at + 2) ?? endOf(source, '\n', at);
  if (character === '[') return endOfLong(source, at);
  return /["'`]/.test(character) ? endOfQuoted(source, at) : undefined;
}

function endOfLong(source: string, at: number): number | undefined {
  if (source.charAt(at) !== '[') return undefined;
  let equals = 0;
  while (source.charAt(at + 1 + equals) === '=') equals += 1;
  if (source.charAt(at + 1 + equals) !== '[') return undefined;
  return endOf(source, `]${'='.repeat(equals)}]`, at);
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found === -1 ? source.length : found + mark.length;
}

function endOfQuoted(source: string, start: number): number {
  const quote = source.charAt(start);
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '\\') at += 1;
    else if (character === quote || (character === '\n' && quote !== '`')) return at + 1;
  }
  return source.length;
}

/** The name in `("name", …` or `"name"`; `undefined` if it is not a plain string. */
function firstArgument(source: string, from: number): string | undefined {
  let at = from;
  while (/[\s(]/.test(source.charAt(at))) at += 1;
  if (!/["']/.test(source.charAt(at))) return undefined;
  const text = source.slice(at + 1, endOfQuoted(source, at) - 1);
  if (/\\[^"'\\]/.test(text)) return undefined;
  return text.replaceAll(/\\(["'\\])/g, '$1');
}
