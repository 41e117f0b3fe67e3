import type { Identified, Name, NodeOf } from './node.ts';
import type { Type } from './type.ts';

export interface Param extends NodeOf<'Param'>, Identified {
  readonly name: Name;
  readonly type: Type;
}

// --- Statements ---

export interface Block extends NodeOf<'Block'> {
  readonly stmts: readonly Stmt[];
}

export type Stmt =
  | LetStmt
  | LetChanStmt
  | ReturnStmt
  | YieldStmt
  | IfStmt
  | WhileStmt
  | ForStmt
  | MatchStmt
  | SelectStmt
  | ScopeStmt
  | RaiseStmt
  | AssertStmt
  | ServeStmt
  | BreakStmt
  | ContinueStmt
  | AssignStmt
  | StepStmt
  | ExprStmt
  | BrokenStmt;

export interface LetStmt extends NodeOf<'LetStmt'> {
  readonly isMut: boolean;
  readonly name: Name;
  readonly type: Type | undefined;
  readonly value: Expr;
}

/** `let (sender, receiver) = chan<T>(capacity)` */
export interface LetChanStmt extends NodeOf<'LetChanStmt'> {
  readonly isMut: boolean;
  readonly sender: Name;
  readonly receiver: Name;
  readonly element: Type;
  readonly capacity: Expr | undefined;
}

export interface ReturnStmt extends NodeOf<'ReturnStmt'> {
  readonly value: Expr | undefined;
}

export interface YieldStmt extends NodeOf<'YieldStmt'> {
  readonly value: Expr;
}

export interface IfStmt extends NodeOf<'IfStmt'> {
  readonly condition: Expr;
  readonly body: Block;
  readonly otherwise: Block | IfStmt | undefined;
}

export interface WhileStmt extends NodeOf<'WhileStmt'> {
  readonly condition: Expr;
  readonly body: Block;
}

export interface ForStmt extends NodeOf<'ForStmt'> {
  readonly name: Name;
  readonly iterable: Expr;
  readonly body: Block;
}

export interface MatchStmt extends NodeOf<'MatchStmt'> {
  readonly subject: Expr;
  readonly arms: readonly MatchArm[];
}

export interface MatchArm extends NodeOf<'MatchArm'> {
  readonly pattern: Pattern;
  readonly body: Block;
}

/** `Enum.Variant { field, field: name }`, with an optional module before the enum. */
export interface Pattern extends NodeOf<'Pattern'> {
  readonly path: readonly Name[];
  /** Undefined without braces. */
  readonly bindings: readonly PatternBinding[] | undefined;
}

export interface PatternBinding extends NodeOf<'PatternBinding'> {
  readonly field: Name;
  /** The variable, if its name differs from the field. */
  readonly rename: Name | undefined;
}

export interface SelectStmt extends NodeOf<'SelectStmt'> {
  readonly arms: readonly (RecvArm | SendArm | DefaultArm)[];
}

/** `name = channel.recv() { … }`; `receive` is that whole call. */
export interface RecvArm extends NodeOf<'RecvArm'> {
  readonly name: Name;
  readonly receive: Expr;
  readonly body: Block;
}

/** `channel.send(value) { … }` */
export interface SendArm extends NodeOf<'SendArm'> {
  readonly send: Expr;
  readonly body: Block;
}

export interface DefaultArm extends NodeOf<'DefaultArm'> {
  readonly body: Block;
}

/** `scope(seeds) |name: Type, …| { … }` */
export interface ScopeStmt extends NodeOf<'ScopeStmt'> {
  readonly seeds: readonly Expr[];
  readonly bindings: readonly ScopeBinding[];
  readonly body: Block;
}

export interface ScopeBinding extends NodeOf<'ScopeBinding'> {
  readonly name: Name;
  readonly type: Type;
}

export interface RaiseStmt extends NodeOf<'RaiseStmt'> {
  /** One name, or two if qualified by a module. */
  readonly error: readonly Name[];
  readonly fields: readonly FieldInit[];
}

export interface AssertStmt extends NodeOf<'AssertStmt'> {
  readonly condition: Expr;
}

export interface ServeStmt extends NodeOf<'ServeStmt'> {
  readonly service: Expr;
  readonly port: Expr;
}

export interface BreakStmt extends NodeOf<'BreakStmt'> {}
export interface ContinueStmt extends NodeOf<'ContinueStmt'> {}

/** The operators that an assignment can contain. */
export type ArithmeticOp = '+' | '-' | '*' | '/' | '%';
export type AssignOp = '=' | `${ArithmeticOp}=`;

