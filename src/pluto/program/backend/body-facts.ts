import type { Local } from '../../language/check/body/locals.ts';
import { UNKNOWN } from '../../language/check/types/make.ts';
import type { DeclSymbol, Type } from '../../language/check/types/type.ts';
import type { UnitSpec } from '../../language/check/units/unit.ts';
import type { Expr } from '../../language/syntax/ast/code.ts';
import type { Span } from '../../language/syntax/ast/span.ts';

/** Types and variables of the expressions in one body, from the checker. */
export class BodyFacts {
  /** The declaration with the body. */
  readonly symbol: DeclSymbol;
  readonly #types = new Map<Expr, Type>();
  /** Variables by the offset of each use. */
  readonly #locals = new Map<number, Local>();
  readonly #ambients: ReadonlySet<number>;

  constructor(spec: UnitSpec) {
    this.symbol = spec.symbol;
    const { ambients } = spec.check((expr, type, local) => {
      this.#types.set(expr, type);
      if (local !== undefined) this.#locals.set(expr.start, local);
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

  /** Whether the name at an offset is an ambient dependency. */
  isAmbient(start: number): boolean {
    return this.#ambients.has(start);
  }

  /** The outer variables used in a span, each once. */
  capturedBy({ start, end }: Span): readonly Local[] {
    const captured = new Map<string, Local>();
    for (const [at, local] of this.#locals)
      if (at >= start && at < end && (local.span.start < start || local.span.start >= end))
        captured.set(local.name, local);
    return Array.from(captured.values());
  }

  /** Whether an ambient dependency is used in a span. */
  hasAmbient({ start, end }: Span): boolean {
    for (const at of this.#ambients) if (at >= start && at < end) return true;
    return false;
  }
}
