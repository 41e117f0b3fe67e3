import type { Local } from '../../../language/check/body/locals.ts';
import { UNKNOWN } from '../../../language/check/types/make.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { UnitSpec } from '../../../language/check/units/unit.ts';
import type { Expr } from '../../../language/syntax/ast/code.ts';
import type { Span } from '../../../language/syntax/ast/span.ts';

/** What the checker says of the expressions of one body. */
export class BodyFacts {
  readonly #types = new Map<Expr, Type>();
  /** Variables by where they are named. */
  readonly #locals = new Map<number, Local>();
  readonly #ambients: ReadonlySet<number>;

  constructor(spec: UnitSpec) {
    const { ambients } = spec.check((expr, type, local) => {
      this.#types.set(expr, type);
      if (local !== undefined) this.#locals.set(expr.start, local);
    });
    this.#ambients = new Set(ambients.map(({ start }) => start));
  }

  typeOf(expr: Expr): Type {
    return this.#types.get(expr) ?? UNKNOWN;
  }

  /** The variable that is named at a place. */
  localAt(start: number): Local | undefined {
    return this.#locals.get(start);
  }

  /** Whether the name at a place is that of an ambient dependency. */
  isAmbient(start: number): boolean {
    return this.#ambients.has(start);
  }

  /** The variables from outside that are named inside, each once. */
  capturedBy({ start, end }: Span): readonly Local[] {
    const captured = new Map<string, Local>();
    for (const [at, local] of this.#locals)
      if (at >= start && at < end && (local.span.start < start || local.span.start >= end))
        captured.set(local.name, local);
    return Array.from(captured.values());
  }

  /** Whether an ambient dependency is named inside. */
  hasAmbient({ start, end }: Span): boolean {
    for (const at of this.#ambients) if (at >= start && at < end) return true;
    return false;
  }
}
