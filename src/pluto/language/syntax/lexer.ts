import type { Comment } from './ast/decl.ts';
import { scanNumber } from './lex-number.ts';
import type { SyntaxReport } from './report.ts';
import { keywordOrIdent, Tok } from './token.ts';

/** Set in `Tokens.kinds` if a line ends before the token. */
export const NEWLINE_BEFORE = 0x80;

/**
 * The tokens of a text as parallel arrays, ending with one `Tok.End`; trivia is the text between them. A newline is a flag on the next
 * token instead of a token, because the grammar only asks whether there is one.
 */
export interface Tokens {
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  count: number;
  comments: Comment[];
  /** Whether a string without an end was found. Then no later string ends either, because every remaining quote is escaped. */
  hasOpenString: boolean;
}

const LF = 10;
const CR = 13;
const QUOTE = 34;
const SLASH = 47;
const BACKSLASH = 92;
const BOM = 0xfeff;

const IDENT_START = 1;
const IDENT_PART = 2;
const DIGIT = 4;
const traits = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
  const isDigit = code >= 48 && code <= 57;
  traits[code] = (isLetter ? IDENT_START | IDENT_PART : 0) | (isDigit ? DIGIT | IDENT_PART : 0);
}

/** The tokens of `text` from `from` to `to`, with offsets in the whole text. Every text has tokens. */
export function lex(text: string, report: SyntaxReport, from = 0, to = text.length): Tokens {
  const tokens = spare.pop() ?? noTokens(((to - from) >> 2) + 16);
  let at = from === 0 && text.charCodeAt(0) === BOM ? 1 : from;
  let newline = 0;
  while (at < to) {
    const code = text.charCodeAt(at);
    const kindOfCode = code < 128 ? (traits[code] ?? 0) : 0;
    if ((kindOfCode & IDENT_START) !== 0) {
      if (code === 102 && text.charCodeAt(at + 1) === QUOTE && at + 1 < to) {
        const end = scanString(tokens, text, at + 1, to, report);
        push(tokens, Tok.FString | newline, at, end);
        at = end;
      } else {
        let end = at + 1;
        while (end < to) {
          const part = text.charCodeAt(end);
          if (part > 127 || ((traits[part] ?? 0) & IDENT_PART) === 0) break;
          end += 1;
        }
        push(tokens, keywordOrIdent(text, at, end) | newline, at, end);
        at = end;
      }
      newline = 0;
    } else if (code === 32 || code === 9) {
      at += 1;
    } else if (code === LF) {
      newline = NEWLINE_BEFORE;
      at += 1;
    } else if ((kindOfCode & DIGIT) !== 0) {
      const { end, isFloat } = scanNumber(text, at, to, report);
      push(tokens, (isFloat ? Tok.Float : Tok.Int) | newline, at, end);
      newline = 0;
      at = end;
    } else if (code === QUOTE) {
      const end = scanString(tokens, text, at, to, report);
      push(tokens, Tok.String | newline, at, end);
      newline = 0;
      at = end;
    } else if (code === SLASH && text.charCodeAt(at + 1) === SLASH && at + 1 < to) {
      const end = endOfLine(text, at, to);
      tokens.comments.push({ start: at, end });
      at = end;
    } else if (code === CR && text.charCodeAt(at + 1) === LF && at + 1 < to) {
      newline = NEWLINE_BEFORE;
      at += 2;
    } else {
      const kind = punctuation(text, code, at, to);
      if (kind === 0) {
        // A lone CR was probably intended as a line end.
        if (code === CR) newline = NEWLINE_BEFORE;
        at = skipUnexpected(text, at, to, report);
      } else {
        const end = at + (kind >> 8);
        push(tokens, (kind & 0x7f) | newline, at, end);
        newline = 0;
        at = end;
      }
    }
  }
  push(tokens, Tok.End | newline, to, to);
  return tokens;
}

const noTokens = (capacity: number): Tokens => ({
  kinds: new Uint8Array(capacity),
  starts: new Int32Array(capacity),
  ends: new Int32Array(capacity),
  count: 0,
  comments: [],
  hasOpenString: false,
});

/** Unused arrays for reuse: for short texts, allocating them takes longer than filling them. */
const spare: Tokens[] = [];
/** Enough for one file, and for the nested texts inside its f-strings. */
const MAX_SPARE = 4;
const MAX_SPARE_TOKENS = 100_000;

/** Returns tokens for reuse when no reader is left; their comments stay valid. */
export function release(tokens: Tokens): void {
  if (spare.length === MAX_SPARE || tokens.kinds.length > MAX_SPARE_TOKENS) return;
  tokens.count = 0;
  tokens.comments = [];
  tokens.hasOpenString = false;
  spare.push(tokens);
}

function push(tokens: Tokens, kind: number, start: number, end: number): void {
  const at = tokens.count;
  if (at === tokens.kinds.length) grow(tokens);
  tokens.kinds[at] = kind;
  tokens.starts[at] = start;
  tokens.ends[at] = end;
  tokens.count = at + 1;
}

