import type {
  AmbientItem,
  AppDecl,
  ClassDecl,
  Decl,
  EnumDecl,
  ErrorDecl,
  ExternDecl,
  Field,
  FunctionDecl,
  ImportDecl,
  Invariant,
  Lifecycle,
  LifecycleItem,
  MethodDecl,
  RequiredMethod,
  StageDecl,
  SystemDecl,
  SystemMember,
  TestDecl,
  TestsDecl,
  TraitDecl,
  VariantDecl,
} from './ast/decl.ts';
import type { Name } from './ast/node.ts';
import type { Cursor } from './cursor.ts';
import { endLine, parseList, parseLooseList } from './parse-list.ts';
import {
  parseContracts,
  parseDeps,
  parseField,
  parseInvariant,
  parseLifecycleItem,
  parseMethod,
  parseNames,
  parseRequiredMethod,
  parseResult,
  parseTypeParams,
} from './parse-members.ts';
import { parseParam, parseString } from './parse-primary.ts';
import { parseBlock } from './parse-statement.ts';
import { parseType } from './parse-type.ts';
import { isAtOuterDeclaration, skipLine, skipToDeclaration } from './skip.ts';
import { Tok } from './token.ts';

/** The modifiers before the keyword of a declaration. */
interface Modifiers {
  readonly start: number;
  readonly isPub: boolean;
  readonly lifecycle: 'singleton' | Lifecycle;
}

const words = 'import, fn, class, trait, enum, error, extern fn, app, stage, system, test or tests';

export function parseDeclaration(cursor: Cursor): Decl {
  const start = cursor.start;
  cursor.ownerColumn = 0;
  if (cursor.kind === Tok.Import) return parseImport(cursor);
  const isPub = cursor.kind === Tok.Pub;
  const pub = cursor.tokenSpan();
  if (isPub) cursor.advance();
  let lifecycle: Modifiers['lifecycle'] = 'singleton';
  if (cursor.kind === Tok.Scoped || cursor.kind === Tok.Transient) {
    lifecycle = cursor.kind === Tok.Scoped ? 'scoped' : 'transient';
    cursor.advance();
    if (!cursor.is(Tok.Class))
      cursor.fail(
        'lifecycle-misplaced',
        `lifecycle modifiers are only allowed before a class, found ${cursor.describe()}`,
      );
  }
  const modifiers: Modifiers = { start, isPub, lifecycle };
  switch (cursor.kind) {
    case Tok.Fn:
      return parseFunction(cursor, modifiers);
    case Tok.Class:
      return parseClass(cursor, modifiers);
    case Tok.Trait:
      return parseTrait(cursor, modifiers);
    case Tok.Enum:
      return parseEnum(cursor, modifiers);
    case Tok.Error:
      return parseError(cursor, modifiers);
    case Tok.Extern:
      return parseExtern(cursor, modifiers);
    default:
  }
  const word = cursor.tokenText();
  const decl = parseUnexported(cursor, start);
  if (decl === undefined) return skipBroken(cursor, start, isPub);
  if (isPub) cursor.report.error('pub-misplaced', pub, `'${word}' cannot be pub: nothing outside the file uses it`);
  return decl;
}

function parseUnexported(cursor: Cursor, start: number): Decl | undefined {
  switch (cursor.kind) {
    case Tok.App:
      return parseApp(cursor, start);
    case Tok.Stage:
      return parseStage(cursor, start);
    case Tok.System:
      return parseSystem(cursor, start);
    case Tok.Test:
      return parseTest(cursor);
    case Tok.Tests:
      return parseTests(cursor, start);
    default:
      return undefined;
  }
}

function skipBroken(cursor: Cursor, start: number, isPub: boolean): Decl {
  const after = isPub ? " after 'pub'" : '';
  const code = cursor.kind === Tok.End ? 'end-of-file' : 'declaration-expected';
  const end = cursor.kind === Tok.End ? 'unexpected end of file: ' : '';
  cursor.fail(code, `${end}expected declaration${after} (${words}), found ${cursor.describe()}`);
  skipToDeclaration(cursor);
  return { kind: 'BrokenDecl', start, end: cursor.lastEnd };
}

