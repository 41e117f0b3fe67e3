import type { Param } from '../../syntax/ast/code.ts';
import type { Dep, Field, MethodDecl, RequiredMethod, TypeParam } from '../../syntax/ast/decl.ts';
import type { Name } from '../../syntax/ast/node.ts';
import type { Type as TypeNode } from '../../syntax/ast/type.ts';
import type { Body } from '../body/body.ts';
import { findTypeSymbol } from '../program/resolve-type.ts';
import type { CheckCode } from '../report/check-codes.ts';

/** Reports names that occur more than once in a list. */
export function checkDuplicates(
  body: Body,
  names: readonly Name[],
  code: CheckCode,
  message: (name: string) => string,
): void {
  if (names.length < 2) return;
  const seen = new Set<string>();
  for (const name of names) {
    if (name.text === '') continue;
    if (seen.has(name.text)) body.report(code, name, message(name.text));
    seen.add(name.text);
  }
}

export function checkTypeParams(body: Body, typeParams: readonly TypeParam[]): void {
  checkDuplicates(
    body,
    typeParams.map(({ name }) => name),
    'name-duplicate',
    name => `type parameter '${name}' is already declared`,
  );
  const { program, file } = body.context;
  for (const { bounds } of typeParams)
    for (const bound of bounds)
      if (bound.text !== '' && program.find(file, bound.text, 'TraitDecl') === undefined)
        body.report('trait-unknown', bound, `unknown trait '${bound.text}' in type bound`);
}

/** Checks the names and types of parameters, and the result type. */
export function checkHead(
  body: Body,
  { params, result }: { readonly params: readonly Param[]; readonly result?: MethodDecl['result'] },
): void {
  checkDuplicates(
    body,
    params.map(({ name }) => name),
    'name-duplicate',
    name => `parameter '${name}' is already declared`,
  );
  for (const { type } of params) body.type(type);
  if (result !== undefined) body.type(result);
}

export function checkFields(body: Body, fields: readonly (Field | Dep)[]): void {
  checkDuplicates(
    body,
    fields.map(({ name }) => name),
    'member-duplicate',
    name => `duplicate field '${name}'`,
  );
  for (const { kind, name, type } of fields) {
    const unknown = kind === 'Dep' ? unknownName(body, type) : undefined;
    if (unknown === undefined) body.type(type);
    else
      body.report(
        'dependency-unknown',
        type,
        `unknown type '${unknown}': type of dependency '${name.text}' is not a known class`,
      );
  }
}

/** The name of an unknown type. Undefined behind an unresolved import, which is reported itself. */
function unknownName(body: Body, type: TypeNode): string | undefined {
  if (type.kind !== 'NamedType' || type.args.length > 0 || body.typeWithoutReport(type).kind !== 'unknown')
    return undefined;
  const { program, file } = body.context;
  const [first] = type.path;
  if (first === undefined || findTypeSymbol(body.scope, type.path) !== undefined) return undefined;
  const isOpen = type.path.length > 1 && program.isUnresolved(file, first.text);
  return isOpen || type.path.some(({ text }) => text === '') ? undefined : type.path.map(({ text }) => text).join('.');
}

export function checkMethodNames(body: Body, methods: readonly (MethodDecl | RequiredMethod)[]): void {
  checkDuplicates(
    body,
    methods.map(({ name }) => name),
    'member-duplicate',
    name => `duplicate method '${name}'`,
  );
}
