import type { ClosureExpr } from '../../syntax/ast/code.ts';
import { fnOf, UNKNOWN, VOID } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { Body, Frame } from './body.ts';

/** Checks a closure in a new frame for `return`, `?` and loops. It sees the variables around it. */
export function checkClosure(body: Body, expr: ClosureExpr): Type {
  const params = expr.params.map(({ type }) => body.type(type));
  const written = expr.result === undefined ? undefined : body.type(expr.result);
  const outer = body.frame;
  const frame: Frame = {
    result: written ?? (infersResult(expr) ? undefined : VOID),
    isClosure: true,
    yields: undefined,
    loops: 0,
    nullExits: [],
    taint: 0,
    level: body.locals.level,
  };
  body.frame = frame;
  body.closures += 1;
  const result = body.scoped(() => {
    for (const [index, { name }] of expr.params.entries())
      body.declare({
        name: name.text,
        span: name,
        type: params[index] ?? UNKNOWN,
        origin: 'param',
        isImmutable: false,
      });
    return bodyType(body, expr, frame, written);
  });
  body.closures -= 1;
  body.frame = outer;
  if (frame.taint > 0) {
    body.taints ??= new Map();
    body.taints.set(expr, frame.taint);
    if (outer.isClosure && frame.taint <= outer.level && (outer.taint === 0 || frame.taint < outer.taint))
      outer.taint = frame.taint;
  }
  for (const span of frame.nullExits) checkNullExit(body, span, result);
  return fnOf(params, result);
}

function bodyType(body: Body, expr: ClosureExpr, frame: Frame, written: Type | undefined): Type {
  if (expr.body.kind === 'Block') {
    body.block(expr.body);
    return frame.result ?? VOID;
  }
  const type = body.expr(expr.body, written);
  if (written === undefined) return type.kind === 'never' ? VOID : type;
  if (!body.isCompatible(type, written) && written.kind !== 'void')
    body.report(
      'return-type-mismatch',
      expr.body,
      `return type mismatch: expected ${showType(written)}, found ${showType(type)}`,
    );
  return written;
}

/** Whether the result type of a closure comes from a `return` in its body. */
const infersResult = ({ body }: ClosureExpr): boolean =>
  body.kind !== 'Block' || body.stmts.some(stmt => stmt.kind === 'ReturnStmt' && stmt.value !== undefined);

/** Checks that `?` is used in a function with a nullable result. */
export function checkNullExit(body: Body, span: Frame['nullExits'][number], result: Type): void {
  const isFine =
    result.kind === 'nullable' ||
    result.kind === 'void' ||
    result.kind === 'none' ||
    result.kind === 'unknown' ||
    result.kind === 'param';
  if (!isFine)
    body.report(
      'null-propagate-result',
      span,
      `'?' cannot be used in function returning ${showType(result)}: it returns none`,
    );
}
