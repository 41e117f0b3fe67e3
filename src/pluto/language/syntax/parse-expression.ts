import type {
  AnyHandler,
  BinaryExpr,
  BinaryOp,
  CatchExpr,
  Expr,
  RecordExpr,
  TypedHandler,
  ValueHandler,
} from './ast/code.ts';
import { dottedPath } from './ast/code.ts';
import { BINARY_LEVELS } from './binary-levels.ts';
import type { Cursor } from './cursor.ts';
import { parseList, parseLooseList } from './parse-list.ts';
import { parsePath } from './parse-path.ts';
import { type ParseExpr, parseFieldInit, parsePrimary, parseWithoutRecord } from './parse-primary.ts';
import { parseType } from './parse-type.ts';
import { Tok } from './token.ts';

/** The tokens of the binary operators. `>>` has none: its two `>` may also close type arguments. */
const tokens: Readonly<Record<Exclude<BinaryOp, '>>'>, number>> = {
  '*': Tok.Star,
  '/': Tok.Slash,
  '%': Tok.Percent,
  '+': Tok.Plus,
  '-': Tok.Minus,
  '<<': Tok.Shl,
  '<': Tok.Lt,
  '>': Tok.Gt,
  '<=': Tok.LtEq,
  '>=': Tok.GtEq,
  '==': Tok.EqEq,
  '!=': Tok.NotEq,
  '&': Tok.And,
  '^': Tok.Caret,
  '|': Tok.Or,
  '&&': Tok.AndAnd,
  '||': Tok.OrOr,
};
const isWithToken = (op: string): op is keyof typeof tokens => Object.hasOwn(tokens, op);
/** Precedence of the binary operators by token; 0 for other tokens. */
const levels = new Uint8Array(128);
const ops: (BinaryOp | undefined)[] = [];
for (const op of Object.keys(tokens).filter(isWithToken)) {
  levels[tokens[op]] = BINARY_LEVELS[op];
  ops[tokens[op]] = op;
}

export const parseExpr: ParseExpr = cursor => {
  cursor.enter();
  const outer = cursor.height;
  cursor.height = 0;
  const start = cursor.start;
  let expr = parseBinary(cursor, 1);
  if (cursor.kind === Tok.DotDot || cursor.kind === Tok.DotDotEq) {
    const isInclusive = cursor.kind === Tok.DotDotEq;
    cursor.advance();
    const to = parseRight(cursor, 1);
    expr = { kind: 'RangeExpr', start, end: cursor.lastEnd, from: expr, to, isInclusive };
  }
  cursor.height = Math.max(outer, cursor.height + 1);
  cursor.leave();
  return expr;
};

export const parseCondition = (cursor: Cursor): Expr => parseWithoutRecord(cursor, parseExpr);

function parseBinary(cursor: Cursor, least: number): Expr {
  const start = cursor.start;
  let left = parseOperand(cursor);
  for (;;) {
    const kind = cursor.kind;
    let level = levels[kind] ?? 0;
    if (level === 0) return left;
    let op = ops[kind] ?? '+';
    const isShift = kind === Tok.Gt && cursor.kindAt(cursor.at + 1) === Tok.Gt && isAdjacent(cursor);
    if (isShift) {
      level = BINARY_LEVELS['>>'];
      op = '>>';
    }
    if (level < least) return left;
    cursor.advance();
    if (isShift) cursor.advance();
    const right = parseRight(cursor, level + 1);
    const node: BinaryExpr = { kind: 'BinaryExpr', start, end: cursor.lastEnd, op, left, right };
    left = node;
  }
}

const isAdjacent = (cursor: Cursor): boolean => cursor.endOf(cursor.at) === cursor.startOf(cursor.at + 1);

/** Parses the right side of an operator, and counts the node that joins both sides. */
function parseRight(cursor: Cursor, least: number): Expr {
  const left = cursor.height;
  cursor.height = 0;
  const right = parseBinary(cursor, least);
  cursor.height = Math.max(left, cursor.height);
  cursor.grow();
  return right;
}

/** A prefix operand and its casts: `-x as byte` casts `-x`. */
function parseOperand(cursor: Cursor): Expr {
  const start = cursor.start;
  let operand = parsePrefixed(cursor);
  while (cursor.kind === Tok.As && !cursor.newline) {
    cursor.advance();
    const type = parseType(cursor);
    cursor.grow();
    operand = parsePostfix(cursor, { kind: 'CastExpr', start, end: cursor.lastEnd, operand, type });
  }
  return operand;
}

