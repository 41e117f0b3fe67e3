import type { IdentExpr, SelfExpr } from '../../syntax/ast/code.ts';
import { UNKNOWN } from '../types/make.ts';
import type { Type } from '../types/type.ts';
import type { Body } from './body.ts';
import type { Local } from './locals.ts';
import { memberOfSelf } from './self-members.ts';

/** Marks a variable as read, and as captured by the closures in between. */
export function readLocal(body: Body, local: Local): void {
  local.isRead = true;
  if (local.origin === 'scope') body.scopeReads += 1;
  if (!body.frame.isClosure || local.level > body.frame.level) return;
  const taint = local.origin === 'scope' ? local.level : local.taint;
  if (taint > 0 && (body.frame.taint === 0 || taint < body.frame.taint)) body.frame.taint = taint;
}

export function checkName(body: Body, expr: IdentExpr): Type {
  const local = body.locals.find(expr.name);
  if (local !== undefined) {
    readLocal(body, local);
    return local.type;
  }
  if (body.context.ambients.has(expr.name)) {
    const field = memberOfSelf(body, expr.name);
    if (field !== undefined) {
      body.ambients.push({ target: field.id, start: expr.start, end: expr.end });
      return field.type;
    }
  }
  if (expr.name !== '') body.report('variable-undefined', expr, undefinedMessage(body, expr.name));
  return UNKNOWN;
}

function undefinedMessage({ context }: Body, name: string): string {
  const base = `undefined variable '${name}'`;
  const other = context.program.find(context.file, name, 'FunctionDecl', 'ExternDecl', 'ClassDecl', 'EnumDecl');
  if (other?.kind === 'FunctionDecl' || other?.kind === 'ExternDecl')
    return `${base}: a function is not a value; wrap the call in a closure`;
  return other === undefined ? base : `${base}: it is the name of a type`;
}

export function checkSelf(body: Body, expr: SelfExpr): Type {
  const { self } = body.context;
  if (self !== undefined) return self;
  body.report('self-outside', expr, "'self' used outside of class method");
  return UNKNOWN;
}