/** `target` is an `IdentExpr`, `MemberExpr` or `IndexExpr`, or the tree has an error. */
export interface AssignStmt extends NodeOf<'AssignStmt'> {
  readonly op: AssignOp;
  readonly target: Expr;
  readonly value: Expr;
}

export interface StepStmt extends NodeOf<'StepStmt'> {
  readonly op: '++' | '--';
  readonly target: Expr;
}

export interface ExprStmt extends NodeOf<'ExprStmt'> {
  readonly expr: Expr;
}

export interface BrokenStmt extends NodeOf<'BrokenStmt'> {}

// --- Expressions ---

export type Expr =
  | IntExpr
  | FloatExpr
  | BoolExpr
  | NoneExpr
  | StringExpr
  | FStringExpr
  | IdentExpr
  | SelfExpr
  | ListExpr
  | MapExpr
  | SetExpr
  | RecordExpr
  | VariantExpr
  | ParenExpr
  | ClosureExpr
  | IfExpr
  | MatchExpr
  | SpawnExpr
  | CallExpr
  | StaticCallExpr
  | MemberExpr
  | MethodCallExpr
  | IndexExpr
  | PropagateExpr
  | NullPropagateExpr
  | CatchExpr
  | CastExpr
  | UnaryExpr
  | BinaryExpr
  | RangeExpr
  | BrokenExpr;

/** `raw` as written: `1_000`, `0xFF`; at most 2^63. */
export interface IntExpr extends NodeOf<'IntExpr'> {
  readonly raw: string;
}

export interface FloatExpr extends NodeOf<'FloatExpr'> {
  readonly raw: string;
}

export interface BoolExpr extends NodeOf<'BoolExpr'> {
  readonly value: boolean;
}

export interface NoneExpr extends NodeOf<'NoneExpr'> {}

/** `raw` with its quotes as written, `value` with the escapes decoded. */
export interface StringExpr extends NodeOf<'StringExpr'> {
  readonly raw: string;
  readonly value: string;
}

/** `f"…"`: the texts and interpolated expressions in source order. */
export interface FStringExpr extends NodeOf<'FStringExpr'> {
  readonly pieces: readonly (FStringText | Expr)[];
}

/** `raw` as written between the holes, `value` with escapes and doubled braces decoded. */
export interface FStringText extends NodeOf<'FStringText'> {
  readonly raw: string;
  readonly value: string;
}

export interface IdentExpr extends NodeOf<'IdentExpr'> {
  readonly name: string;
}

export interface SelfExpr extends NodeOf<'SelfExpr'> {}

export interface ListExpr extends NodeOf<'ListExpr'> {
  readonly elements: readonly Expr[];
}

