import type {
  Block,
  CatchExpr,
  Expr,
  IfExpr,
  IfStmt,
  MatchExpr,
  NullPropagateExpr,
  PropagateExpr,
  SpawnExpr,
  Stmt,
} from '../../syntax/ast/code.ts';
import { withoutParens } from '../../syntax/ast/code.ts';
import type { ErrorSymbol, Type } from '../types/type.ts';
import { ANY_ERROR, BOOL, errorOf, NEVER, UNKNOWN, VOID, wrap } from '../types/make.ts';
import { commonType } from '../types/relate.ts';
import { showType } from '../types/show.ts';
import type { Body } from './body.ts';
import { checkArms } from './patterns.ts';
import { findError } from './raise.ts';
import { isTerminated } from './termination.ts';
import { isUnconstrained, expectType } from './operators.ts';

/** The type of a block: that of its last expression, or `never` if control does not reach its end. */
function blockValue(body: Body, { stmts }: Block, expected: Type | undefined): Type {
  return body.scoped(() => {
    for (const stmt of stmts.slice(0, -1)) body.stmt(stmt);
    const last = stmts.at(-1);
    return last === undefined ? VOID : lastValue(body, last, expected, stmts);
  });
}

function lastValue(body: Body, last: Stmt, expected: Type | undefined, stmts: readonly Stmt[]): Type {
  if (last.kind === 'ExprStmt') return body.expr(last.expr, expected);
  if (last.kind === 'IfStmt' && last.otherwise !== undefined) return ifValue(body, last, expected);
  body.stmt(last);
  return isTerminated({ stmts }) || last.kind === 'BreakStmt' || last.kind === 'ContinueStmt' ? NEVER : VOID;
}

export function ifValue(body: Body, expr: IfExpr | IfStmt, expected: Type | undefined): Type {
  expectType(body, expr.condition, body.expr(expr.condition), BOOL, 'condition-not-bool', 'if condition must be bool');
  const first = blockValue(body, expr.body, expected);
  if (expr.otherwise === undefined) return VOID;
  const second =
    expr.otherwise.kind === 'Block'
      ? blockValue(body, expr.otherwise, expected)
      : ifValue(body, expr.otherwise, expected);
  const common = joinedType(body, first, second, expected);
  if (common !== undefined) return common;
  body.report('branch-types', expr, `if branches have incompatible types: ${showType(first)} and ${showType(second)}`);
  return expected ?? UNKNOWN;
}

/** The common type of two branches, or the expected type if both fit it. */
function joinedType(body: Body, first: Type, second: Type, expected: Type | undefined): Type | undefined {
  const common = commonType(first, second);
  if (common !== undefined) return common;
  const isExpected =
    expected !== undefined && body.isCompatible(first, expected) && body.isCompatible(second, expected);
  return isExpected ? expected : undefined;
}

export function checkMatchExpr(body: Body, expr: MatchExpr, expected: Type | undefined): Type {
  const subject = body.expr(expr.subject);
  let result: Type | undefined;
  checkArms(body, expr, subject, expr.arms, arm => {
    const type = body.expr(arm.value, expected);
    if (result === undefined) {
      result = type;
      return;
    }
    const common = joinedType(body, result, type, expected);
    if (common !== undefined) result = common;
    else if (body.isCompatible(type, result)) return;
    else
      body.report(
        'arm-types',
        arm.value,
        `match arms have incompatible types: ${showType(result)} and ${showType(type)}`,
      );
  });
  return result ?? UNKNOWN;
}

const isCall = ({ kind }: Expr): boolean =>
  kind === 'CallExpr' || kind === 'MethodCallExpr' || kind === 'StaticCallExpr' || kind === 'BrokenExpr';