function parseImport(cursor: Cursor): ImportDecl {
  const start = cursor.start;
  cursor.advance();
  const path: Name[] = [cursor.name('a module')];
  while (cursor.kind === Tok.Dot && !cursor.newline) {
    cursor.advance();
    path.push(cursor.name('a module'));
  }
  const alias = cursor.kind === Tok.As && !cursor.newline ? (cursor.advance(), cursor.name('an alias')) : undefined;
  const end = cursor.lastEnd;
  endLine(cursor, 'the import');
  return { kind: 'ImportDecl', start, end, id: undefined, path, alias };
}

function parseFunction(cursor: Cursor, { start, isPub }: Modifiers): FunctionDecl {
  cursor.ownerColumn = cursor.columnOf(cursor.at);
  cursor.advance();
  const name = cursor.name('a function');
  const typeParams = parseTypeParams(cursor);
  const params = cursor.expect(Tok.LParen, 'before the parameters')
    ? parseList(cursor, Tok.RParen, 'parameters', parseParam)
    : [];
  const result = parseResult(cursor);
  const contracts = parseContracts(cursor);
  const body = parseBlock(cursor);
  const end = cursor.lastEnd;
  return { kind: 'FunctionDecl', start, end, id: undefined, isPub, name, typeParams, params, result, contracts, body };
}

/** The members between braces. `parseOne` parses one, or returns undefined if none can start. */
function parseMembers<T>(cursor: Cursor, what: string, parseOne: (cursor: Cursor) => T | undefined): T[] {
  const members: T[] = [];
  if (!cursor.expect(Tok.LBrace, `to open the ${what}`)) return members;
  while (cursor.kind !== Tok.RBrace && cursor.kind !== Tok.End) {
    const at = cursor.at;
    const member = parseOne(cursor);
    if (member !== undefined) members.push(member);
    if (cursor.at !== at && member !== undefined) continue;
    if (isAtOuterDeclaration(cursor)) break;
    const isMut = cursor.kind === Tok.Mut;
    const message = isMut
      ? "a field needs no 'mut': remove it"
      : `expected a member of the ${what}, found ${cursor.describe()}`;
    cursor.fail('token-expected', message);
    skipLine(cursor);
    if (cursor.at === at) cursor.advance();
  }
  if (!cursor.eat(Tok.RBrace)) cursor.failExpected("'}'", `to close the ${what}`);
  return members;
}

function parseClass(cursor: Cursor, { start, isPub, lifecycle }: Modifiers): ClassDecl {
  cursor.advance();
  const name = cursor.name('a class');
  const typeParams = parseTypeParams(cursor);
  const uses = cursor.eat(Tok.Uses) ? parseNames(cursor, 'a class') : [];
  const deps = parseDeps(cursor);
  const impls = cursor.eat(Tok.Impl) ? parseNames(cursor, 'a trait') : [];
  const members = parseMembers<Field | MethodDecl | Invariant>(cursor, 'class', inner => {
    if (inner.kind === Tok.Fn) return parseMethod(inner, methodHere(inner), false);
    if (inner.kind === Tok.Invariant) return parseInvariant(inner);
    return inner.kind === Tok.Ident ? parseFieldLine(inner) : undefined;
  });
  const end = cursor.lastEnd;
  return {
    kind: 'ClassDecl',
    start,
    end,
    id: undefined,
    isPub,
    lifecycle,
    name,
    typeParams,
    uses,
    deps,
    impls,
    members,
  };
}

const methodHere = ({ start }: Cursor) => ({ start, isPub: false, isOverride: false });

/** A field ends with its line or with a comma. */
function parseFieldLine(cursor: Cursor): Field {
  const field = parseField(cursor);
  if (!cursor.eat(Tok.Comma)) endLine(cursor, 'the field');
  return field;
}

function parseTrait(cursor: Cursor, { start, isPub }: Modifiers): TraitDecl {
  cursor.advance();
  const name = cursor.name('a trait');
  const members = parseMembers(cursor, 'trait', inner =>
    inner.kind === Tok.Fn ? parseMethod(inner, methodHere(inner), true) : undefined,
  );
  return { kind: 'TraitDecl', start, end: cursor.lastEnd, id: undefined, isPub, name, members };
}

