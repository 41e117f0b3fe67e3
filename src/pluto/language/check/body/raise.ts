import type { RaiseStmt } from '../../syntax/ast/code.ts';
import type { Name } from '../../syntax/ast/node.ts';
import { checkVisible } from '../program/resolve-type.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { Body } from './body.ts';
import { checkInits } from './variants.ts';

/** Resolves `Error` or `module.Error`; reports an unknown error. */
export function findError(body: Body, path: readonly Name[]): ErrorSymbol | undefined {
  const { program, file } = body.context;
  const [first, second] = path;
  if (first === undefined || path.some(({ text }) => text === '')) return undefined;
  if (second === undefined) {
    const error = program.find(file, first.text, 'ErrorDecl');
    if (error === undefined) body.report('error-unknown', first, `unknown error type '${first.text}'`);
    return error;
  }
  if (program.isUnresolved(file, first.text)) return undefined;
  const module = program.module(file, first.text);
  const error = module === undefined ? undefined : program.findIn(module, second.text, 'ErrorDecl');
  if (error === undefined) body.report('error-unknown', second, `unknown error type '${first.text}.${second.text}'`);
  else checkVisible(error, first, second, body);
  return error;
}

export function checkRaise(body: Body, stmt: RaiseStmt): void {
  const error = findError(body, stmt.error);
  if (error === undefined) {
    for (const { value } of stmt.fields) body.expr(value);
    return;
  }
  const { fields } = body.context.signatures.error(error);
  checkInits(body, `error '${error.name}'`, fields, stmt.fields, stmt, 'error-fields', field => field.type);
  body.raises.push(error);
}
