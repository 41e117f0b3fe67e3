import type { Block, ClosureExpr, Expr, FieldInit, IfExpr, MatchExpr, MatchExprArm, Param } from './ast/code.ts';
import type { Name } from './ast/node.ts';
import type { Type } from './ast/type.ts';
import type { Cursor } from './cursor.ts';
import { parseFString } from './parse-fstring.ts';
import { parseList, parseLooseList } from './parse-list.ts';
import { parsePattern } from './parse-path.ts';
import { afterTypeArgs, parseType, parseTypeArgs } from './parse-type.ts';
import { decodeText } from './string-text.ts';
import { Tok } from './token.ts';

export type ParseExpr = (cursor: Cursor) => Expr;

export function parsePrimary(cursor: Cursor, parseExpr: ParseExpr): Expr {
  const start = cursor.start;
  switch (cursor.kind) {
    case Tok.Ident:
      return parseIdent(cursor, parseExpr);
    case Tok.Int: {
      const raw = cursor.tokenText();
      cursor.advance();
      return { kind: 'IntExpr', start, end: cursor.lastEnd, raw };
    }
    case Tok.Float: {
      const raw = cursor.tokenText();
      cursor.advance();
      return { kind: 'FloatExpr', start, end: cursor.lastEnd, raw };
    }
    case Tok.String:
      return parseString(cursor);
    case Tok.FString:
      return parseFString(cursor, parseExpr);
    case Tok.True:
    case Tok.False: {
      const value = cursor.kind === Tok.True;
      cursor.advance();
      return { kind: 'BoolExpr', start, end: cursor.lastEnd, value };
    }
    case Tok.None:
      cursor.advance();
      return { kind: 'NoneExpr', start, end: cursor.lastEnd };
    case Tok.Self:
      cursor.advance();
      return { kind: 'SelfExpr', start, end: cursor.lastEnd };
    case Tok.LBracket: {
      cursor.advance();
      const elements = parseList(cursor, Tok.RBracket, 'array', parseExpr);
      return { kind: 'ListExpr', start, end: cursor.lastEnd, elements };
    }
    case Tok.LParen:
      return startsClosure(cursor) ? parseClosure(cursor, parseExpr) : parseGroup(cursor, parseExpr);
    case Tok.If:
      return parseIf(cursor, parseExpr);
    case Tok.Match:
      return parseMatch(cursor, parseExpr);
    case Tok.Spawn:
      return parseSpawn(cursor, parseExpr);
    default:
      return broken(cursor);
  }
}

function broken(cursor: Cursor): Expr {
  if (cursor.kind === Tok.End)
    cursor.fail('end-of-file', 'unexpected end of file: expected an expression, found end of file');
  else cursor.fail('expression-expected', `unexpected token ${cursor.describe()} in expression`);
  return { kind: 'BrokenExpr', start: cursor.lastEnd, end: cursor.lastEnd };
}

/** `raw` is the text from quote to quote; without the second one if the string has no end. */
export function parseString(cursor: Cursor): Extract<Expr, { kind: 'StringExpr' }> {
  const start = cursor.start;
  const end = cursor.endOf(cursor.at);
  const raw = cursor.text.slice(start, end);
  const isClosed = raw.length > 1 && raw.endsWith('"');
  const { value } = decodeText(cursor.text, start + 1, isClosed ? end - 1 : end, cursor.report);
  cursor.advance();
  return { kind: 'StringExpr', start, end, raw, value };
}

function parseIdent(cursor: Cursor, parseExpr: ParseExpr): Expr {
  const { at, start } = cursor;
  const next = cursor.kindAt(at + 1);
  if (next === Tok.Lt) {
    const generic = parseGeneric(cursor, parseExpr);
    if (generic !== undefined) return generic;
  } else if (next === Tok.ColonColon) return parseStaticCall(cursor, parseExpr);
  const name = cursor.tokenText();
  cursor.advance();
  if (next !== Tok.LParen || cursor.newline) return { kind: 'IdentExpr', start, end: cursor.lastEnd, name };
  const callee: Name = { start, end: cursor.lastEnd, text: name };
  cursor.advance();
  const args = parseList(cursor, Tok.RParen, 'arguments', parseExpr);
  return { kind: 'CallExpr', start, end: cursor.lastEnd, name: callee, typeArgs: [], args };
}

