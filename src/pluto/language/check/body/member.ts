import type { Expr, MemberExpr } from '../../syntax/ast/code.ts';
import { dottedPath, withoutParens } from '../../syntax/ast/code.ts';
import { substitute } from '../types/substitute.ts';
import { STRING, UNKNOWN } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { FieldSignature, Type } from '../types/type.ts';
import type { Body } from './body.ts';
import { appField, classSubstitution } from './members.ts';
import { variantOf, variantValue } from './variants.ts';

/** Whether no variable has this name here, so that it may name an enum or a module. */
export const isUnbound = (body: Body, name: string): boolean =>
  body.locals.find(name) === undefined && !body.context.ambients.has(name);

/** Checks `Enum.Variant`, `module.Enum.Variant`, or a field of a value. */
export function checkMember(body: Body, expr: MemberExpr): Type {
  const { name } = expr;
  const path = expr.object.kind === 'IdentExpr' || expr.object.kind === 'MemberExpr' ? dottedPath(expr) : undefined;
  const first = path?.[0];
  if (path !== undefined && first !== undefined && isUnbound(body, first.text)) {
    const variant = variantOf(body, path, [], expr);
    if (variant !== undefined) {
      if (body.isContract)
        body.report('contract-enum-literal', expr, 'an enum literal is not allowed in contract expressions');
      return variantValue(body, variant, undefined, expr);
    }
    const module = body.context.program.module(body.context.file, first.text);
    if (body.context.program.isUnresolved(body.context.file, first.text)) return UNKNOWN;
    if (module !== undefined) {
      body.report('variable-undefined', expr, `module '${first.text}' has no value '${path.at(-1)?.text ?? ''}'`);
      return UNKNOWN;
    }
  }
  const object = body.expr(expr.object);
  const field = fieldOf(body, object, name.text);
  if (field === 'not-an-object') {
    if (name.text !== '') body.report('field-of-non-class', expr, nonClassMessage(object));
    return UNKNOWN;
  }
  if (field === undefined) {
    if (name.text !== '') body.report('field-unknown', name, `${showType(object)} has no field '${name.text}'`);
    return UNKNOWN;
  }
  if (field.use !== undefined) body.use('field', field.use.id, name, expr);
  return field.type;
}

function nonClassMessage(object: Type): string {
  const base = `field access on non-class type ${showType(object)}`;
  return object.kind === 'nullable' || object.kind === 'none' ? `${base}: unwrap the value with '?' first` : base;
}

interface FoundField {
  readonly type: Type;
  readonly use: FieldSignature | undefined;
}

/** Looks up a field of a value; `not-an-object` if values of this type have no fields. */
export function fieldOf(body: Body, object: Type, name: string): FoundField | undefined | 'not-an-object' {
  const { signatures } = body.context;
  switch (object.kind) {
    case 'class': {
      const use = signatures.class(object.symbol).fields.get(name);
      return use === undefined ? undefined : { type: substitute(use.type, classSubstitution(signatures, object)), use };
    }
    case 'app': {
      const use = appField(signatures, object.symbol, name);
      return use === undefined ? undefined : { type: use.type, use };
    }
    case 'error': {
      const use = signatures.error(object.symbol).fields.get(name);
      return use === undefined ? undefined : { type: use.type, use };
    }
    case 'any-error':
      return name === 'message' ? { type: STRING, use: undefined } : undefined;
    case 'unknown':
    case 'param':
    case 'never':
      return { type: UNKNOWN, use: undefined };
    default:
      return 'not-an-object';
  }
}

/** The variable or `self` at the root of a chain of fields such as `x.a.b`. */
export function rootOf(expr: Expr): Extract<Expr, { kind: 'IdentExpr' | 'SelfExpr' }> | undefined {
  let at = withoutParens(expr);
  while (at.kind === 'MemberExpr') at = withoutParens(at.object);
  return at.kind === 'IdentExpr' || at.kind === 'SelfExpr' ? at : undefined;
}
