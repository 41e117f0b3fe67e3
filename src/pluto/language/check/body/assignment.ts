import type { AssignStmt, Expr, IndexExpr, MemberExpr, StepStmt } from '../../syntax/ast/code.ts';
import { operatorIn, withoutParens } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import { BYTE, INT, UNKNOWN } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { CheckCode } from '../report/check-codes.ts';
import type { Body } from './body.ts';
import { taintOf } from './escape.ts';
import { fieldOf, rootOf } from './member.ts';
import { readLocal } from './names.ts';
import { arithmetic, isUnconstrained, expectType } from './operators.ts';
import { memberOfSelf } from './self-members.ts';

/** The target of an assignment with the type of its value. */
interface AssignTarget {
  readonly type: Type;
  readonly code: CheckCode;
  readonly mismatch: (expected: string, found: string) => string;
}

export function checkAssign(body: Body, stmt: AssignStmt): void {
  const target = withoutParens(stmt.target);
  const op = operatorIn(stmt.op);
  const isPlain = op === undefined;
  const place = targetOf(body, target, !isPlain);
  const found = body.expr(stmt.value, isPlain ? place?.type : undefined);
  if (place === undefined) return;
  if (target.kind === 'IdentExpr') noteAssignedValue(body, target.name, stmt);
  const result = isPlain ? found : arithmetic(body, stmt, place.type, found, op);
  if (!body.isCompatible(result, place.type) && (isPlain || result === found))
    body.report(place.code, stmt.value, place.mismatch(showType(place.type), showType(result)));
}

export function checkStep(body: Body, stmt: StepStmt): void {
  const place = targetOf(body, withoutParens(stmt.target), true);
  if (place === undefined) return;
  if (place.type.kind !== 'int' && !isUnconstrained(place.type))
    body.report('arithmetic-type', stmt, `operand type mismatch: ${showType(place.type)} ${stmt.op.slice(0, 1)} int`);
}

/** Forgets which body a task in the variable runs, and records or reports bindings of scope blocks that the new value has captured. */
function noteAssignedValue(body: Body, name: string, stmt: AssignStmt): void {
  const local = body.locals.find(name);
  if (local === undefined) return;
  local.task = undefined;
  const taint = taintOf(body, stmt.value);
  if (taint > 0 && local.level < taint)
    body.report('scope-escape', stmt, 'closure that uses a binding of a scope block cannot escape scope block');
  else if (taint > 0) local.taint = taint;
}

function targetOf(body: Body, target: Expr, isRead: boolean): AssignTarget | undefined {
  switch (target.kind) {
    case 'IdentExpr':
      return variable(body, target, target.name, isRead);
    case 'MemberExpr':
      return field(body, target);
    case 'IndexExpr':
      return element(body, target);
    default:
      // The parser has already reported an invalid target.
      body.expr(target);
      return undefined;
  }
}

function variable(body: Body, span: Span, name: string, isRead: boolean): AssignTarget | undefined {
  const mismatch = (expected: string, found: string): string =>
    `type mismatch in assignment: expected ${expected}, found ${found}`;
  const local = body.locals.find(name);
  if (local === undefined) {
    const ambient = body.context.ambients.has(name) ? memberOfSelf(body, name) : undefined;
    if (ambient !== undefined) {
      body.ambients.push({ target: ambient.id, start: span.start, end: span.end });
      if (body.isSelfImmutable) reportSelfMutation(body, span, name);
      return { type: ambient.type, code: 'assign-type-mismatch', mismatch };
    }
    if (name !== '') body.report('assign-undefined', span, `undefined variable '${name}'`);
    return undefined;
  }
  if (isRead) readLocal(body, local);
  body.noteVariable({ text: name, start: span.start, end: span.end }, local);
  if (local.origin === 'channel') body.report('assign-channel', span, `cannot reassign channel endpoint '${name}'`);
  else if (local.isImmutable)
    body.report('assign-immutable', span, `cannot assign to immutable variable '${name}': declare it with 'let mut'`);
  return { type: local.type, code: 'assign-type-mismatch', mismatch };
}

