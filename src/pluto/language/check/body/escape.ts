import type { Expr } from '../../syntax/ast/code.ts';
import { withoutParens } from '../../syntax/ast/code.ts';
import type { Body } from './body.ts';

/** The level of the scope block whose bindings a value has captured: a closure, or a variable that holds one; 0 for none. */
export function taintOf(body: Body, expr: Expr): number {
  const inner = withoutParens(expr);
  if (inner.kind === 'ClosureExpr') return body.taints?.get(inner) ?? 0;
  return inner.kind === 'IdentExpr' ? (body.locals.find(inner.name)?.taint ?? 0) : 0;
}