function parseEnum(cursor: Cursor, { start, isPub }: Modifiers): EnumDecl {
  cursor.advance();
  const name = cursor.name('an enum');
  const typeParams = parseTypeParams(cursor);
  const variants = parseMembers<VariantDecl>(cursor, 'enum', inner => {
    if (inner.kind !== Tok.Ident) return undefined;
    const variant = parseVariant(inner);
    if (inner.is(Tok.Comma)) {
      inner.fail('comma-misplaced', "unexpected ',' after the variant of an enum: remove it");
      inner.advance();
    }
    return variant;
  });
  return { kind: 'EnumDecl', start, end: cursor.lastEnd, id: undefined, isPub, name, typeParams, variants };
}

function parseVariant(cursor: Cursor): VariantDecl {
  const start = cursor.start;
  const name = cursor.name('a variant');
  const fields = cursor.eat(Tok.LBrace) ? parseLooseList(cursor, Tok.RBrace, 'fields', parseField) : undefined;
  return { kind: 'Variant', start, end: cursor.lastEnd, id: undefined, name, fields };
}

function parseError(cursor: Cursor, { start, isPub }: Modifiers): ErrorDecl {
  cursor.advance();
  const name = cursor.name('an error');
  const fields = cursor.expect(Tok.LBrace, 'with the fields of the error')
    ? parseLooseList(cursor, Tok.RBrace, 'fields', parseField)
    : [];
  return { kind: 'ErrorDecl', start, end: cursor.lastEnd, id: undefined, isPub, name, fields };
}

function parseExtern(cursor: Cursor, { start, isPub }: Modifiers): ExternDecl {
  cursor.advance();
  cursor.expect(Tok.Fn, "after 'extern' (only functions of the runtime can be extern, as in 'extern fn name()')");
  const name = cursor.name('a function');
  const params = cursor.expect(Tok.LParen, 'before the parameters')
    ? parseList(cursor, Tok.RParen, 'parameters', parseParam)
    : [];
  const result = cursor.atLineEnd ? undefined : parseType(cursor);
  const end = cursor.lastEnd;
  endLine(cursor, 'the extern function');
  return { kind: 'ExternDecl', start, end, id: undefined, isPub, name, params, result };
}

function parseAmbient(cursor: Cursor): AmbientItem {
  const start = cursor.start;
  cursor.advance();
  const name = cursor.name('a class');
  endLine(cursor, "'ambient'");
  return { kind: 'AmbientItem', start, end: Math.max(name.end, start + 7), name };
}

function parseApp(cursor: Cursor, start: number): AppDecl {
  cursor.advance();
  const name = cursor.name('an app');
  const deps = parseDeps(cursor);
  const members = parseMembers<AmbientItem | LifecycleItem | MethodDecl>(cursor, 'app', inner => {
    if (inner.kind === Tok.Fn) return parseMethod(inner, methodHere(inner), false);
    if (inner.kind === Tok.Ambient) return parseAmbient(inner);
    return inner.kind === Tok.Scoped || inner.kind === Tok.Transient ? parseLifecycleItem(inner) : undefined;
  });
  return { kind: 'AppDecl', start, end: cursor.lastEnd, id: undefined, name, deps, members };
}

function parseStage(cursor: Cursor, start: number): StageDecl {
  cursor.advance();
  const name = cursor.name('a stage');
  const parent = cursor.eat(Tok.Colon) ? cursor.name('a stage') : undefined;
  const deps = parseDeps(cursor);
  const members = parseMembers<StageDecl['members'][number]>(cursor, 'stage', parseStageMember);
  return { kind: 'StageDecl', start, end: cursor.lastEnd, id: undefined, name, parent, deps, members };
}