export function checkPropagate(body: Body, expr: PropagateExpr): Type {
  body.takeHandling();
  const operand = withoutParens(expr.operand);
  if (isCall(operand)) {
    if (body.isInSpawn)
      body.report(
        'propagate-in-spawn',
        expr,
        "'!' is not allowed in spawn arguments: evaluate the arguments before the spawn",
      );
    body.setHandling({ how: 'propagate', covers: undefined });
    const type = body.expr(operand);
    body.takeHandling();
    return type;
  }
  body.report('propagate-non-call', expr, "'!' can only be applied to function calls");
  return body.expr(operand);
}

export function checkNullPropagate(body: Body, expr: NullPropagateExpr): Type {
  body.takeHandling();
  const type = body.expr(expr.operand);
  body.frame.nullExits.push({ start: expr.start, end: expr.end });
  if (type.kind === 'nullable') return type.element;
  if (type.kind !== 'none' && !isUnconstrained(type))
    body.report('null-propagate-operand', expr, `'?' applied to non-nullable type ${showType(type)}`);
  return type.kind === 'none' ? UNKNOWN : type;
}

export function checkCatch(body: Body, expr: CatchExpr, expected: Type | undefined): Type {
  body.takeHandling();
  const operand = withoutParens(expr.operand);
  const typed = expr.handlers.map(handler =>
    handler.kind === 'TypedHandler' ? findError(body, handler.error) : undefined,
  );
  const isTyped = expr.handlers.every(({ kind }) => kind === 'TypedHandler');
  if (isCall(operand))
    body.setHandling({
      how: 'catch',
      covers: isTyped ? typed.filter((error): error is ErrorSymbol => error !== undefined) : undefined,
    });
  else body.report('catch-non-call', expr, 'catch can only be applied to function calls');
  const success = body.expr(operand, expected);
  body.takeHandling();
  for (const [index, handler] of expr.handlers.entries()) {
    if (handler.kind === 'ValueHandler') {
      checkHandlerValue(body, handler.value, body.expr(handler.value, success), success);
      continue;
    }
    const error = typed[index];
    const type = handler.kind === 'AnyHandler' ? ANY_ERROR : error === undefined ? UNKNOWN : errorOf(error);
    const value = body.scoped(() => {
      body.declare({ name: handler.name.text, span: handler.name, type, origin: 'bound', isImmutable: false });
      return blockValue(body, handler.body, success);
    });
    checkHandlerValue(body, handler.body.stmts.at(-1) ?? handler.body, value, success);
  }
  return success;
}

function checkHandlerValue(body: Body, site: { start: number; end: number }, value: Type, success: Type): void {
  // The handler of a call without a result may have any type.
  if (success.kind === 'void' || body.isCompatible(value, success)) return;
  body.report(
    'catch-type-mismatch',
    site,
    `catch handler type mismatch: expected ${showType(success)}, found ${showType(value)}`,
  );
}

export function checkSpawn(body: Body, expr: SpawnExpr): Type {
  body.takeHandling();
  const call = withoutParens(expr.call);
  if (call.kind !== 'CallExpr' && call.kind !== 'MethodCallExpr') {
    if (call.kind !== 'BrokenExpr') body.report('spawn-misplaced', expr, 'spawn requires a function call');
    body.expr(call);
    return wrap('task', UNKNOWN);
  }
  const before = body.sites.length;
  const wasInSpawn = body.isInSpawn;
  body.isInSpawn = true;
  const reads = body.scopeBlocks.length > 0 ? body.trackScopeReads() : undefined;
  const result = body.expr(call);
  if (reads?.() === true)
    body.report(
      'spawn-misplaced',
      expr,
      'cannot spawn inside scope block with its bindings: the bindings end with the block',
    );
  body.isInSpawn = wasInSpawn;
  // The task keeps the errors of the call until `get()`.
  const index = body.sites.findLastIndex(
    (site, at) => at >= before && site.start === call.start && site.end === call.end,
  );
  const [site] = index < 0 ? [] : body.sites.splice(index, 1);
  const task = wrap('task', result);
  if (site?.key !== undefined) body.recordSpawn(task, site.key);
  return task;
}
