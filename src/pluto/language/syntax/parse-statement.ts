import type { AssignOp, Block, Expr, FieldInit, IfStmt, MatchArm, ScopeBinding, Stmt } from './ast/code.ts';
import type { Type } from './ast/type.ts';
import { type Cursor, MAX_HEIGHT } from './cursor.ts';
import { parseCondition, parseExpr } from './parse-expression.ts';
import { endLine, parseList, parseLooseList } from './parse-list.ts';
import { parsePath, parsePattern } from './parse-path.ts';
import { parseFieldInit } from './parse-primary.ts';
import { parseSelect } from './parse-select.ts';
import { parseType } from './parse-type.ts';
import { isAtOuterDeclaration, skipLine, startsDeclaration } from './skip.ts';
import { Tok } from './token.ts';

export function parseBlock(cursor: Cursor): Block {
  const start = cursor.start;
  if (cursor.kind !== Tok.LBrace) {
    cursor.failExpected("'{'", 'to open a block');
    return { kind: 'Block', start: cursor.lastEnd, end: cursor.lastEnd, stmts: [] };
  }
  cursor.enter();
  const outer = cursor.height;
  const noRecord = cursor.noRecord;
  cursor.height = 0;
  cursor.noRecord = false;
  cursor.advance();
  const stmts: Stmt[] = [];
  while (!cursor.is(Tok.RBrace) && !cursor.is(Tok.End) && !isAtOuterDeclaration(cursor)) {
    const at = cursor.at;
    stmts.push(parseStatement(cursor));
    if (cursor.at === at) {
      const from = cursor.start;
      cursor.fail('expression-expected', `unexpected token ${cursor.describe()} in expression`);
      cursor.advance();
      skipLine(cursor);
      stmts.push({ kind: 'BrokenStmt', start: from, end: cursor.lastEnd });
    }
  }
  if (!cursor.eat(Tok.RBrace)) cursor.failExpected("'}'", 'to close the block');
  cursor.noRecord = noRecord;
  cursor.height = Math.max(outer, cursor.height + 1);
  if (cursor.height > MAX_HEIGHT) cursor.tooDeep(`more than ${MAX_HEIGHT} levels`);
  cursor.leave();
  return { kind: 'Block', start, end: cursor.lastEnd, stmts };
}

function parseStatement(cursor: Cursor): Stmt {
  const start = cursor.start;
  switch (cursor.kind) {
    case Tok.Let:
      return parseLet(cursor);
    case Tok.Return: {
      cursor.advance();
      const value = cursor.atLineEnd ? undefined : parseExpr(cursor);
      endLine(cursor, 'statement');
      return { kind: 'ReturnStmt', start, end: value?.end ?? start + 6, value };
    }
    case Tok.Yield: {
      cursor.advance();
      const value = parseExpr(cursor);
      endLine(cursor, 'statement');
      return { kind: 'YieldStmt', start, end: value.end, value };
    }
    case Tok.If:
      return parseIf(cursor);
    case Tok.While: {
      cursor.advance();
      const condition = parseCondition(cursor);
      const body = parseBlock(cursor);
      return { kind: 'WhileStmt', start, end: cursor.lastEnd, condition, body };
    }
    case Tok.For: {
      cursor.advance();
      const name = cursor.name('the loop variable');
      cursor.expect(Tok.In, 'after the loop variable');
      const iterable = parseCondition(cursor);
      const body = parseBlock(cursor);
      return { kind: 'ForStmt', start, end: cursor.lastEnd, name, iterable, body };
    }
    case Tok.Match:
      return parseMatch(cursor);
    case Tok.Select:
      return parseSelect(cursor, parseCondition, parseBlock);
    case Tok.Scope:
      return parseScope(cursor);
    case Tok.Raise:
      return parseRaise(cursor);
    case Tok.Assert: {
      cursor.advance();
      const condition = parseExpr(cursor);
      endLine(cursor, 'statement');
      return { kind: 'AssertStmt', start, end: condition.end, condition };
    }
    case Tok.Serve:
      return parseServe(cursor);
    case Tok.Break:
      cursor.advance();
      endLine(cursor, 'statement');
      return { kind: 'BreakStmt', start, end: start + 5 };
    case Tok.Continue:
      cursor.advance();
      endLine(cursor, 'statement');
      return { kind: 'ContinueStmt', start, end: start + 8 };
    default:
      return startsDeclaration(cursor.kind) ? skipDeclaration(cursor) : parseSimple(cursor);
  }
}

