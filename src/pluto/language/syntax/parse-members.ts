import type { Param } from './ast/code.ts';
import type {
  Contract,
  Dep,
  Field,
  Invariant,
  LifecycleItem,
  MethodDecl,
  Receiver,
  RequiredMethod,
  TypeParam,
} from './ast/decl.ts';
import type { Name } from './ast/node.ts';
import type { Type } from './ast/type.ts';
import type { Cursor } from './cursor.ts';
import { parseCondition, parseExpr } from './parse-expression.ts';
import { endLine, parseList } from './parse-list.ts';
import { parseParam } from './parse-primary.ts';
import { parseBlock } from './parse-statement.ts';
import { parseType } from './parse-type.ts';
import { startsDeclaration } from './skip.ts';
import { Tok } from './token.ts';

export function parseTypeParams(cursor: Cursor): readonly TypeParam[] {
  if (!cursor.eat(Tok.Lt)) return [];
  return parseList(cursor, Tok.Gt, 'type parameters', inner => {
    const start = inner.start;
    const name = inner.name('a type parameter');
    const bounds: Name[] = [];
    if (inner.eat(Tok.Colon)) {
      do bounds.push(inner.name('a trait'));
      while (inner.eat(Tok.Plus));
    }
    return { kind: 'TypeParam' as const, start, end: inner.lastEnd, name, bounds };
  });
}

/** `[name: Type, other: remote Type]`, if present. */
export function parseDeps(cursor: Cursor): readonly Dep[] {
  if (!cursor.eat(Tok.LBracket)) return [];
  return parseList(cursor, Tok.RBracket, 'dependencies', inner => {
    const start = inner.start;
    const name = inner.name('a dependency');
    inner.expect(Tok.Colon, 'and the type of the dependency');
    // `remote` is a name like any other, unless a type follows it.
    const isRemote =
      inner.kind === Tok.Ident && inner.tokenText() === 'remote' && inner.kindAt(inner.at + 1) === Tok.Ident;
    if (isRemote) inner.advance();
    const type = parseType(inner);
    return { kind: 'Dep' as const, start, end: inner.lastEnd, id: undefined, name, isRemote, type };
  });
}

/** Greedy and without a trailing comma: `uses A, B`. */
export function parseNames(cursor: Cursor, what: string): readonly Name[] {
  const names: Name[] = [];
  do names.push(cursor.name(what));
  while (cursor.eat(Tok.Comma));
  return names;
}

export function parseField(cursor: Cursor): Field {
  const start = cursor.start;
  const name = cursor.name('a field');
  if (name.text !== '') cursor.expect(Tok.Colon, `and a type after the field '${name.text}'`);
  const type = parseType(cursor);
  return { kind: 'Field', start, end: cursor.lastEnd, id: undefined, name, type };
}

export function parseInvariant(cursor: Cursor): Invariant {
  const start = cursor.start;
  cursor.advance();
  const condition = parseExpr(cursor);
  endLine(cursor, 'the invariant');
  return { kind: 'Invariant', start, end: condition.end, condition };
}

/** `requires condition`, any number of them. */
export function parseContracts(cursor: Cursor): readonly Contract[] {
  const contracts: Contract[] = [];
  // Old documents of the language have `ensures`.
  const isEnsures = (): boolean => cursor.kind === Tok.Ident && cursor.tokenText() === 'ensures';
  while ((cursor.kind === Tok.Requires && cursor.kindAt(cursor.at + 1) !== Tok.Fn) || isEnsures()) {
    const start = cursor.start;
    if (isEnsures())
      cursor.fail('token-expected', "'ensures' does not exist: write 'requires', or 'assert' in the body");
    cursor.advance();
    const condition = parseCondition(cursor);
    if (!cursor.is(Tok.LBrace)) endLine(cursor, 'the contract');
    contracts.push({ kind: 'Contract', start, end: condition.end, condition });
  }
  return contracts;
}

