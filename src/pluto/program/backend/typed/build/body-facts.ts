import type { Local } from '../../../../language/check/body/locals.ts';
import { UNKNOWN } from '../../../../language/check/types/make.ts';
import type { Type } from '../../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../../language/check/units/unit.ts';
import type { Expr } from '../../../../language/syntax/ast/code.ts';
import type { Span } from '../../../../language/syntax/ast/span.ts';

/** The facts of the checker about the expressions in one body. Its types have no type parameters if the unit is an instance. */
export class BodyFacts {
  readonly #types = new Map<Expr, Type>();
  /** Variables by the offset of each use. */
  readonly #locals = new Map<number, Local>();
  /** Variables by the offset of their declaration, if they are used. */
  readonly #declared = new Map<number, Local>();
  readonly #typeArgs = new Map<number, readonly Type[]>();
  readonly #ambients: ReadonlySet<number>;
  readonly #selves = new Set<number>();

  constructor(spec: UnitSpec) {
    const { ambients } = spec.check({
      type: (expr, type, local) => {
        this.#types.set(expr, type);
        if (expr.kind === 'SelfExpr') this.#selves.add(expr.start);
        if (local === undefined) return;
        this.#locals.set(expr.start, local);
        this.#declared.set(local.span.start, local);
      },
      typeArgs: (at, args) => void this.#typeArgs.set(at, args),
    });
    this.#ambients = new Set(ambients.map(({ start }) => start));
  }

  typeOf(expr: Expr): Type {
    return this.#types.get(expr) ?? UNKNOWN;
  }

  /** The variable used at an offset. */
  localAt(start: number): Local | undefined {
    return this.#locals.get(start);
  }

  /** The variable declared at an offset; `undefined` if nothing uses it. */
  declaredAt(start: number): Local | undefined {
    return this.#declared.get(start);
  }

  /** The type arguments of a call, by the offset of the name of the function. */
  typeArgsAt(start: number): readonly Type[] {
    return this.#typeArgs.get(start) ?? [];
  }

  /** Whether the name at an offset is an ambient dependency. */
  isAmbient(start: number): boolean {
    return this.#ambients.has(start);
  }

  /** Whether the name at an offset is not a variable, so that it may be an enum or a module. */
  isUnbound(start: number): boolean {
    return this.localAt(start) === undefined && !this.isAmbient(start);
  }

  /** The outer variables used in a span, each once. */
  capturedBy({ start, end }: Span): readonly Local[] {
    const captured = new Map<string, Local>();
    for (const [at, local] of this.#locals)
      if (at >= start && at < end && (local.span.start < start || local.span.start >= end))
        captured.set(local.name, local);
    return Array.from(captured.values());
  }

  /** Whether `self`, or an ambient dependency, is used in a span. */
  hasSelf({ start, end }: Span): boolean {
    for (const uses of [this.#ambients, this.#selves]) for (const at of uses) if (at >= start && at < end) return true;
    return false;
  }
}
