/** Closures in the random functions of `random-code.ts`. Their code contains no other closures. */
import fc from 'fast-check';
import type { ClosureExpr, ClosureStatement, Expr } from './random-code-types.ts';

/** `apply` is copied for closures; `call` gets only function values. */
export const CLOSURE_DECLARATIONS = `
fn apply(f: fn(int) int, x: int) int { return f(x) }
fn call(f: fn(int) int, x: int) int {
    let all = [f]
    let kept = all[0]
    return kept(x)
}`;

/** @param plain ints without closures */
export const closureExprs = (
  int: fc.Arbitrary<Expr>,
  plain: fc.Arbitrary<Expr>,
): readonly [fc.Arbitrary<Expr>, fc.Arbitrary<Expr>] => [
  fc.tuple(int, int).map(([index, of]): Expr => ({ kind: 'call-value', index, of })),
  fc.tuple(plain, int).map(([plus, of]): Expr => ({ kind: 'call-known', plus, of })),
];

export const closureStatements = (int: fc.Arbitrary<Expr>, plain: fc.Arbitrary<Expr>): fc.Arbitrary<ClosureStatement> =>
  fc.oneof(
    fc
      .tuple(int, plain, fc.boolean())
      .map(([index, plus, assigns]): ClosureStatement => ({ kind: 'set-function', index, plus, assigns })),
    fc.tuple(plain, int).map(([plus, of]): ClosureStatement => ({ kind: 'call-kept', plus, of })),
  );

export const closureExprText = (expr: ClosureExpr, text: (one: Expr) => string): string =>
  expr.kind === 'call-value'
    ? `call(fs[${text(expr.index)} & 1], ${text(expr.of)})`
    : `apply((x: int) => x * 3 + ${text(expr.plus)}, ${text(expr.of)})`;

/** The variable `kept` must get a unique name. */
export function closureLines(one: ClosureStatement, text: (expr: Expr) => string): readonly string[] {
  if (one.kind === 'call-kept')
    return [`let kept = (x: int) => x * 3 + ${text(one.plus)}`, `a = a - kept(${text(one.of)})`, 'a = apply(kept, a)'];
  const target = `fs[${text(one.index)} & 1]`;
  if (!one.assigns) return [`${target} = (x: int) => x * 3 + ${text(one.plus)}`];
  return [`${target} = (x: int) int => {`, 'a += x', `return a - ${text(one.plus)}`, '}'];
}