/** The result type before a body: everything up to the brace, also on the next line. */
export function parseResult(cursor: Cursor): Type | undefined {
  if (cursor.kind === Tok.LBrace || cursor.kind === Tok.Requires || cursor.kind === Tok.End) return undefined;
  if (cursor.newline && (startsDeclaration(cursor.kind) || cursor.kind === Tok.RBrace)) {
    const isFnType = cursor.kind === Tok.Fn && cursor.kindAt(cursor.at + 1) === Tok.LParen;
    if (!isFnType) return undefined;
  }
  return parseType(cursor);
}

export interface Signature {
  readonly receiver: Receiver | undefined;
  readonly params: readonly Param[];
}

/** `([mut] self, name: Type, …)` */
function parseSignature(cursor: Cursor): Signature {
  let receiver: Receiver | undefined;
  if (!cursor.expect(Tok.LParen, 'before the parameters')) return { receiver, params: [] };
  const items = parseList(cursor, Tok.RParen, 'parameters', inner =>
    inner.kind === Tok.Self || inner.kind === Tok.Mut ? parseReceiver(inner) : parseParam(inner),
  );
  const params: Param[] = [];
  for (const [index, item] of items.entries()) {
    if (item.kind === 'Param') params.push(item);
    else if (index === 0) receiver = item;
    else
      cursor.report.error(
        'receiver-misplaced',
        item,
        "expected identifier, found keyword 'self': 'self' must be the first parameter",
      );
  }
  return { receiver, params };
}

function parseReceiver(cursor: Cursor): Receiver {
  const start = cursor.start;
  const isMut = cursor.eat(Tok.Mut);
  if (!cursor.eat(Tok.Self)) {
    cursor.fail('receiver-expected', `expected 'self' after 'mut' in parameters, found ${cursor.describe()}`);
    if (cursor.kind === Tok.Ident) parseParam(cursor);
  }
  return { kind: 'Receiver', start, end: cursor.lastEnd, id: undefined, isMut };
}

export interface MethodModifiers {
  readonly start: number;
  readonly isPub: boolean;
  readonly isOverride: boolean;
}

/** Starts at `fn`. `mayLackBody`: in traits, where the line may end the method. */
export function parseMethod(cursor: Cursor, modifiers: MethodModifiers, mayLackBody: boolean): MethodDecl {
  const ownerColumn = cursor.ownerColumn;
  cursor.ownerColumn = cursor.columnOf(cursor.at);
  cursor.advance();
  const name = cursor.name('a method');
  const { receiver, params } = parseSignature(cursor);
  const endsAfterSignature = mayLackBody && (cursor.newline || cursor.kind === Tok.RBrace);
  const result = endsAfterSignature ? undefined : parseResult(cursor);
  if (result?.kind === 'StreamType')
    cursor.report.error(
      'method-stream',
      result,
      'generator methods are not supported: only functions may return a stream',
    );
  const contracts = parseContracts(cursor);
  const hasNoBody = mayLackBody && cursor.kind !== Tok.LBrace;
  const body = hasNoBody ? undefined : parseBlock(cursor);
  const end = cursor.lastEnd;
  if (hasNoBody) endLine(cursor, 'the method');
  cursor.ownerColumn = ownerColumn;
  return { kind: 'MethodDecl', end, id: undefined, ...modifiers, name, receiver, params, result, contracts, body };
}

/** From `fn` on, after `requires`. */
export function parseRequiredMethod(cursor: Cursor, start: number, isPub: boolean): RequiredMethod {
  cursor.advance();
  const name = cursor.name('a method');
  const { receiver, params } = parseSignature(cursor);
  const result = cursor.atLineEnd ? undefined : parseType(cursor);
  const end = cursor.lastEnd;
  endLine(cursor, 'the required method');
  return { kind: 'RequiredMethod', start, end, id: undefined, isPub, name, receiver, params, result };
}

/** `scoped Name` or `transient Name`. */
export function parseLifecycleItem(cursor: Cursor): LifecycleItem {
  const start = cursor.start;
  const lifecycle = cursor.kind === Tok.Scoped ? 'scoped' : 'transient';
  cursor.advance();
  const name = cursor.name('a class');
  endLine(cursor, `'${lifecycle}'`);
  return { kind: 'LifecycleItem', start, end: name.end, lifecycle, name };
}
