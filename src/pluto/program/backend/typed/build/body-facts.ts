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

  /** The uses of variables, and of `self`, sorted: each closure asks for those in its span. */
  #useOffsets: readonly number[] | undefined;
  #selfOffsets: readonly number[] | undefined;

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
  capturedBy(span: Span): readonly Local[] {
    this.#useOffsets ??= sorted(this.#locals.keys());
    const captured = new Map<string, Local>();
    for (const at of offsetsIn(this.#useOffsets, span)) {
      const local = this.#locals.get(at);
      if (local !== undefined && (local.span.start < span.start || local.span.start >= span.end))
        captured.set(local.name, local);
    }
    return Array.from(captured.values());
  }

  /** Whether `self`, or an ambient dependency, is used in a span. */
  hasSelf(span: Span): boolean {
    this.#selfOffsets ??= sorted([...this.#ambients, ...this.#selves]);
    return offsetsIn(this.#selfOffsets, span).next().done !== true;
  }
}

const sorted = (offsets: Iterable<number>): readonly number[] => Array.from(offsets).toSorted((a, b) => a - b);

function* offsetsIn(offsets: readonly number[], { start, end }: Span): Generator<number, undefined> {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  for (let at = offsets[low]; at !== undefined && at < end; at = offsets[low]) {
    yield at;
    low += 1;
  }
}