function parsePrefixed(cursor: Cursor): Expr {
  const kind = cursor.kind;
  if (kind !== Tok.Minus && kind !== Tok.Bang && kind !== Tok.Tilde)
    return parsePostfix(cursor, parsePrimary(cursor, parseExpr));
  const start = cursor.start;
  cursor.enter();
  cursor.advance();
  const operand = parsePrefixed(cursor);
  cursor.leave();
  cursor.grow();
  const op = kind === Tok.Minus ? '-' : kind === Tok.Bang ? '!' : '~';
  return { kind: 'UnaryExpr', start, end: cursor.lastEnd, op, operand };
}

function parsePostfix(cursor: Cursor, operand: Expr): Expr {
  const start = operand.start;
  let expr = operand;
  for (;;) {
    switch (cursor.kind) {
      case Tok.Dot:
        expr = parseMember(cursor, expr);
        break;
      case Tok.LBracket: {
        cursor.advance();
        const index = parseInBrackets(cursor);
        cursor.expect(Tok.RBracket, 'after the index');
        expr = { kind: 'IndexExpr', start, end: cursor.lastEnd, object: expr, index };
        break;
      }
      case Tok.Question:
        if (cursor.newline) return expr;
        cursor.advance();
        expr = { kind: 'NullPropagateExpr', start, end: cursor.lastEnd, operand: expr };
        break;
      case Tok.Bang:
        if (cursor.newline) return expr;
        cursor.advance();
        expr = { kind: 'PropagateExpr', start, end: cursor.lastEnd, operand: expr };
        break;
      case Tok.Catch:
        if (cursor.newline) return expr;
        expr = parseCatch(cursor, expr);
        break;
      case Tok.LBrace: {
        const record = cursor.newline || cursor.noRecord ? undefined : parseRecord(cursor, expr);
        if (record === undefined) return expr;
        expr = record;
        break;
      }
      default:
        return expr;
    }
    cursor.grow();
  }
}

function parseInBrackets(cursor: Cursor): Expr {
  const noRecord = cursor.noRecord;
  cursor.noRecord = false;
  const expr = parseExpr(cursor);
  cursor.noRecord = noRecord;
  return expr;
}

function parseMember(cursor: Cursor, object: Expr): Expr {
  cursor.advance();
  const name = cursor.name('a member');
  if (cursor.kind !== Tok.LParen || cursor.newline)
    return { kind: 'MemberExpr', start: object.start, end: cursor.lastEnd, object, name };
  cursor.advance();
  const args = parseList(cursor, Tok.RParen, 'arguments', parseExpr);
  return { kind: 'MethodCallExpr', start: object.start, end: cursor.lastEnd, object, name, args };
}

/** Braces after a plain path are a literal; after anything else, they do not belong to the expression. */
function parseRecord(cursor: Cursor, expr: Expr): RecordExpr | undefined {
  const path = dottedPath(expr);
  if (path === undefined) return undefined;
  cursor.advance();
  const fields = parseLooseList(cursor, Tok.RBrace, 'fields', inner => parseFieldInit(inner, parseExpr));
  const typeArgsAfter = path.length;
  return { kind: 'RecordExpr', start: expr.start, end: cursor.lastEnd, path, typeArgs: [], typeArgsAfter, fields };
}

function parseCatch(cursor: Cursor, operand: Expr): CatchExpr {
  const handlers: (TypedHandler | AnyHandler | ValueHandler)[] = [];
  // The first handler starts on the line of the operand; the others may be on later lines.
  do handlers.push(parseHandler(cursor));
  while (cursor.kind === Tok.Catch);
  return { kind: 'CatchExpr', start: operand.start, end: cursor.lastEnd, operand, handlers };
}

function parseHandler(cursor: Cursor): TypedHandler | AnyHandler | ValueHandler {
  const start = cursor.start;
  cursor.advance();
  const next = cursor.kind === Tok.Ident ? cursor.kindAt(cursor.at + 1) : Tok.End;
  if (next === Tok.Colon) {
    const name = cursor.name('the error');
    cursor.advance();
    const error = parsePath(cursor, 'an error', 2);
    const body = cursor.parseBlock(cursor);
    return { kind: 'TypedHandler', start, end: cursor.lastEnd, name, error, body };
  }
  if (next === Tok.LBrace) {
    const name = cursor.name('the error');
    const body = cursor.parseBlock(cursor);
    return { kind: 'AnyHandler', start, end: cursor.lastEnd, name, body };
  }
  const value = parseExpr(cursor);
  return { kind: 'ValueHandler', start, end: cursor.lastEnd, value };
}