/** A name with type arguments; the token after the closing angle distinguishes it from a comparison. */
function parseGeneric(cursor: Cursor, parseExpr: ParseExpr): Expr | undefined {
  const after = afterTypeArgs(cursor, cursor.at + 1);
  if (after < 0) return undefined;
  const follower = cursor.kindAt(after);
  const start = cursor.start;
  const word = cursor.tokenText();
  const isCollection = word === 'Map' || word === 'Set';
  if (follower === Tok.LBrace) {
    if (cursor.newlineAt(after)) return undefined;
    // `Map<…>` and `Set<…>` cannot be anything else, so they need no parentheses in a condition.
    if (!isCollection && (cursor.noRecord || !opensFields(cursor, after))) return undefined;
  } else if (follower !== Tok.LParen && follower !== Tok.Dot) return undefined;
  else if (follower === Tok.LParen && cursor.newlineAt(after)) return undefined;

  const name = cursor.name('a name');
  const typeArgs = parseTypeArgs(cursor);
  if (follower === Tok.LParen) {
    cursor.advance();
    const args = parseList(cursor, Tok.RParen, 'arguments', parseExpr);
    return { kind: 'CallExpr', start, end: cursor.lastEnd, name, typeArgs, args };
  }
  if (follower === Tok.LBrace && isCollection) return parseCollection(cursor, start, word, typeArgs, parseExpr);
  let path = [name];
  if (cursor.eat(Tok.Dot)) {
    const variant = cursor.name('a variant');
    if (cursor.kind !== Tok.LBrace || cursor.newline || cursor.noRecord)
      return { kind: 'VariantExpr', start, end: cursor.lastEnd, enumPath: path, typeArgs, variant };
    path = [name, variant];
  }
  cursor.advance();
  const fields = parseLooseList(cursor, Tok.RBrace, 'fields', inner => parseFieldInit(inner, parseExpr));
  return { kind: 'RecordExpr', start, end: cursor.lastEnd, path, typeArgs, typeArgsAfter: 1, fields };
}

/** Whether the brace at `index` starts `{ name: …` or is `{ }`. */
function opensFields(cursor: Cursor, index: number): boolean {
  const kind = cursor.kindAt(index + 1);
  return kind === Tok.RBrace || (kind === Tok.Ident && cursor.kindAt(index + 2) === Tok.Colon);
}

function parseCollection(
  cursor: Cursor,
  start: number,
  word: string,
  typeArgs: readonly Type[],
  parseExpr: ParseExpr,
): Expr {
  const wanted = word === 'Map' ? 2 : 1;
  const missing: Type = { kind: 'BrokenType', start: cursor.lastEnd, end: cursor.lastEnd };
  if (typeArgs.length !== wanted)
    cursor.fail(
      'type-arguments-count',
      wanted === 2
        ? 'wrong number of type arguments: a map has a key type and a value type, as in Map<string, int>'
        : 'wrong number of type arguments: a set has one element type, as in Set<string>',
    );
  cursor.advance();
  const [first = missing, second = missing] = typeArgs;
  if (word === 'Set') {
    const elements = parseLooseList(cursor, Tok.RBrace, 'set', parseExpr);
    return { kind: 'SetExpr', start, end: cursor.lastEnd, element: first, elements };
  }
  const entries = parseLooseList(cursor, Tok.RBrace, 'map', inner => {
    const from = inner.start;
    const key = parseExpr(inner);
    inner.expect(Tok.Colon, 'after the key');
    const value = parseExpr(inner);
    return { kind: 'MapEntry' as const, start: from, end: inner.lastEnd, key, value };
  });
  return { kind: 'MapExpr', start, end: cursor.lastEnd, key: first, value: second, entries };
}

export function parseFieldInit(cursor: Cursor, parseExpr: ParseExpr): FieldInit {
  const start = cursor.start;
  const name = cursor.name('a field');
  if (name.text === '') {
    const value: Expr = { kind: 'BrokenExpr', start, end: start };
    return { kind: 'FieldInit', start, end: cursor.lastEnd, name, value };
  }
  cursor.expect(Tok.Colon, `after the field '${name.text}'`);
  const value = parseExpr(cursor);
  return { kind: 'FieldInit', start, end: cursor.lastEnd, name, value };
}

function parseStaticCall(cursor: Cursor, parseExpr: ParseExpr): Expr {
  const start = cursor.start;
  const trait = cursor.name('a trait');
  cursor.advance();
  const method = cursor.name('a method of the trait');
  const typeArgs = cursor.kind === Tok.Lt ? parseTypeArgs(cursor) : [];
  if (typeArgs.length === 0) cursor.failExpected("'<'", 'with type arguments after the method of a trait');
  const hasArgs = cursor.kind === Tok.LParen || typeArgs.length > 0;
  const args =
    hasArgs && cursor.expect(Tok.LParen, 'before the arguments')
      ? parseList(cursor, Tok.RParen, 'arguments', parseExpr)
      : [];
  return { kind: 'StaticCallExpr', start, end: cursor.lastEnd, trait, method, typeArgs, args };
}

function parseGroup(cursor: Cursor, parseExpr: ParseExpr): Expr {
  const start = cursor.start;
  const noRecord = cursor.noRecord;
  cursor.noRecord = false;
  cursor.advance();
  const inner = parseExpr(cursor);
  cursor.expect(Tok.RParen, 'to close the parenthesis');
  cursor.noRecord = noRecord;
  return { kind: 'ParenExpr', start, end: cursor.lastEnd, inner };
}

/** `()` is not an expression and `name :` does not start one, so both can only be the parameters of a closure. */
function startsClosure(cursor: Cursor): boolean {
  const next = cursor.kindAt(cursor.at + 1);
  return next === Tok.RParen || (next === Tok.Ident && cursor.kindAt(cursor.at + 2) === Tok.Colon);
}

