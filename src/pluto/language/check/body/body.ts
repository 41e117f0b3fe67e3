import type { UseKind } from '../../refs/use.ts';
import type { Block, Expr, Stmt } from '../../syntax/ast/code.ts';
import type { DeclId, Name } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Type as TypeNode } from '../../syntax/ast/type.ts';
import type { CheckCode, RawDiagnostic } from '../report/check-codes.ts';
import { type CallSite, type EffectKey, isDispatched, taskKey } from '../effects/call-site.ts';
import { type Lifecycle, Lifecycles } from '../program/lifecycle.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { Program } from '../program/program.ts';
import { resolveType, type TypeScope } from '../program/resolve-type.ts';
import type { Signatures } from '../program/signatures.ts';
import { checkBoundsIn } from '../types/bounds.ts';
import { showType } from '../types/show.ts';
import { isCompatible } from '../types/relate.ts';
import type {
  ClassSymbol,
  DeclSymbol,
  EnumSymbol,
  ErrorSymbol,
  FunctionSymbol,
  TraitSymbol,
  Type,
  TypeParamSignature,
} from '../types/type.ts';
import { type Local, Locals } from './locals.ts';

/** A generic declaration with its type arguments. */
export interface GenericInstance {
  readonly symbol: FunctionSymbol | ClassSymbol;
  readonly args: readonly Type[];
}

/** A use of a member, resolved through the type of its object. */
export interface MemberUse {
  readonly kind: UseKind;
  readonly target: DeclId;
  /** Span of the name. */
  readonly start: number;
  readonly end: number;
  readonly siteStart: number;
  readonly siteEnd: number;
}

/** The function or closure around the statements being checked. */
export interface Frame {
  /** Undefined in a closure without a result type until its first `return`. */
  result: Type | undefined;
  readonly isClosure: boolean;
  /** The element type of a generator. */
  readonly yields: Type | undefined;
  /** Number of loops around the statement that is being checked, inside the frame. */
  loops: number;
  /** Spans of `?` operators, which return `none` from the function. */
  readonly nullExits: Span[];
  /** For a closure, the outermost scope block level whose bindings it captures; 0 for none. */
  taint: number;
  /** Number of scopes around the frame. */
  readonly level: number;
}

/** Receives facts about a body while it is checked. */
export interface BodyObserver {
  /** The type of an expression, and the variable that it names. */
  type(expr: Expr, type: Type, local: Local | undefined): void;
  /** The type arguments of a call of a generic function. @param at offset of the name of the function */
  typeArgs(at: number, args: readonly Type[]): void;
}

/** Input for checking one body. */
export interface BodyContext {
  readonly program: Program;
  readonly signatures: Signatures;
  readonly file: ProgramFile;
  /** The type of `self`; undefined outside of methods. */
  readonly self: Type | undefined;
  /** Whether the receiver is `mut`; undefined where mutability is not checked. */
  readonly isSelfMut: boolean | undefined;
  readonly typeParams: ReadonlyMap<string, Type>;
  /** Names of the ambient dependencies. Variables with these names are fields of `self`. */
  readonly ambients: ReadonlySet<string>;
  /** The declaration that contains the body. */
  readonly symbol: DeclSymbol;
  /** Receives what queries and the back end ask about the body. */
  readonly observer: BodyObserver | undefined;
}

/** The mutually recursive parts of the body checker. */
export interface BodyRules {
  expr(body: Body, expr: Expr, expected: Type | undefined): Type;
  stmt(body: Body, stmt: Stmt): void;
}

/** State and results of checking one body. */
export class Body {
  readonly context: BodyContext;
  readonly diagnostics: RawDiagnostic[] = [];
  readonly uses: MemberUse[] = [];
  /** Uses of ambient dependencies as variables, with the class that each is named after. */
  readonly ambients: { readonly target: DeclId; readonly start: number; readonly end: number }[] = [];
  readonly sites: CallSite[] = [];
  readonly raises: ErrorSymbol[] = [];
  readonly instances: GenericInstance[] = [];
  /** The bodies that spawned tasks run, by task type. */
  readonly spawns: { readonly task: EffectKey; readonly runs: EffectKey }[] = [];
  /** Classes whose instances `serve` offers to other processes. */
  readonly serves: ClassSymbol[] = [];
  readonly locals = new Locals();
  readonly scope: TypeScope;
  frame: Frame;
  closures = 0;
  /** Levels of the enclosing scope blocks. */
  readonly scopeBlocks: number[] = [];
  /** Whether the arguments of a spawned call are being checked. */
  isInSpawn = false;
  /** Whether the condition of a contract is being checked. */
  isContract = false;
  /** Scope block levels captured by the closures checked so far. */
  taints: Map<Expr, number> | undefined;
  /** Number of reads of scope block bindings. */
  scopeReads = 0;
  /** The body that the most recent `spawn` runs. */
  lastSpawn: EffectKey | undefined;
  /** How the errors of the next call are handled. */
  #handling: Handling = BARE;
  readonly #rules: BodyRules;
  #lifecycles: Lifecycles | undefined;
  /** Whether `self` must not be mutated here. */
  readonly isSelfImmutable: boolean;

  constructor(context: BodyContext, rules: BodyRules, result: Type | undefined) {
    this.context = context;
    this.#rules = rules;
    this.isSelfImmutable = context.isSelfMut === false;
    const { program, file, typeParams } = context;
    this.scope = { program, file, typeParams };
    const yields = result?.kind === 'stream' ? result.element : undefined;
    this.frame = { result, isClosure: false, yields, loops: 0, nullExits: [], taint: 0, level: 0 };
  }