function parseStageMember(cursor: Cursor): AmbientItem | LifecycleItem | RequiredMethod | MethodDecl | undefined {
  if (cursor.kind === Tok.Ambient) return parseAmbient(cursor);
  if (cursor.kind === Tok.Scoped || cursor.kind === Tok.Transient) return parseLifecycleItem(cursor);
  const start = cursor.start;
  const isPub = cursor.eat(Tok.Pub);
  if (cursor.kind === Tok.Requires) {
    cursor.advance();
    if (cursor.is(Tok.Fn)) return parseRequiredMethod(cursor, start, isPub);
    cursor.failExpected("'fn'", "after 'requires' in a stage");
    skipLine(cursor);
    return undefined;
  }
  const isOverride = cursor.eat(Tok.Override);
  if (isOverride && cursor.kind === Tok.Pub) {
    cursor.fail('modifier-misplaced', "expected 'fn' after 'override', found keyword 'pub': write 'pub override fn'");
    cursor.advance();
  }
  return cursor.kind === Tok.Fn ? parseMethod(cursor, { start, isPub, isOverride }, false) : undefined;
}

function parseSystem(cursor: Cursor, start: number): SystemDecl {
  cursor.advance();
  const name = cursor.name('a system');
  const seen = new Set<string>();
  const members = parseMembers<SystemMember>(cursor, 'system', inner => {
    if (inner.kind !== Tok.Ident) return undefined;
    const from = inner.start;
    const deployment = inner.name('a deployment');
    if (seen.has(deployment.text))
      inner.report.error('system-member-duplicate', deployment, `duplicate system member '${deployment.text}'`);
    seen.add(deployment.text);
    inner.expect(Tok.Colon, 'and the module of the deployment');
    const module = inner.name('a module');
    if (inner.is(Tok.Comma)) {
      inner.fail('comma-misplaced', "unexpected ',' after the member of a system: remove it");
      inner.advance();
    }
    return { kind: 'SystemMember', start: from, end: module.end, id: undefined, name: deployment, module };
  });
  return { kind: 'SystemDecl', start, end: cursor.lastEnd, id: undefined, name, members };
}

function parseTest(cursor: Cursor): TestDecl {
  const start = cursor.start;
  cursor.ownerColumn = cursor.columnOf(cursor.at);
  cursor.advance();
  let title: TestDecl['title'] = {
    kind: 'StringExpr',
    start: cursor.lastEnd,
    end: cursor.lastEnd,
    raw: '""',
    value: '',
  };
  if (cursor.kind === Tok.String) title = parseString(cursor);
  else {
    cursor.fail('test-name-expected', `expected test name in quotes after 'test', found ${cursor.describe()}`);
    if (cursor.kind === Tok.FString || cursor.kind === Tok.Ident) cursor.advance();
  }
  const body = parseBlock(cursor);
  return { kind: 'TestDecl', start, end: cursor.lastEnd, id: undefined, title, body };
}

const strategies = ['Sequential', 'RoundRobin', 'Random', 'Exhaustive'];

function parseTests(cursor: Cursor, start: number): TestsDecl {
  cursor.advance();
  cursor.expect(Tok.LBracket, "after 'tests'");
  const isKey = cursor.kind === Tok.Ident && cursor.tokenText() === 'scheduler';
  if (!isKey) cursor.fail('scheduler-expected', `expected 'scheduler' in tests[…], found ${cursor.describe()}`);
  if (cursor.kind === Tok.Ident) cursor.advance();
  cursor.expect(Tok.Colon, "after 'scheduler'");
  const strategy = cursor.name('a strategy');
  if (strategy.text !== '' && !strategies.includes(strategy.text))
    cursor.report.error(
      'strategy-unknown',
      strategy,
      `unknown scheduler strategy '${strategy.text}': use one of ${strategies.join(', ')}`,
    );
  cursor.expect(Tok.RBracket, 'after the strategy');
  const tests = parseMembers<TestDecl>(cursor, 'tests', inner => {
    if (inner.kind === Tok.Test) return parseTest(inner);
    inner.fail('tests-only', `only 'test' blocks are allowed in tests[…], found ${inner.describe()}`);
    return undefined;
  });
  return { kind: 'TestsDecl', start, end: cursor.lastEnd, id: undefined, strategy, tests };
}