export function parseParam(cursor: Cursor): Param {
  if (cursor.kind === Tok.Mut && cursor.kindAt(cursor.at + 1) === Tok.Ident) {
    cursor.fail('name-expected', "a parameter cannot be 'mut': copy it into a variable with 'let mut'");
    cursor.advance();
  }
  const start = cursor.start;
  const name = cursor.name('a parameter');
  if (name.text !== '') cursor.expect(Tok.Colon, `and a type after the parameter '${name.text}'`);
  const type = parseType(cursor);
  return { kind: 'Param', start, end: cursor.lastEnd, id: undefined, name, type };
}

function parseClosure(cursor: Cursor, parseExpr: ParseExpr): ClosureExpr {
  const start = cursor.start;
  cursor.advance();
  const params = parseList(cursor, Tok.RParen, 'parameters', parseParam);
  const result = cursor.kind === Tok.FatArrow ? undefined : parseType(cursor);
  cursor.expect(Tok.FatArrow, 'before the body of the closure');
  const body: Block | Expr = cursor.kind === Tok.LBrace ? cursor.parseBlock(cursor) : parseExpr(cursor);
  return { kind: 'ClosureExpr', start, end: cursor.lastEnd, params, result, body };
}

/** Parses a condition, an iterable or a subject. Braces after a name in it start the body that follows, not a literal. */
export function parseWithoutRecord(cursor: Cursor, parseExpr: ParseExpr): Expr {
  const noRecord = cursor.noRecord;
  cursor.noRecord = true;
  const expr = parseExpr(cursor);
  cursor.noRecord = noRecord;
  return expr;
}

function parseIf(cursor: Cursor, parseExpr: ParseExpr): IfExpr {
  cursor.enter();
  const start = cursor.start;
  cursor.advance();
  const condition = parseWithoutRecord(cursor, parseExpr);
  const body = cursor.parseBlock(cursor);
  let otherwise: Block | IfExpr;
  if (cursor.eat(Tok.Else)) {
    otherwise = cursor.kind === Tok.If ? parseIf(cursor, parseExpr) : cursor.parseBlock(cursor);
  } else {
    cursor.failExpected("'else'", "after the block of an 'if' that is used as a value");
    otherwise = { kind: 'Block', start: cursor.lastEnd, end: cursor.lastEnd, stmts: [] };
  }
  cursor.grow();
  cursor.leave();
  return { kind: 'IfExpr', start, end: cursor.lastEnd, condition, body, otherwise };
}

function parseMatch(cursor: Cursor, parseExpr: ParseExpr): MatchExpr {
  const start = cursor.start;
  cursor.advance();
  const subject = parseWithoutRecord(cursor, parseExpr);
  if (!cursor.expect(Tok.LBrace, 'before the arms of the match'))
    return { kind: 'MatchExpr', start, end: cursor.lastEnd, subject, arms: [] };
  if (cursor.kind === Tok.RBrace) cursor.fail('match-arms-malformed', 'a match needs at least one arm');
  const arms = parseList(cursor, Tok.RBrace, 'match arms', inner => parseArm(inner, parseExpr));
  return { kind: 'MatchExpr', start, end: cursor.lastEnd, subject, arms };
}

function parseArm(cursor: Cursor, parseExpr: ParseExpr): MatchExprArm {
  const start = cursor.start;
  const pattern = parsePattern(cursor, true);
  cursor.expect(Tok.FatArrow, 'after the pattern of the arm');
  const value = parseExpr(cursor);
  return { kind: 'MatchExprArm', start, end: cursor.lastEnd, pattern, value };
}

function parseSpawn(cursor: Cursor, parseExpr: ParseExpr): Expr {
  const start = cursor.start;
  cursor.advance();
  const from = cursor.start;
  let call: Expr;
  if (cursor.eat(Tok.Self)) call = { kind: 'SelfExpr', start: from, end: cursor.lastEnd };
  else if (cursor.kind === Tok.Ident) {
    call = parseIdent(cursor, parseExpr);
  } else {
    cursor.fail('spawn-malformed', `expected '(' or '.' of a call after 'spawn', found ${cursor.describe()}`);
    call = { kind: 'BrokenExpr', start: cursor.lastEnd, end: cursor.lastEnd };
  }
  while (
    cursor.kind === Tok.Dot &&
    (call.kind === 'IdentExpr' || call.kind === 'SelfExpr' || call.kind === 'MemberExpr')
  ) {
    cursor.advance();
    const name = cursor.name('a method');
    if (cursor.is(Tok.LParen) && !cursor.newline) {
      cursor.advance();
      const args = parseList(cursor, Tok.RParen, 'arguments', parseExpr);
      call = { kind: 'MethodCallExpr', start: from, end: cursor.lastEnd, object: call, name, args };
    } else call = { kind: 'MemberExpr', start: from, end: cursor.lastEnd, object: call, name };
    cursor.grow();
  }
  if (call.kind !== 'CallExpr' && call.kind !== 'MethodCallExpr' && call.kind !== 'BrokenExpr')
    cursor.fail('spawn-malformed', `expected '(' or '.' of a call after 'spawn', found ${cursor.describe()}`);
  return { kind: 'SpawnExpr', start, end: cursor.lastEnd, call };
}