function grow(tokens: Tokens): void {
  const { kinds, starts, ends } = tokens;
  const capacity = kinds.length * 2;
  tokens.kinds = new Uint8Array(capacity);
  tokens.kinds.set(kinds);
  tokens.starts = new Int32Array(capacity);
  tokens.starts.set(starts);
  tokens.ends = new Int32Array(capacity);
  tokens.ends.set(ends);
}

/** The comment without its line end, including a `CR` before the `LF`. */
function endOfLine(text: string, at: number, to: number): number {
  // An interpolation ends before the text does, whose next line end may be far away.
  const index = to === text.length ? text.indexOf('\n', at) : text.slice(at, to).indexOf('\n');
  if (index < 0) return to;
  const end = to === text.length ? index : at + index;
  return text.charCodeAt(end - 1) === CR ? end - 1 : end;
}

/** The offset after the closing quote. A string without an end stops at the end of its line, so that the rest is still read. */
function scanString(tokens: Tokens, text: string, quote: number, to: number, report: SyntaxReport): number {
  for (let at = quote + 1; at < to && !tokens.hasOpenString; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  tokens.hasOpenString = true;
  const end = endOfLine(text, quote, to);
  report.error('string-unterminated', { start: quote, end }, `unexpected character '"': the string is never closed`);
  return end;
}

/** Reports adjacent characters that cannot start a token as one finding. */
function skipUnexpected(text: string, start: number, to: number, report: SyntaxReport): number {
  let end = start;
  while (end < to) {
    const code = text.charCodeAt(end);
    const isToken = code < 128 && ((traits[code] ?? 0) !== 0 || punctuation(text, code, end, to) !== 0);
    if (isToken || code === 32 || code === 9 || code === LF || code === QUOTE) break;
    if (code === CR && text.charCodeAt(end + 1) === LF) break;
    end += 1;
  }
  const first = String.fromCodePoint(text.codePointAt(start) ?? 0);
  const shown = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(first)
    ? `'${first}'`
    : `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const hint = HINTS[first] ?? '';
  report.error('unexpected-character', { start, end }, `unexpected character ${shown}${hint}`);
  return end;
}

/** The replacement of a character that other languages have. */
const HINTS: Readonly<Record<string, string>> = {
  ';': ': a statement ends at the end of its line',
  "'": ': write a string in double quotes',
  '`': ': write a string in double quotes, and an interpolated one as f"…"',
};

const one = (kind: number): number => kind | 0x100;
const two = (kind: number): number => kind | 0x200;

/** The kind, and the length from bit 8 on; 0 if there is no token. */
function punctuation(text: string, code: number, at: number, to: number): number {
  const next = at + 1 < to ? text.charCodeAt(at + 1) : 0;
  switch (code) {
    case 40:
      return one(Tok.LParen);
    case 41:
      return one(Tok.RParen);
    case 44:
      return one(Tok.Comma);
    case 58:
      return next === 58 ? two(Tok.ColonColon) : one(Tok.Colon);
    case 123:
      return one(Tok.LBrace);
    case 125:
      return one(Tok.RBrace);
    case 91:
      return one(Tok.LBracket);
    case 93:
      return one(Tok.RBracket);
    case 46:
      if (next !== 46) return one(Tok.Dot);
      return at + 2 < to && text.charCodeAt(at + 2) === 61 ? Tok.DotDotEq | 0x300 : two(Tok.DotDot);
    case 61:
      return next === 61 ? two(Tok.EqEq) : next === 62 ? two(Tok.FatArrow) : one(Tok.Assign);
    case 63:
      return one(Tok.Question);
    case 94:
      return one(Tok.Caret);
    case 126:
      return one(Tok.Tilde);
    default:
      return operator(code, next);
  }
}

function operator(code: number, next: number): number {
  switch (code) {
    case 43:
      return next === 43 ? two(Tok.PlusPlus) : next === 61 ? two(Tok.PlusAssign) : one(Tok.Plus);
    case 45:
      if (next === 62) return two(Tok.Arrow);
      return next === 45 ? two(Tok.MinusMinus) : next === 61 ? two(Tok.MinusAssign) : one(Tok.Minus);
    case 42:
      return next === 61 ? two(Tok.StarAssign) : one(Tok.Star);
    case 47:
      return next === 61 ? two(Tok.SlashAssign) : one(Tok.Slash);
    case 37:
      return next === 61 ? two(Tok.PercentAssign) : one(Tok.Percent);
    case 33:
      return next === 61 ? two(Tok.NotEq) : one(Tok.Bang);
    case 60:
      return next === 60 ? two(Tok.Shl) : next === 61 ? two(Tok.LtEq) : one(Tok.Lt);
    case 62:
      return next === 61 ? two(Tok.GtEq) : one(Tok.Gt);
    case 38:
      return next === 38 ? two(Tok.AndAnd) : one(Tok.And);
    case 124:
      return next === 124 ? two(Tok.OrOr) : one(Tok.Or);
    default:
      return 0;
  }
}