/** A declaration inside a body: reported once, and skipped. */
function skipDeclaration(cursor: Cursor): Stmt {
  const start = cursor.start;
  const word = cursor.tokenText();
  const hint = word === 'fn' ? ': write a closure as (x: int) => x' : '';
  cursor.fail(
    'declaration-in-block',
    `unexpected token '${word}' in expression: declarations are only allowed outside functions${hint}`,
  );
  // Skips the body of the declaration too: a line end inside its braces ends nothing.
  skipLine(cursor);
  return { kind: 'BrokenStmt', start, end: cursor.lastEnd };
}

const assignOps: ReadonlyMap<number, AssignOp> = new Map([
  [Tok.Assign, '='],
  [Tok.PlusAssign, '+='],
  [Tok.MinusAssign, '-='],
  [Tok.StarAssign, '*='],
  [Tok.SlashAssign, '/='],
  [Tok.PercentAssign, '%='],
]);

/** An assignment, a step, or an expression. */
function parseSimple(cursor: Cursor): Stmt {
  const start = cursor.start;
  const target = parseExpr(cursor);
  const { kind } = cursor;
  if (kind >= Tok.PlusAssign && kind <= Tok.Assign) {
    const op = assignOps.get(kind) ?? '=';
    checkTarget(cursor, target);
    cursor.advance();
    const value = parseExpr(cursor);
    endLine(cursor, 'statement');
    return { kind: 'AssignStmt', start, end: value.end, op, target, value };
  }
  if ((kind === Tok.PlusPlus || kind === Tok.MinusMinus) && !cursor.newline) {
    checkTarget(cursor, target);
    cursor.advance();
    const end = cursor.lastEnd;
    endLine(cursor, 'statement');
    return { kind: 'StepStmt', start, end, op: kind === Tok.PlusPlus ? '++' : '--', target };
  }
  endLine(cursor, 'statement');
  return { kind: 'ExprStmt', start, end: Math.max(start, target.end), expr: target };
}

function checkTarget(cursor: Cursor, target: Expr): void {
  const { kind } = target;
  if (kind === 'IdentExpr' || kind === 'MemberExpr' || kind === 'IndexExpr' || kind === 'BrokenExpr') return;
  cursor.fail(
    'assignment-target-invalid',
    'invalid assignment target: expected a variable, a field or an index',
    target,
  );
}

function parseLet(cursor: Cursor): Stmt {
  const start = cursor.start;
  cursor.advance();
  const isMut = cursor.eat(Tok.Mut);
  if (cursor.kind === Tok.LParen) return parseLetChan(cursor, start, isMut);
  const name = cursor.name('a variable');
  const type = cursor.eat(Tok.Colon) ? parseType(cursor) : undefined;
  if (!cursor.expect(Tok.Assign, name.text === '' ? '' : `and a value for '${name.text}'`)) {
    skipLine(cursor);
    const value: Expr = { kind: 'BrokenExpr', start: cursor.lastEnd, end: cursor.lastEnd };
    return { kind: 'LetStmt', start, end: cursor.lastEnd, isMut, name, type, value };
  }
  const value = parseExpr(cursor);
  endLine(cursor, 'statement');
  return { kind: 'LetStmt', start, end: Math.max(value.end, name.end), isMut, name, type, value };
}

function parseLetChan(cursor: Cursor, start: number, isMut: boolean): Stmt {
  cursor.advance();
  const sender = cursor.name('the sender');
  cursor.expect(Tok.Comma, 'after the sender');
  const receiver = cursor.name('the receiver');
  cursor.expect(Tok.RParen, 'after the receiver');
  cursor.expect(Tok.Assign, 'and chan<T>() for the two ends');
  let element: Type = { kind: 'BrokenType', start: cursor.lastEnd, end: cursor.lastEnd };
  let capacity: Expr | undefined;
  if (cursor.kind === Tok.Ident && cursor.tokenText() === 'chan' && cursor.kindAt(cursor.at + 1) === Tok.Lt) {
    cursor.advance();
    cursor.advance();
    element = parseType(cursor);
    cursor.expect(Tok.Gt, 'after the type of the channel');
    cursor.expect(Tok.LParen, 'of chan<T>()');
    if (!cursor.is(Tok.RParen)) capacity = parseExpr(cursor);
    cursor.expect(Tok.RParen, 'of chan<T>()');
  } else {
    cursor.fail('channel-expected', `expected \`chan<T>()\` for a pair of channel ends, found ${cursor.describe()}`);
    skipLine(cursor);
  }
  const end = cursor.lastEnd;
  endLine(cursor, 'statement');
  return { kind: 'LetChanStmt', start, end, isMut, sender, receiver, element, capacity };
}

