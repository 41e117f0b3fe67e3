import type { Expr } from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import type { Type as TypeNode } from '../../../language/syntax/ast/type.ts';
import type { Span } from '../../../language/syntax/ast/span.ts';
import type { Callable, FunctionSymbol, Type } from '../../../language/check/types/type.ts';
import type { BodyFacts } from '../body-facts.ts';
import { type TypeCode, WasmCode } from './encoder.ts';
import { codeOf, elementOf, type Imported, importIndex, isScalar, type Kind, kindOf, type Scalar } from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** What one function needs from its program. */
export interface FunctionContext {
  readonly facts: BodyFacts;
  /** A function that a name refers to. */
  find(name: string): FunctionSymbol | undefined;
  /** A function of an imported module. */
  findIn(module: string, name: string): FunctionSymbol | undefined;
  callable(symbol: FunctionSymbol): Callable;
  type(node: TypeNode): Type;
  /** The index of a function. @throws Unsupported */
  functionIndex(symbol: FunctionSymbol): number;
  /** The index of a constant text. */
  text(text: string): number;
  /** The mark of a source place. */
  mark(offset: number): string;
}

export interface Variable {
  readonly index: number;
  readonly kind: Kind;
  /** Whether it is the variable of a loop, which nothing else changes. */
  readonly isCounter?: boolean;
  /** Variables with the length of the list, an int, and its array, in a loop that changes neither. */
  readonly read?: { readonly length: number; readonly items: number };
}

/** The labels of a loop. */
export interface Loop {
  readonly exit: number;
  readonly again: number;
}

type LowerExpr = (body: FunctionCode, expr: Expr, wanted: Kind | undefined) => Kind | undefined;

/** The WebAssembly of one function while it is lowered. */
export class FunctionCode {
  readonly context: FunctionContext;
  readonly code = new WasmCode();
  /** The types of all variables except parameters. */
  readonly locals: TypeCode[] = [];
  readonly result: Kind | undefined;
  readonly #lowerExpr: LowerExpr;
  /** By the offset of their declaration. */
  readonly #variables = new Map<number, Variable>();
  #count = 0;
  /** Number of open blocks. */
  #depth = 0;
  #mark = '';

  constructor(context: FunctionContext, lowerExpr: LowerExpr, result: Kind | undefined) {
    this.context = context;
    this.result = result;
    this.#lowerExpr = lowerExpr;
  }

  parameter(start: number, kind: Kind): void {
    this.#variables.set(start, { index: this.#count, kind });
    this.#count += 1;
  }

  /** A new variable that is declared at an offset. @returns its index */
  declare(start: number, kind: Kind, isCounter = false): number {
    const index = this.local(kind);
    this.#variables.set(start, { index, kind, isCounter });
    return index;
  }

  /** The kind of an expression. @throws Unsupported */
  kindOf(expr: Expr): Kind {
    return this.kindOfType(this.context.facts.typeOf(expr));
  }

  kindOfType(type: Type): Kind {
    return kindOf(type) ?? unsupported();
  }

  /** A new variable for a value of this kind. */
  local(kind: Kind | TypeCode): number {
    this.locals.push(typeof kind === 'string' ? codeOf(kind) : kind);
    this.#count += 1;
    return this.#count - 1;
  }

  /** The variable that is used at an offset. */
  variable({ start }: Span): Variable {
    const declared = this.context.facts.localAt(start);
    return (declared && this.#variables.get(declared.span.start)) ?? unsupported();
  }

  /**
   * Lowers a loop that changes neither the variables of some lists nor the lengths of lists.
   *
   * @param lists offsets of declarations; those that are not lowered yet are inside the loop
   * @param read leaves the length of a list, and its array
   */
  withSteady(
    lists: Iterable<number>,
    read: (list: Variable) => { readonly length: number; readonly items: number },
    loop: () => void,
  ): void {
    const before = new Map(this.#variables);
    for (const start of lists) {
      const list = this.#variables.get(start);
      if (list !== undefined && list.read === undefined) this.#variables.set(start, { ...list, read: read(list) });
    }
    loop();
    for (const [start, variable] of before) this.#variables.set(start, variable);
  }

  /** Lowers an expression that leaves a value. @param wanted for a list without elements */
  value(expr: Expr, wanted?: Kind): Kind {
    return this.#lowerExpr(this, withoutParens(expr), wanted) ?? unsupported();
  }

  scalar(expr: Expr, wanted: Scalar): void {
    if (this.value(expr) !== wanted) unsupported();
  }

  /** Lowers a list. @returns the kind of its elements */
  list(expr: Expr): Scalar {
    const kind = this.value(expr);
    return isScalar(kind) ? unsupported() : elementOf(kind);
  }

  /** A variable that has the value of an expression; the value of no other expression changes it. */
  held(expr: Expr): Variable {
    const inner = withoutParens(expr);
    if (inner.kind === 'IdentExpr') return this.variable(inner);
    const kind = this.value(inner);
    const index = this.local(kind);
    this.code.at('local.set', index);
    return { index, kind };
  }

  call(name: Imported): void {
    this.code.at('call', importIndex(name));
  }

  fail(message: string): void {
    this.code.i32(this.context.text(message));
    this.call('fail');
    this.code.op('unreachable');
  }

  /** Marks the code that `inside` lowers with a source place. */
  at(span: Span, inside: () => void): void {
    const outer = this.#mark;
    this.#setMark(this.context.mark(span.start));
    inside();
    this.#setMark(outer);
  }

  #setMark(mark: string): void {
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.code.mark(mark);
  }

  /** Opens a block. @returns its label */
  open(what: 'block' | 'loop' | 'if', type?: TypeCode): number {
    this.code.open(what, type);
    this.#depth += 1;
    return this.#depth;
  }

  end(): void {
    this.code.op('end');
    this.#depth -= 1;
  }

  branch(how: 'br' | 'br_if', label: number): void {
    this.code.at(how, this.#depth - label);
  }
}