  report(code: CheckCode, { start, end }: Span, message: string): void {
    this.diagnostics.push({ severity: 'error', code, message, start, end });
  }

  warn(code: CheckCode, { start, end }: Span, message: string): void {
    this.diagnostics.push({ severity: 'warning', code, message, start, end });
  }

  hint(code: CheckCode, { start, end }: Span, message: string): void {
    this.diagnostics.push({ severity: 'hint', code, message, start, end });
  }

  expr(expr: Expr, expected?: Type): Type {
    return this.#rules.expr(this, expr, expected);
  }

  /** Checks the condition of `requires` or `invariant`. */
  contract(condition: Expr): Type {
    this.isContract = true;
    const type = this.expr(condition);
    this.isContract = false;
    return type;
  }

  stmt(stmt: Stmt): void {
    this.#rules.stmt(this, stmt);
  }

  block({ stmts }: Block): void {
    const before = this.locals.enter();
    for (const stmt of stmts) this.#rules.stmt(this, stmt);
    this.#leave(before);
  }

  /** Runs `inside` in a new scope. */
  scoped<T>(inside: () => T): T {
    const before = this.locals.enter();
    const value = inside();
    this.#leave(before);
    return value;
  }

  type(node: TypeNode): Type {
    const type = resolveType(this.scope, node, this);
    checkBoundsIn(this, type, node);
    return type;
  }

  /** Resolves a type without reporting problems, for types that are checked elsewhere. */
  typeWithoutReport(node: TypeNode): Type {
    return resolveType(this.scope, node);
  }

  isCompatible(actual: Type, expected: Type): boolean {
    return isCompatible(actual, expected, this);
  }

  traitsOf(symbol: ClassSymbol): readonly TraitSymbol[] {
    return this.context.signatures.class(symbol).impls;
  }

  lifecycleOf(symbol: ClassSymbol): Lifecycle {
    this.#lifecycles ??= Lifecycles.overridden(this.context.program, this.context.signatures);
    return this.#lifecycles.of(symbol);
  }

  typeParamsOf(symbol: ClassSymbol | EnumSymbol): readonly TypeParamSignature[] {
    const { signatures } = this.context;
    return (symbol.kind === 'ClassDecl' ? signatures.class(symbol) : signatures.enum(symbol)).typeParams;
  }

  /** Checks `expr` against an expected type; `mismatch` builds the message. */
  checkExpr(expr: Expr, expected: Type, code: CheckCode, mismatch: (expected: string, found: string) => string): Type {
    const type = this.expr(expr, expected);
    if (!this.isCompatible(type, expected)) this.report(code, expr, mismatch(showType(expected), showType(type)));
    return type;
  }

  use(kind: UseKind, target: DeclId, name: Span, site: Span): void {
    this.uses.push({ kind, target, start: name.start, end: name.end, siteStart: site.start, siteEnd: site.end });
  }

  /** Declares a variable. Reports a name that another visible variable of the function has. */
  declare(local: Pick<Local, 'name' | 'span' | 'type' | 'origin' | 'isImmutable'>): Local {
    const { name, span } = local;
    const known = name === '' ? undefined : this.locals.find(name);
    if (known !== undefined) {
      // One finding is enough: a variable that another one hides is often unused too.
      known.isRead = true;
      if (known.level === this.locals.level)
        this.report(
          'variable-redeclared',
          span,
          `variable '${name}' is already declared in this scope: rename one of them`,
        );
      else if (local.origin !== 'scope' || known.origin !== 'scope')
        this.report('variable-shadows', span, `variable '${name}' shadows an existing variable: rename one of them`);
    }
    const declared: Local = {
      ...local,
      level: this.locals.level,
      closure: this.closures,
      isRead: false,
      task: undefined,
      taint: 0,
    };
    this.locals.add(declared);
    return declared;
  }

  /** Reports a variable to the observer where its name is not an expression. */
  noteVariable({ text: name, start, end }: Name, local: Local): void {
    this.context.observer?.type({ kind: 'IdentExpr', name, start, end }, local.type, local);
  }

  /** Records what a task runs, so that `get()` on any task of this type can raise its errors. */
  recordSpawn(task: Type, runs: EffectKey): void {
    if (task.kind === 'task') this.spawns.push({ task: taskKey(task.element), runs });
    this.lastSpawn = isDispatched(runs) ? undefined : runs;
  }

  /** @returns a function that says whether a scope block binding has been read since */
  trackScopeReads(): () => boolean {
    const before = this.scopeReads;
    return () => this.scopeReads > before;
  }

  /** Sets how the errors of the next call are handled. */
  setHandling(handling: Handling): void {
    this.#handling = handling;
  }

  takeHandling(): Handling {
    const handling = this.#handling;
    this.#handling = BARE;
    return handling;
  }

  #leave(before: number): void {
    for (let index = before; index < this.locals.count; index += 1) {
      const local = this.locals.at(index);
      if (local?.origin === 'let' && !local.isRead && !local.name.startsWith('_') && local.name !== '')
        this.warn('variable-unused', local.span, `unused variable '${local.name}'`);
    }
    this.locals.leave(before);
  }
}

export interface Handling {
  readonly how: CallSite['how'];
  readonly covers: readonly ErrorSymbol[] | undefined;
}
const BARE: Handling = { how: 'bare', covers: undefined };