function field(body: Body, target: MemberExpr): AssignTarget | undefined {
  const object = body.expr(target.object);
  const { name } = target;
  const root = rootOf(target);
  if (root?.kind === 'IdentExpr' && body.locals.find(root.name)?.isImmutable === true)
    body.report(
      'field-assign-immutable',
      target,
      `cannot assign to field of immutable variable '${root.name}': declare it with 'let mut'`,
    );
  if (withoutParens(target.object).kind === 'SelfExpr' && body.isSelfImmutable)
    reportSelfMutation(body, target, name.text);
  else reportMutationInSelf(body, target);
  const found = fieldOf(body, object, name.text);
  if (found === 'not-an-object' || object.kind === 'any-error') {
    if (name.text !== '')
      body.report('field-of-non-class', target, `field assignment on non-class type ${showType(object)}`);
    return undefined;
  }
  if (found === undefined) {
    if (name.text !== '') body.report('field-unknown', name, `${showType(object)} has no field '${name.text}'`);
    return undefined;
  }
  if (found.use !== undefined) body.use('field', found.use.id, name, target);
  return {
    type: found.type,
    code: 'field-assign-type',
    mismatch: (expected, actual) => `field '${name.text}': expected ${expected}, found ${actual}`,
  };
}

const reportSelfMutation = (body: Body, site: Span, field: string): void =>
  body.report(
    'self-mutation',
    site,
    `cannot assign to 'self.${field}' in a non-mut method: declare it with 'mut self'`,
  );

/** Invariants may depend on what `self` refers to, and only `mut self` methods check them. */
function reportMutationInSelf(body: Body, target: MemberExpr | IndexExpr): void {
  if (body.isSelfImmutable && isPartOfSelf(body, target.object))
    body.report('self-mutation', target, "cannot mutate self's data in a non-mut method: declare it with 'mut self'");
}

/** Whether an expression is a path of fields and elements from `self`, or from an ambient dependency, which is a field of `self`. */
function isPartOfSelf(body: Body, expr: Expr): boolean {
  let at = withoutParens(expr);
  while (at.kind === 'MemberExpr' || at.kind === 'IndexExpr') at = withoutParens(at.object);
  if (at.kind === 'IdentExpr') return body.locals.find(at.name) === undefined && body.context.ambients.has(at.name);
  return at.kind === 'SelfExpr';
}

function element(body: Body, target: IndexExpr): AssignTarget | undefined {
  const object = body.expr(target.object);
  const index = body.expr(target.index, object.kind === 'map' ? object.key : undefined);
  reportMutationInSelf(body, target);
  const place = (type: Type, mismatch: AssignTarget['mismatch']): AssignTarget => ({
    type,
    code: 'index-assign',
    mismatch,
  });
  switch (object.kind) {
    case 'list':
      expectType(body, target.index, index, INT, 'index-assign', 'array index must be int');
      return place(object.element, (expected, found) => `index assignment: expected ${expected}, found ${found}`);
    case 'bytes':
      expectType(body, target.index, index, INT, 'index-assign', 'bytes index must be int');
      return place(BYTE, (expected, found) => `index assignment: expected ${expected}, found ${found}`);
    case 'map':
      if (!body.isCompatible(index, object.key))
        body.report(
          'index-assign',
          target.index,
          `map key type mismatch: expected ${showType(object.key)}, found ${showType(index)}`,
        );
      return place(object.value, (expected, found) => `map value type mismatch: expected ${expected}, found ${found}`);
    default:
      if (isUnconstrained(object)) return place(UNKNOWN, () => '');
      body.report('index-assign', target, `index assignment on non-indexable type ${showType(object)}`);
      return undefined;
  }
}
