import type { Expr, FStringExpr, FStringText } from './ast/code.ts';
import { Cursor } from './cursor.ts';
import { lex, release } from './lexer.ts';
import { SyntaxReport } from './report.ts';
import type { Span } from './ast/span.ts';
import { decodeText } from './string-text.ts';
import { Tok } from './token.ts';

const LBRACE = 123;
const RBRACE = 125;
const QUOTE = 34;
const BACKSLASH = 92;

/** The decoded text of one f-string, and the source offset of each of its code units. */
interface FText {
  readonly value: string;
  readonly originOf: (index: number) => number;
  /** Whether the f-string has no escapes, so that its source can be parsed directly. */
  readonly isPlain: boolean;
}

/** Escapes are decoded before interpolations are found, which is why a quote inside one is written `\"`. */
export function parseFString(cursor: Cursor, parseExpr: (cursor: Cursor) => Expr): FStringExpr {
  const start = cursor.start;
  const end = cursor.endOf(cursor.at);
  const isClosed = end - start > 2 && cursor.text.charCodeAt(end - 1) === QUOTE;
  const bodyEnd = isClosed ? end - 1 : end;
  const { value, origins } = decodeText(cursor.text, start + 2, bodyEnd, cursor.report);
  const text: FText =
    origins === undefined
      ? { value, originOf: index => start + 2 + index, isPlain: true }
      : { value, originOf: index => origins[index] ?? bodyEnd, isPlain: false };
  const pieces: (FStringText | Expr)[] = [];
  let at = 0;
  while (at < value.length) {
    const hole = scanText(cursor, text, at, pieces);
    if (hole === value.length) break;
    const close = endOfHole(value, hole + 1);
    const span = { start: text.originOf(hole), end: text.originOf(Math.min(close + 1, value.length)) };
    if (close === value.length) {
      const problem =
        "unterminated interpolation expression: expected '}' (write \\\" for a quote inside the expression)";
      cursor.report.error('interpolation-malformed', span, problem);
      break;
    }
    pieces.push(parseHole(cursor, text, { start: hole + 1, end: close }, parseExpr));
    at = close + 1;
  }
  cursor.advance();
  return { kind: 'FStringExpr', start, end, pieces };
}

/** Adds the literal text from `from`, and returns the index of the `{` that ends it. */
function scanText(cursor: Cursor, text: FText, from: number, pieces: (FStringText | Expr)[]): number {
  const { value } = text;
  let at = from;
  for (; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code !== LBRACE && code !== RBRACE) continue;
    if (value.charCodeAt(at + 1) === code) {
      at += 1;
      continue;
    }
    if (code === LBRACE) break;
    const span = { start: text.originOf(at), end: text.originOf(at + 1) };
    cursor.report.error(
      'interpolation-malformed',
      span,
      "unexpected '}' in an f-string: write '}}' for a literal brace",
    );
  }
  if (at > from) {
    const start = text.originOf(from);
    const end = text.originOf(at);
    const literal = value.slice(from, at).replaceAll('{{', '{').replaceAll('}}', '}');
    pieces.push({ kind: 'FStringText', start, end, raw: cursor.text.slice(start, end), value: literal });
  }
  return at;
}

/** The index of the brace that closes the interpolation; skips braces in nested strings. */
function endOfHole(value: string, from: number): number {
  let depth = 1;
  let inString = false;
  for (let at = from; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (inString && code === BACKSLASH) at += 1;
    else if (code === QUOTE) inString = !inString;
    else if (!inString && code === LBRACE) depth += 1;
    else if (!inString && code === RBRACE) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return value.length;
}

function parseHole(cursor: Cursor, text: FText, hole: Span, parseExpr: (cursor: Cursor) => Expr): Expr {
  const from = text.originOf(hole.start);
  const to = text.originOf(hole.end);
  if (text.value.slice(hole.start, hole.end).trim() === '') {
    const message = 'expected an expression between the braces: write {{}} for literal braces';
    cursor.report.error('interpolation-malformed', { start: from - 1, end: to + 1 }, message);
    return { kind: 'BrokenExpr', start: from, end: to };
  }
  if (text.isPlain || to - from === hole.end - hole.start)
    return parseIn(cursor, cursor.text, { start: from, end: to }, cursor.report, parseExpr);
  // Escaped parts are parsed from the decoded text, and their findings are mapped to the source.
  const report = new SyntaxReport();
  try {
    return moved(parseIn(cursor, text.value, hole, report, parseExpr), text);
  } finally {
    // Parsing throws after an expression that is nested too deeply, which is one of the findings.
    for (const { code, span, message } of report.sorted()) cursor.report.error(code, movedSpan(span, text), message);
  }
}

function parseIn(
  outer: Cursor,
  source: string,
  { start, end }: Span,
  report: SyntaxReport,
  parseExpr: (cursor: Cursor) => Expr,
): Expr {
  const tokens = lex(source, report, start, end);
  for (const comment of tokens.comments)
    report.error('interpolation-malformed', comment, 'comments are not allowed inside an interpolation');
  const cursor = new Cursor(source, tokens, report, outer.parseBlock);
  cursor.depth = outer.depth;
  const expr = parseExpr(cursor);
  if (cursor.kind !== Tok.End)
    cursor.fail('interpolation-malformed', 'unexpected tokens after the interpolation expression');
  outer.height = Math.max(outer.height, cursor.height);
  release(tokens);
  return expr;
}

const movedSpan = ({ start, end }: Span, text: FText): Span => ({
  start: text.originOf(start),
  end: text.originOf(end),
});

/** A copy of a new tree with every offset moved. */
function moved<T>(node: T, text: FText): T {
  if (Array.isArray(node)) return node.map(child => moved(child, text)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node))
    copy[key] =
      (key === 'start' || key === 'end') && typeof value === 'number' ? text.originOf(value) : moved(value, text);
  // The same keys with values of the same types.
  return copy as T;
}
