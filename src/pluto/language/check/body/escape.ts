import type { Expr } from '../../syntax/ast/code.ts';
import { withoutParens } from '../../syntax/ast/code.ts';
import type { Body } from './body.ts';

/** The scope block level whose bindings a closure, or a variable with a closure, has captured; 0 for none. */
export function taintOf(body: Body, expr: Expr): number {
  const inner = withoutParens(expr);
  if (inner.kind === 'ClosureExpr') return body.taints?.get(inner) ?? 0;
  return inner.kind === 'IdentExpr' ? (body.locals.find(inner.name)?.taint ?? 0) : 0;
}
