import type { Expr } from '../../syntax/ast/code.ts';
import type { Name } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Type as TypeNode } from '../../syntax/ast/type.ts';
import { inferTypeArgs, type Substitution, substitute, substitution } from '../types/substitute.ts';
import { UNKNOWN } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { Callable, ParamType, Type } from '../types/type.ts';
import { checkBounds } from '../types/bounds.ts';
import type { Body } from './body.ts';

/** Checks arguments against parameters. Surplus arguments are still checked as expressions. */
export function checkArguments(
  body: Body,
  what: string,
  args: readonly Expr[],
  params: readonly Type[],
  site: Span,
): void {
  checkCount(body, what, args.length, params.length, site);
  for (const [index, arg] of args.entries()) {
    const expected = params[index];
    if (expected === undefined) body.expr(arg);
    else
      body.checkExpr(
        arg,
        expected,
        'argument-type',
        (wanted, found) => `argument ${index + 1} of ${what}: expected ${wanted}, found ${found}`,
      );
  }
}

/** Checks arguments as expressions, for a call without a known signature. */
export function checkArgumentsOnly(body: Body, args: readonly Expr[]): Type {
  for (const arg of args) body.expr(arg);
  return UNKNOWN;
}

function checkCount(body: Body, what: string, found: number, wanted: number, site: Span): void {
  if (found !== wanted) body.report('argument-count', site, `${what} expects ${wanted} argument(s), got ${found}`);
}

/** Infers the type arguments of one call of a generic function and checks their bounds. Reports parameters that cannot be inferred. */
export function checkGenericArguments(
  body: Body,
  callable: Callable,
  typeArgs: readonly TypeNode[],
  args: readonly Expr[],
  name: Name,
  site: Span,
): { readonly known: Substitution; readonly isFine: boolean } {
  const { typeParams, params } = callable;
  const what = `function '${name.text}'`;
  checkCount(body, what, args.length, params.length, site);
  const written = typeArgs.map(arg => body.type(arg));
  if (written.length > 0 && written.length !== typeParams.length)
    body.report(
      'call-type-arguments',
      site,
      `${what} expects ${typeParams.length} type arguments, got ${written.length}`,
    );
  const known = new Map<ParamType, Type>(
    substitution(
      typeParams.map(({ type }) => type),
      written,
    ),
  );
  for (const [index, arg] of args.entries()) {
    const param = params[index];
    if (param === undefined) {
      body.expr(arg);
      continue;
    }
    const before = substitute(param.type, known);
    const found = body.expr(arg, before.isOpen && !isOwn(body, before) ? undefined : before);
    inferTypeArgs(before, found, known);
    const expected = substitute(param.type, known);
    if (!body.isCompatible(found, expected))
      body.report(
        'argument-type',
        arg,
        `argument ${index + 1} of ${what}: expected ${showType(expected)}, found ${showType(found)}`,
      );
  }
  const missing = typeParams.filter(({ type }) => !known.has(type));
  if (missing.length > 0) {
    if (args.length === params.length)
      body.report(
        'type-parameter-uninferable',
        site,
        `cannot infer type parameter(s) ${missing.map(({ type }) => type.name).join(', ')} of ${what}: write '${name.text}<…>(…)'`,
      );
    for (const { type } of missing) known.set(type, UNKNOWN);
  }
  return { known, isFine: checkBounds(body, callable.typeParams, known, site) };
}

/** Whether a type is a type parameter of the declaration that contains the body. */
function isOwn({ context }: Body, type: Type): boolean {
  return type.kind === 'param' && context.typeParams.get(type.name) === type;
}
