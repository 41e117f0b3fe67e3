import type { Block } from './ast/code.ts';
import type { Name } from './ast/node.ts';
import type { Tokens } from './lexer.ts';
import { NEWLINE_BEFORE } from './lexer.ts';
import type { SyntaxReport } from './report.ts';
import type { Span } from './ast/span.ts';
import type { SyntaxCode } from './syntax-codes.ts';
import { FIRST_KEYWORD, LAST_KEYWORD, nameOfToken, Tok } from './token.ts';

/** Maximum nesting of constructs. */
const MAX_DEPTH = 200;
/** Maximum height of a tree, in expressions and blocks: a long chain of operators also makes a high tree. */
export const MAX_HEIGHT = 1000;

/** Columns only matter at the start of lines; the limit keeps the search for a column short in a file with one line. */
const MAX_COLUMNS = 1000;

/** Thrown to abandon a declaration that is nested too deeply. The code that parses whole declarations and types catches it. */
export class NestingError extends Error {}

/** The functions of the statement parser that the expression parser needs. */
export type ParseBlock = (cursor: Cursor) => Block;

/** The position of the parser in the tokens, and its state. */
export class Cursor {
  readonly text: string;
  readonly tokens: Tokens;
  readonly report: SyntaxReport;
  readonly parseBlock: ParseBlock;
  /** Index of the current token. */
  at = 0;
  /** Kind of the current token. */
  kind: number = Tok.End;
  /** Whether a line ends before the current token. */
  newline = false;
  /** Whether braces after a name start a body instead of a literal: in conditions, iterables and subjects. */
  noRecord = false;
  /** Column (from 0) of the innermost function, method or test. Code that starts there or further left is outside of it. */
  ownerColumn = 0;
  depth = 0;
  /** Height of the nodes that were parsed since the enclosing construct began. */
  height = 0;
  /** Index of the token of the last error, so that one mistake causes one error. */
  #failedAt = -1;

  constructor(text: string, tokens: Tokens, report: SyntaxReport, parseBlock: ParseBlock) {
    this.text = text;
    this.tokens = tokens;
    this.report = report;
    this.parseBlock = parseBlock;
    this.goTo(0);
  }

  /** Start offset of the current token. */
  get start(): number {
    return this.startOf(this.at);
  }

  /** End offset of the previous token. */
  get lastEnd(): number {
    return this.at === 0 ? 0 : (this.tokens.ends[this.at - 1] ?? 0);
  }

  startOf(index: number): number {
    return index < this.tokens.count ? (this.tokens.starts[index] ?? 0) : 0;
  }

  endOf(index: number): number {
    return index < this.tokens.count ? (this.tokens.ends[index] ?? 0) : 0;
  }

  /** The kind of the token at an index; `Tok.End` for an index beyond the last token. */
  kindAt(index: number): number {
    return index < this.tokens.count ? (this.tokens.kinds[index] ?? 0) & 0x7f : Tok.End;
  }

  newlineAt(index: number): boolean {
    return index < this.tokens.count && ((this.tokens.kinds[index] ?? 0) & NEWLINE_BEFORE) !== 0;
  }

  goTo(index: number): void {
    this.at = index;
    const packed = this.tokens.kinds[index] ?? 0;
    this.kind = packed & 0x7f;
    this.newline = (packed & NEWLINE_BEFORE) !== 0;
  }

  /** Stays on the last token, which is the end. */
  advance(): void {
    if (this.kind !== Tok.End) this.goTo(this.at + 1);
  }

  /** `cursor.kind === kind`, in a form that the compiler does not narrow beyond the next `advance`. */
  is(kind: number): boolean {
    return this.kind === kind;
  }

  eat(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  /** Consumes a token of this kind, or reports that it was expected. @param where ends the message: `to open a block` */
  expect(kind: number, where: string): boolean {
    if (this.kind === kind) {
      this.advance();
      return true;
    }
    this.failExpected(nameOfToken(kind), where);
    return false;
  }

  failExpected(what: string, where: string): void {
    const code = this.kind === Tok.End ? 'end-of-file' : 'token-expected';
    const end = this.kind === Tok.End ? 'unexpected end of file: ' : '';
    this.fail(code, `${end}expected ${what}${where === '' ? '' : ` ${where}`}, found ${this.describe()}`);
  }

  /** Reports at the current token, unless it already has an error. */
  fail(code: SyntaxCode, message: string, span: Span = this.tokenSpan()): void {
    if (this.#failedAt === this.at) return;
    this.#failedAt = this.at;
    this.report.error(code, span, message);
  }

  get hasFailedHere(): boolean {
    return this.#failedAt === this.at;
  }

  tokenSpan(): Span {
    return { start: this.start, end: this.endOf(this.at) };
  }

  /** The current token for messages. */
  describe(): string {
    if (this.kind === Tok.End) return 'end of file';
    const raw = this.text.slice(this.start, Math.min(this.endOf(this.at), this.start + 24));
    if (this.kind >= FIRST_KEYWORD && this.kind <= LAST_KEYWORD) return `keyword '${raw}'`;
    if (this.kind === Tok.String || this.kind === Tok.FString) return nameOfToken(this.kind);
    return `'${raw}'`;
  }

  /** The text of the current token. */
  tokenText(): string {
    return this.text.slice(this.start, this.endOf(this.at));
  }

  /** Consumes a name; if there is none, reports that and returns an empty one. */
  name(what: string): Name {
    if (this.kind !== Tok.Ident) {
      const start = this.kind === Tok.End ? this.lastEnd : this.start;
      const isWord = this.kind >= FIRST_KEYWORD && this.kind <= LAST_KEYWORD;
      const why = isWord ? `: '${this.tokenText()}' is reserved` : '';
      if (this.kind === Tok.End)
        this.fail(
          'end-of-file',
          `unexpected end of file: expected identifier, found end of file (the name of ${what})`,
        );
      else this.fail('name-expected', `expected identifier, found ${this.describe()} (the name of ${what})${why}`);
      // A keyword instead of a name is consumed as a name, so that the rest of the line still parses.
      if (isWord && !this.newline && this.kindAt(this.at + 1) !== Tok.Ident) this.advance();
      return { start, end: start, text: '' };
    }
    const start = this.start;
    const end = this.endOf(this.at);
    this.advance();
    return { start, end, text: this.text.slice(start, end) };
  }

  /** Column, from 0, of a token; clamped to `MAX_COLUMNS`. */
  columnOf(index: number): number {
    const start = this.startOf(index);
    let column = 0;
    while (column < MAX_COLUMNS && column < start && this.text.charCodeAt(start - column - 1) !== 10) column += 1;
    return column;
  }

  /** Whether a statement or an item may end before the current token. */
  get atLineEnd(): boolean {
    return this.newline || this.kind === Tok.RBrace || this.kind === Tok.End;
  }

  enter(): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) this.tooDeep(`more than ${MAX_DEPTH} levels`);
  }

  leave(): void {
    this.depth -= 1;
  }

  /** Counts a node around everything that was parsed since the enclosing construct began. */
  grow(): void {
    this.height += 1;
    if (this.height > MAX_HEIGHT) this.tooDeep(`a chain of more than ${MAX_HEIGHT} parts`);
  }

  tooDeep(how: string): never {
    this.report.error(
      'nested-too-deeply',
      this.tokenSpan(),
      `nested too deeply (${how}): move parts into variables or functions`,
    );
    this.#failedAt = this.at;
    throw new NestingError();
  }
}
