import fc from 'fast-check';
import type { Block, Expr, FieldInit, Param, Pattern, Stmt } from '../../../../src/pluto/language/syntax/ast/code.ts';
import type { Decl, Module } from '../../../../src/pluto/language/syntax/ast/decl.ts';
import type { Name } from '../../../../src/pluto/language/syntax/ast/node.ts';
import type { Type } from '../../../../src/pluto/language/syntax/ast/type.ts';

// Trees of the whole grammar. All offsets are zero, because the trees are generated, not parsed.
const at = { start: 0, end: 0 };
const none = { ...at, id: undefined };
type Loose = fc.Arbitrary<unknown>;
// The generators are loosely typed. A printed program that does not parse to the same shape fails the test.
const node = <T = unknown>(kind: string, parts: Record<string, Loose>): fc.Arbitrary<T> =>
  fc.record(parts).map(fields => ({ kind, ...at, ...fields }) as unknown as T);
const item = <T = unknown>(kind: string, parts: Record<string, Loose>): fc.Arbitrary<T> =>
  fc.record(parts).map(fields => ({ kind, ...none, ...fields }) as unknown as T);
const few = <T>(one: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<T[]> => fc.array(one, { minLength, maxLength: 2 });
const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined });

const word = fc.constantFrom('a', 'b2', '_c', 'total', 'on', 'remote', 'chan', 'scheduler', 'int', 'Point', 'Shape');
const name: fc.Arbitrary<Name> = word.map(text => ({ ...at, text }));
const path = (min: number, max: number): fc.Arbitrary<Name[]> => fc.array(name, { minLength: min, maxLength: max });
/** The maximum depth of trees. */
const depth = { maxDepth: 4, depthSize: 'small' as const, withCrossShrink: true };
const flat = { maxDepth: 1, depthSize: 'xsmall' as const, withCrossShrink: true };

const type: fc.Arbitrary<Type> = fc.letrec<{ type: Type; plain: Type }>(tie => ({
  plain: fc.oneof(
    flat,
    node<Type>('NamedType', { path: path(1, 2), args: fc.constant([]) }),
    node<Type>('NamedType', { path: path(1, 2), args: few(tie('type'), 1) }),
    node<Type>('ListType', { element: tie('type') }),
    node<Type>('FnType', { params: few(tie('type')), result: fc.constant(undefined) }),
  ),
  type: fc.oneof(
    flat,
    tie('plain'),
    node<Type>('NullableType', { inner: tie('plain') }),
    node<Type>('StreamType', { element: tie('type') }),
    node<Type>('FnType', { params: few(tie('type')), result: tie('type') }),
  ),
})).type;

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
  '"': '\\"',
  '\0': '\\0',
};

