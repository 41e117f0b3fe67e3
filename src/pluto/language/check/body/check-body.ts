import type { Block, Expr } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import { BOOL, FLOAT, INT, NONE, STRING, UNKNOWN } from '../types/make.ts';
import type { Type } from '../types/type.ts';
import { Body, type BodyContext, type BodyRules } from './body.ts';
import { checkCall, checkStaticCall } from './calls.ts';
import { checkClosure, checkNullExit } from './closures.ts';
import { checkCatch, checkMatchExpr, checkNullPropagate, checkPropagate, checkSpawn, ifValue } from './control.ts';
import { checkFString, checkList, checkMap, checkRecord, checkSet, checkVariant } from './literals.ts';
import { checkMember } from './member.ts';
import { checkMethodCall } from './method-call.ts';
import { checkName, checkSelf } from './names.ts';
import { checkBinary, checkCast, checkIndex, checkRange, checkUnary, expectType } from './operators.ts';
import { checkStmt } from './statements.ts';
import { isTerminated } from './termination.ts';

function typeOfExpr(body: Body, expr: Expr, expected: Type | undefined): Type {
  switch (expr.kind) {
    case 'IntExpr':
      return INT;
    case 'FloatExpr':
      return FLOAT;
    case 'BoolExpr':
      return BOOL;
    case 'NoneExpr':
      return NONE;
    case 'StringExpr':
      hintUninterpolatedBraces(body, expr.value, expr);
      return STRING;
    case 'FStringExpr':
      return checkFString(body, expr);
    case 'IdentExpr':
      return checkName(body, expr);
    case 'SelfExpr':
      return checkSelf(body, expr);
    case 'ListExpr':
      return checkList(body, expr, expected);
    case 'MapExpr':
      return checkMap(body, expr);
    case 'SetExpr':
      return checkSet(body, expr);
    case 'RecordExpr':
      return checkRecord(body, expr);
    case 'VariantExpr':
      return checkVariant(body, expr);
    case 'ParenExpr':
      return body.expr(expr.inner, expected);
    case 'ClosureExpr':
      return checkClosure(body, expr);
    case 'IfExpr':
      return ifValue(body, expr, expected);
    case 'MatchExpr':
      return checkMatchExpr(body, expr, expected);
    case 'SpawnExpr':
      return checkSpawn(body, expr);
    case 'CallExpr':
      return checkCall(body, expr);
    case 'StaticCallExpr':
      return checkStaticCall(body, expr);
    case 'MemberExpr':
      return checkMember(body, expr);
    case 'MethodCallExpr':
      return checkMethodCall(body, expr);
    case 'IndexExpr':
      return checkIndex(body, expr);
    case 'PropagateExpr':
      return checkPropagate(body, expr);
    case 'NullPropagateExpr':
      return checkNullPropagate(body, expr);
    case 'CatchExpr':
      return checkCatch(body, expr, expected);
    case 'CastExpr':
      return checkCast(body, expr);
    case 'UnaryExpr':
      return checkUnary(body, expr);
    case 'BinaryExpr':
      return checkBinary(body, expr);
    case 'RangeExpr':
      return checkRange(body, expr);
    default:
      return UNKNOWN;
  }
}

/** Hints at `{name}` in a plain string, which is not interpolated. */
function hintUninterpolatedBraces(body: Body, value: string, span: Span): void {
  if (!value.includes('{')) return;
  const name = /\{([A-Za-z_]\w*)\}/.exec(value)?.[1];
  if (name !== undefined && body.locals.find(name) !== undefined)
    body.hint(
      'braces-not-interpolated',
      span,
      `'{${name}}' is literal text: write f"…" to insert the value of '${name}'`,
    );
}

const rules: BodyRules = {
  expr: (body, expr, expected) => {
    const type = typeOfExpr(body, expr, expected);
    const { observer } = body.context;
    if (observer !== undefined)
      observer.type(expr, type, expr.kind === 'IdentExpr' ? body.locals.find(expr.name) : undefined);
    return type;
  },
  stmt: checkStmt,
};

/** The parts of a function, method or test that are checked as one body. */
export interface BodyParts {
  readonly params: readonly { readonly name: string; readonly span: Span; readonly type: Type }[];
  /** Undefined for bodies that need no `return`: tests and contracts. */
  readonly result: Type | undefined;
  readonly contracts: readonly { readonly condition: Expr }[];
  readonly block: Block | undefined;
  /** Span for the finding about a missing `return`. */
  readonly name: Span;
}

export const makeBody = (context: BodyContext, result: Type | undefined): Body => new Body(context, rules, result);

/** Checks one body and its contracts. */
export function checkBody(body: Body, parts: BodyParts): void {
  const { result, block } = parts;
  body.scoped(() => {
    for (const { name, span, type } of parts.params) {
      // Duplicate parameter names are reported with the declaration.
      if (body.locals.find(name) === undefined) body.declare({ name, span, type, origin: 'param', isImmutable: false });
    }
    for (const { condition } of parts.contracts) {
      const type = body.contract(condition);
      expectType(body, condition, type, BOOL, 'contract-not-bool', 'contract must be bool');
    }
    if (block !== undefined) body.block(block);
  });
  if (block === undefined || result === undefined) return;
  const isEndless = result.kind === 'void' || result.kind === 'stream' || result.kind === 'unknown';
  if (!isEndless && !isTerminated(block))
    body.report('return-missing', parts.name, 'missing return: not every path through the body returns a value');
  for (const span of body.frame.nullExits) checkNullExit(body, span, result);
}
