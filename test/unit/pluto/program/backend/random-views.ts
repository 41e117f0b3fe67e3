/** Objects behind a trait in the random functions of `random-code.ts`. */
import fc from 'fast-check';
import type { Expr, Ref, View, ViewExpr, ViewRef } from './random-code-types.ts';

/** `Cell` implements the trait too. */
export const VIEW_DECLARATIONS = `
trait View {
    fn code(self, by: int) int
    fn change(mut self, by: int) int
    fn twice(self, by: int) int { return self.code(by) * 2 }
}
class Pair impl View {
    n: int
    cell: Cell
    fn code(self, by: int) int { return self.n ^ by }
    fn change(mut self, by: int) int {
        let mut cell: View = self.cell
        self.n += cell.change(by)
        return self.n
    }
}
class Wrap impl View {
    inner: View
    fn code(self, by: int) int { return self.inner.code(by) - 1 }
    fn change(mut self, by: int) int { return self.inner.change(by + 1) }
    fn twice(self, by: int) int { return self.inner.twice(by) + 3 }
}`;

export const viewRefs = (index: fc.Arbitrary<Expr>): fc.Arbitrary<ViewRef> =>
  fc.oneof(
    fc.constant('v' as const),
    index.map(at => ({ at })),
  );

export const views = (
  int: fc.Arbitrary<Expr>,
  cells: fc.Arbitrary<Ref>,
  others: fc.Arbitrary<ViewRef>,
): fc.Arbitrary<View> =>
  fc.oneof(
    cells.map((cell): View => ({ kind: 'cell', cell })),
    fc.tuple(int, cells).map(([n, cell]): View => ({ kind: 'pair', n, cell })),
    others.map((inner): View => ({ kind: 'wrap', inner })),
    others.map((of): View => ({ kind: 'other', of })),
  );

export const viewRefText = (of: ViewRef, text: (one: Expr) => string): string =>
  of === 'v' ? 'v' : `views[${text(of.at)} & 1]`;

/** The text of an object. */
export function viewText(view: View, text: (one: Expr) => string, cell: (ref: Ref) => string): string {
  switch (view.kind) {
    case 'cell':
      return cell(view.cell);
    case 'pair':
      return `Pair { cell: ${cell(view.cell)}, n: ${text(view.n)} }`;
    case 'wrap':
      return `Wrap { inner: ${viewRefText(view.inner, text)} }`;
    case 'other':
      return viewRefText(view.of, text);
  }
}

export function viewExprText(expr: ViewExpr, text: (one: Expr) => string): string {
  const ref = (of: ViewRef): string => viewRefText(of, text);
  return expr.kind === 'same-view'
    ? `(${ref(expr.left)} == ${ref(expr.right)})`
    : `${ref(expr.of)}.${expr.method}(${text(expr.by)})`;
}