/** The raw text between the quotes. */
const encodeText = (value: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what must be escaped
  value.replace(/[\u0000-\u001f\u007f\\"]/g, char => {
    const short = escapes[char];
    return short ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });

const textValue = fc.string({
  unit: fc.constantFrom('x', ' ', '"', '\\', '\n', '\t', '{', '}', 'é', '😀', '\u0007', '/'),
  maxLength: 6,
});
const string = textValue.map(value => ({ kind: 'StringExpr' as const, ...at, raw: `"${encodeText(value)}"`, value }));
const int = fc
  .constantFrom('0', '7', '1_000', '0xFF', '0b1_0', '9223372036854775808')
  .map(raw => ({ kind: 'IntExpr' as const, ...at, raw }));
const float = fc.constantFrom('1.5', '2e10', '3.25e-7').map(raw => ({ kind: 'FloatExpr' as const, ...at, raw }));
const ident = word.map(text => ({ kind: 'IdentExpr' as const, ...at, name: text }));

const ops = ['*', '/', '%', '+', '-', '<<', '>>', '<', '>', '<=', '>=', '==', '!=', '&', '^', '|', '&&', '||'] as const;

interface Code {
  expr: Expr;
  leaf: Expr;
  init: FieldInit;
  block: Block;
  stmt: Stmt;
  call: Expr;
}

const param: fc.Arbitrary<Param> = item('Param', { name, type });
const bindings = few(
  node<NonNullable<Pattern['bindings']>[number]>('PatternBinding', { field: name, rename: maybe(name) }),
);
const pattern = (bound: fc.Arbitrary<unknown>): fc.Arbitrary<Pattern> =>
  node('Pattern', { path: path(2, 3), bindings: bound });

/** Texts and holes, without adjacent texts, which would parse as one. */
const pieces = (hole: Loose): Loose => {
  const text = textValue
    .filter(value => value !== '')
    .map(value => ({
      kind: 'FStringText',
      ...at,
      raw: encodeText(value.replaceAll('{', '{{').replaceAll('}', '}}')),
      value,
    }));
  return fc
    .array(fc.tuple(maybe<unknown>(text), hole), { maxLength: 2 })
    .chain(pairs =>
      maybe<unknown>(text).map((last): unknown[] => [...pairs.flat(), last].filter(piece => piece !== undefined)),
    );
};

const code = fc.letrec<Code>(tie => {
  const expr = tie('expr');
  const block = tie('block');
  const exprs = few(expr);
  const inits = few(tie('init'));
  const binary = fc
    .tuple(fc.constantFrom(...ops), expr, expr)
    .map(([op, left, right]) => ({ kind: 'BinaryExpr' as const, ...at, op, left, right }));
  const handler = fc.oneof(
    node('TypedHandler', { name, error: path(1, 2), body: block }),
    node('AnyHandler', { name, body: block }),
    node('ValueHandler', { value: expr }),
  );
  const record = fc.oneof(
    fc
      .record({ path: path(1, 3), typeArgs: fc.constant([]), fields: inits })
      .map(r => ({ ...r, typeArgsAfter: r.path.length })),
    fc.record({ path: path(1, 2), typeArgs: few(type, 1), typeArgsAfter: fc.constant(1), fields: inits }),
  );
  const e = (kind: string, parts: Record<string, Loose>): fc.Arbitrary<Expr> => node<Expr>(kind, parts);
  const s = (kind: string, parts: Record<string, Loose>): fc.Arbitrary<Stmt> => node<Stmt>(kind, parts);
  const ifExpr = fc.letrec<{ one: Expr }>(inner => ({
    one: e('IfExpr', {
      condition: expr,
      body: block,
      otherwise: fc.oneof(depth, block, inner('one')),
    }),
  })).one;
  const ifStmt = fc.letrec<{ one: Stmt }>(inner => ({
    one: s('IfStmt', {
      condition: expr,
      body: block,
      otherwise: fc.oneof(depth, maybe(block), inner('one')),
    }),
  })).one;
  const arm = node<unknown>('MatchArm', { pattern: pattern(maybe(bindings)), body: block });
  const valueArm = node<unknown>('MatchExprArm', { pattern: pattern(maybe(bindings)), value: expr });
  const method = (called: string, args: Loose): Loose =>
    e('MethodCallExpr', { object: ident, name: fc.constant({ ...at, text: called }), args });
  const selectArms = fc
    .tuple(
      few(
        fc.oneof(
          node<unknown>('RecvArm', { name, receive: method('recv', fc.constant([])), body: block }),
          node<unknown>('SendArm', { send: method('send', fc.tuple(expr)), body: block }),
        ),
        1,
      ),
      maybe(node<unknown>('DefaultArm', { body: block })),
    )
    .map(([arms, last]) => (last === undefined ? arms : [...arms, last]));
  const target = fc.oneof(
    ident as fc.Arbitrary<Expr>,
    e('MemberExpr', { object: expr, name }),
    e('IndexExpr', { object: expr, index: expr }),
  );
  return {
    leaf: fc.oneof(
      int,
      float,
      string,
      ident,
      e('BoolExpr', { value: fc.boolean() }),
      e('NoneExpr', {}),
      e('SelfExpr', {}),
    ),
    init: node<FieldInit>('FieldInit', { name, value: expr }),
    call: e('CallExpr', { name, typeArgs: fc.oneof(fc.constant([]), few(type, 1)), args: exprs }),
    expr: fc.oneof(
      depth,
      tie('leaf'),
      binary as fc.Arbitrary<Expr>,
      tie('call'),
      e('FStringExpr', { pieces: pieces(expr) }),
      e('ListExpr', { elements: exprs }),
      e('MapExpr', { key: type, value: type, entries: few(node('MapEntry', { key: expr, value: expr })) }),
      e('SetExpr', { element: type, elements: exprs }),
      record.map(r => ({ kind: 'RecordExpr', ...at, ...r }) as Expr),
      e('VariantExpr', { enumPath: path(1, 1), typeArgs: few(type, 1), variant: name }),
      e('ClosureExpr', { params: few(param), result: maybe(type), body: fc.oneof(block, expr) }),
      ifExpr,
      e('MatchExpr', { subject: expr, arms: few(valueArm, 1) }),
      e('SpawnExpr', { call: fc.oneof(tie('call'), e('MethodCallExpr', { object: ident, name, args: exprs })) }),
      e('StaticCallExpr', { trait: name, method: name, typeArgs: few(type, 1), args: exprs }),
      e('MemberExpr', { object: expr, name }),
      e('MethodCallExpr', { object: expr, name, args: exprs }),
      e('IndexExpr', { object: expr, index: expr }),
      e('PropagateExpr', { operand: expr }),
      e('NullPropagateExpr', { operand: expr }),
      e('CatchExpr', { operand: expr, handlers: few(handler, 1) }),
      e('CastExpr', { operand: expr, type }),
      e('UnaryExpr', { op: fc.constantFrom('-', '!', '~'), operand: expr }),
      e('RangeExpr', { from: expr, to: expr, isInclusive: fc.boolean() }),
    ) as fc.Arbitrary<Expr>,
    block: node<Block>('Block', { stmts: few(tie('stmt')) }),
    stmt: fc.oneof(
      depth,
      s('ExprStmt', { expr }),
      s('BreakStmt', {}),
      s('ContinueStmt', {}),
      s('LetStmt', { isMut: fc.boolean(), name, type: maybe(type), value: expr }),
      s('LetChanStmt', { isMut: fc.boolean(), sender: name, receiver: name, element: type, capacity: maybe(expr) }),
      s('ReturnStmt', { value: maybe(expr) }),
      s('YieldStmt', { value: expr }),
      ifStmt,
      s('WhileStmt', { condition: expr, body: block }),
      s('ForStmt', { name, iterable: expr, body: block }),
      s('MatchStmt', { subject: expr, arms: few(arm) }),
      s('SelectStmt', { arms: selectArms }),
      s('ScopeStmt', { seeds: few(expr, 1), bindings: few(node('ScopeBinding', { name, type }), 1), body: block }),
      s('RaiseStmt', { error: path(1, 2), fields: inits }),
      s('AssertStmt', { condition: expr }),
      s('ServeStmt', { service: expr, port: expr }),
      s('AssignStmt', { op: fc.constantFrom('=', '+=', '-=', '*=', '/=', '%='), target, value: expr }),
      s('StepStmt', { op: fc.constantFrom('++', '--'), target }),
    ),
  };
});

const block = code.block;

/** Expressions that contracts may contain. */
const fragment: fc.Arbitrary<Expr> = fc.letrec<{ one: Expr }>(tie => ({
  one: fc.oneof(
    depth,
    int as fc.Arbitrary<Expr>,
    ident,
    fc
      .tuple(fc.constantFrom(...ops), tie('one'), tie('one'))
      .map(([op, left, right]): Expr => ({ kind: 'BinaryExpr', ...at, op, left, right })),
    tie('one').map((object): Expr => ({
      kind: 'MethodCallExpr',
      ...at,
      object,
      name: { ...at, text: 'len' },
      args: [],
    })),
    fc.tuple(tie('one'), name).map(([object, member]): Expr => ({ kind: 'MemberExpr', ...at, object, name: member })),
  ),
})).one;

const field = item('Field', { name, type });
const deps = few(
  item('Dep', { name, isRemote: fc.boolean(), type: node('NamedType', { path: path(1, 1), args: fc.constant([]) }) }),
);
const typeParams = few(node('TypeParam', { name, bounds: few(name) }));
const contracts = few(node('Contract', { condition: fragment }));
const receiver = maybe(item('Receiver', { isMut: fc.boolean() }));
const result = maybe(type.filter(({ kind }) => kind !== 'StreamType'));
const no = fc.constant(false);
const method = (isPub: Loose, isOverride: Loose, body: Loose): Loose =>
  item('MethodDecl', { isPub, isOverride, name, receiver, params: few(param), result, contracts, body });
const ambient = node('AmbientItem', { name });
const lifecycleItem = node('LifecycleItem', { lifecycle: fc.constantFrom('scoped', 'transient'), name });
const ownMethod = method(no, no, block);

const d = (kind: string, parts: Record<string, Loose>): fc.Arbitrary<Decl> => item<Decl>(kind, parts);
const plain = fc.oneof(
  d('FunctionDecl', {
    isPub: fc.boolean(),
    name,
    typeParams,
    params: few(param),
    result: maybe(type),
    contracts,
    body: block,
  }),
  d('ClassDecl', {
    isPub: fc.boolean(),
    lifecycle: fc.constantFrom('singleton', 'scoped', 'transient'),
    name,
    typeParams,
    uses: few(name),
    deps,
    impls: few(name),
    members: few(fc.oneof(field, ownMethod, node('Invariant', { condition: fragment }))),
  }),
  d('TraitDecl', { isPub: fc.boolean(), name, members: few(method(no, no, maybe(block))) }),
  d('EnumDecl', {
    isPub: fc.boolean(),
    name,
    typeParams,
    variants: few(item('Variant', { name, fields: maybe(few(field)) })),
  }),
  d('ErrorDecl', { isPub: fc.boolean(), name, fields: few(field) }),
  d('ExternDecl', { isPub: fc.boolean(), name, params: few(param), result: maybe(type) }),
);
const app = d('AppDecl', { name, deps, members: few(fc.oneof(ambient, lifecycleItem, ownMethod)) });
const stage = d('StageDecl', {
  name,
  parent: maybe(name),
  deps,
  members: few(
    fc.oneof(
      ambient,
      lifecycleItem,
      item('RequiredMethod', { isPub: fc.boolean(), name, receiver, params: few(param), result }),
      method(fc.boolean(), fc.boolean(), block),
    ),
  ),
});
const system = fc.uniqueArray(word, { maxLength: 3 }).chain(words =>
  d('SystemDecl', {
    name,
    members: fc.tuple(...words.map(text => item('SystemMember', { name: fc.constant({ ...at, text }), module: name }))),
  }),
);
const titles = fc.uniqueArray(string, { maxLength: 2, selector: ({ value }) => value });
const tests = titles.chain(unique =>
  fc.tuple(...unique.map(title => d('TestDecl', { title: fc.constant(title), body: block }))),
);
const testsBlock = d('TestsDecl', {
  strategy: fc.constantFrom('Sequential', 'Random').map(text => ({ ...at, text })),
  tests,
});
const importDecl = d('ImportDecl', { path: path(1, 3), alias: maybe(name) });

/** Declarations that a file may contain at most once. */
const special = fc.oneof(
  fc.constant([] as Decl[]),
  app.map(one => [one]),
  few(stage),
  system.map(one => [one]),
  tests,
  testsBlock.map(one => [one]),
);

export const module: fc.Arbitrary<Module> = fc
  .tuple(few(importDecl), fc.array(plain, { maxLength: 3 }), special)
  .map(([imports, plainDecls, specials]) => ({
    kind: 'Module',
    ...at,
    items: [...imports, ...plainDecls, ...specials],
  }));