function parseIf(cursor: Cursor): IfStmt {
  cursor.enter();
  const start = cursor.start;
  cursor.advance();
  const condition = parseCondition(cursor);
  const body = parseBlock(cursor);
  let otherwise: Block | IfStmt | undefined;
  if (cursor.eat(Tok.Else)) otherwise = cursor.kind === Tok.If ? parseIf(cursor) : parseBlock(cursor);
  cursor.grow();
  cursor.leave();
  return { kind: 'IfStmt', start, end: cursor.lastEnd, condition, body, otherwise };
}

function parseMatch(cursor: Cursor): Stmt {
  const start = cursor.start;
  cursor.advance();
  const subject = parseCondition(cursor);
  const arms: MatchArm[] = [];
  if (!cursor.expect(Tok.LBrace, 'before the arms of the match'))
    return { kind: 'MatchStmt', start, end: cursor.lastEnd, subject, arms };
  while (cursor.kind !== Tok.RBrace && cursor.kind !== Tok.End && !isAtOuterDeclaration(cursor)) {
    const { at, start: from } = cursor;
    if (cursor.kind === Tok.Comma) {
      cursor.fail('comma-misplaced', "unexpected ',' between the arms of a match statement: remove it");
      cursor.advance();
      continue;
    }
    const pattern = parsePattern(cursor, false);
    if (cursor.kind === Tok.FatArrow) {
      cursor.fail(
        'match-arms-malformed',
        "unexpected '=>': the arm of a match statement is a block, as in Shape.Circle { … }",
      );
      skipLine(cursor);
    } else if (cursor.at === at) {
      cursor.advance();
      skipLine(cursor);
    } else {
      const body = parseBlock(cursor);
      arms.push({ kind: 'MatchArm', start: from, end: cursor.lastEnd, pattern, body });
    }
  }
  cursor.expect(Tok.RBrace, 'to close the match');
  return { kind: 'MatchStmt', start, end: cursor.lastEnd, subject, arms };
}

function parseScope(cursor: Cursor): Stmt {
  const start = cursor.start;
  cursor.advance();
  const seeds = cursor.expect(Tok.LParen, "after 'scope'") ? parseList(cursor, Tok.RParen, 'seeds', parseExpr) : [];
  if (seeds.length === 0)
    cursor.fail('scope-malformed', 'a scope block needs at least one seed', { start, end: cursor.lastEnd });
  let bindings: ScopeBinding[] = [];
  if (cursor.kind === Tok.OrOr) {
    cursor.fail('scope-malformed', 'a scope block needs at least one binding: |name: Type|');
    cursor.advance();
  } else if (cursor.expect(Tok.Or, 'before the bindings of the scope block')) {
    if (cursor.kind === Tok.Or)
      cursor.fail('scope-malformed', 'a scope block needs at least one binding: |name: Type|');
    bindings = parseList(cursor, Tok.Or, 'bindings', inner => {
      const from = inner.start;
      const name = inner.name('a binding');
      inner.expect(Tok.Colon, 'and the class of the binding');
      const type = parseType(inner);
      return { kind: 'ScopeBinding' as const, start: from, end: inner.lastEnd, name, type };
    });
  }
  const body = parseBlock(cursor);
  return { kind: 'ScopeStmt', start, end: cursor.lastEnd, seeds, bindings, body };
}

function parseRaise(cursor: Cursor): Stmt {
  const start = cursor.start;
  cursor.advance();
  const error = parsePath(cursor, 'an error', 2);
  let fields: readonly FieldInit[] = [];
  if (cursor.expect(Tok.LBrace, 'with the fields of the error'))
    fields = parseLooseList(cursor, Tok.RBrace, 'fields', inner => parseFieldInit(inner, parseExpr));
  const end = cursor.lastEnd;
  endLine(cursor, 'statement');
  return { kind: 'RaiseStmt', start, end, error, fields };
}

/** `on` is an ordinary name everywhere else. */
function parseServe(cursor: Cursor): Stmt {
  const start = cursor.start;
  cursor.advance();
  const service = parseExpr(cursor);
  let port: Expr = { kind: 'BrokenExpr', start: cursor.lastEnd, end: cursor.lastEnd };
  if (cursor.kind === Tok.Ident && cursor.tokenText() === 'on') {
    cursor.advance();
    port = parseExpr(cursor);
  } else cursor.fail('serve-port-expected', `expected 'on <port>' after the service, found ${cursor.describe()}`);
  const end = cursor.lastEnd;
  endLine(cursor, 'statement');
  return { kind: 'ServeStmt', start, end, service, port };
}