/** `Map<K, V> { key: value }` */
export interface MapExpr extends NodeOf<'MapExpr'> {
  readonly key: Type;
  readonly value: Type;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry extends NodeOf<'MapEntry'> {
  readonly key: Expr;
  readonly value: Expr;
}

/** `Set<T> { element }` */
export interface SetExpr extends NodeOf<'SetExpr'> {
  readonly element: Type;
  readonly elements: readonly Expr[];
}

/**
 * Braces with named fields after a path: `Point { … }`, `geo.Point { … }`, `Shape.Circle { … }`, `Box<int> { … }`, `Option<int>.Some { …
 * }`. Name resolution decides whether it creates a class or a variant.
 */
export interface RecordExpr extends NodeOf<'RecordExpr'> {
  readonly path: readonly Name[];
  readonly typeArgs: readonly Type[];
  /** Number of names of `path` before the type arguments. */
  readonly typeArgsAfter: number;
  readonly fields: readonly FieldInit[];
}

/** `Option<int>.None`; without type arguments a variant without fields is a `MemberExpr`. */
export interface VariantExpr extends NodeOf<'VariantExpr'> {
  readonly enumPath: readonly Name[];
  readonly typeArgs: readonly Type[];
  readonly variant: Name;
}

export interface FieldInit extends NodeOf<'FieldInit'> {
  readonly name: Name;
  readonly value: Expr;
}

/** Grouping without a meaning: skip it with `withoutParens`. */
export interface ParenExpr extends NodeOf<'ParenExpr'> {
  readonly inner: Expr;
}

export interface ClosureExpr extends NodeOf<'ClosureExpr'> {
  readonly params: readonly Param[];
  readonly result: Type | undefined;
  readonly body: Block | Expr;
}

export interface IfExpr extends NodeOf<'IfExpr'> {
  readonly condition: Expr;
  readonly body: Block;
  readonly otherwise: Block | IfExpr;
}

export interface MatchExpr extends NodeOf<'MatchExpr'> {
  readonly subject: Expr;
  readonly arms: readonly MatchExprArm[];
}

export interface MatchExprArm extends NodeOf<'MatchExprArm'> {
  readonly pattern: Pattern;
  readonly value: Expr;
}

/** `call` is a `CallExpr`, or a `MethodCallExpr` on a path of names that may start with `self`. */
export interface SpawnExpr extends NodeOf<'SpawnExpr'> {
  readonly call: Expr;
}

/** `name(…)`, `name<T>(…)`. All other calls are methods: `MethodCallExpr`. */
export interface CallExpr extends NodeOf<'CallExpr'> {
  readonly name: Name;
  readonly typeArgs: readonly Type[];
  readonly args: readonly Expr[];
}

/** `Trait::method<T>(…)` */
export interface StaticCallExpr extends NodeOf<'StaticCallExpr'> {
  readonly trait: Name;
  readonly method: Name;
  readonly typeArgs: readonly Type[];
  readonly args: readonly Expr[];
}

/** A field, a variant, or an item of a module: `object` may be any of these. */
export interface MemberExpr extends NodeOf<'MemberExpr'> {
  readonly object: Expr;
  readonly name: Name;
}

/** A method of a value, or a function of a module when `object` is an `IdentExpr` that names an import. */
export interface MethodCallExpr extends NodeOf<'MethodCallExpr'> {
  readonly object: Expr;
  readonly name: Name;
  readonly args: readonly Expr[];
}

export interface IndexExpr extends NodeOf<'IndexExpr'> {
  readonly object: Expr;
  readonly index: Expr;
}

/** Postfix `!` */
export interface PropagateExpr extends NodeOf<'PropagateExpr'> {
  readonly operand: Expr;
}

/** Postfix `?` */
export interface NullPropagateExpr extends NodeOf<'NullPropagateExpr'> {
  readonly operand: Expr;
}

export interface CatchExpr extends NodeOf<'CatchExpr'> {
  readonly operand: Expr;
  readonly handlers: readonly (TypedHandler | AnyHandler | ValueHandler)[];
}

/** `catch name: Error { … }` */
export interface TypedHandler extends NodeOf<'TypedHandler'> {
  readonly name: Name;
  readonly error: readonly Name[];
  readonly body: Block;
}

/** `catch name { … }` */
export interface AnyHandler extends NodeOf<'AnyHandler'> {
  readonly name: Name;
  readonly body: Block;
}

/** `catch value` */
export interface ValueHandler extends NodeOf<'ValueHandler'> {
  readonly value: Expr;
}

export interface CastExpr extends NodeOf<'CastExpr'> {
  readonly operand: Expr;
  readonly type: Type;
}

export interface UnaryExpr extends NodeOf<'UnaryExpr'> {
  readonly op: '-' | '!' | '~';
  readonly operand: Expr;
}

export type BinaryOp =
  | ArithmeticOp
  | '<<'
  | '>>'
  | '<'
  | '>'
  | '<='
  | '>='
  | '=='
  | '!='
  | '&'
  | '^'
  | '|'
  | '&&'
  | '||';

export interface BinaryExpr extends NodeOf<'BinaryExpr'> {
  readonly op: BinaryOp;
  readonly left: Expr;
  readonly right: Expr;
}

/** `..` excludes, `..=` includes its end; binds less tightly than any other operator. */
export interface RangeExpr extends NodeOf<'RangeExpr'> {
  readonly from: Expr;
  readonly to: Expr;
  readonly isInclusive: boolean;
}

export interface BrokenExpr extends NodeOf<'BrokenExpr'> {}

const arithmeticOps: Readonly<Record<Exclude<AssignOp, '='>, ArithmeticOp>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
};

/** The operator in a compound assignment: `+` of `+=`; undefined for `=`. */
export const operatorIn = (op: AssignOp): ArithmeticOp | undefined => (op === '=' ? undefined : arithmeticOps[op]);

/** The names of `a`, `a.b` or `a.b.c`; undefined for any other expression. */
export function dottedPath(expr: Expr): Name[] | undefined {
  const path: Name[] = [];
  let inner = expr;
  while (inner.kind === 'MemberExpr') {
    path.push(inner.name);
    inner = inner.object;
  }
  if (inner.kind !== 'IdentExpr' || path.length > 2) return undefined;
  path.push({ start: inner.start, end: inner.end, text: inner.name });
  return path.reverse();
}

export function withoutParens(expr: Expr): Expr {
  let inner = expr;
  while (inner.kind === 'ParenExpr') inner = inner.inner;
  return inner;
}
