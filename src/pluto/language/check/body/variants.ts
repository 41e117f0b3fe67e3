import { counted, plural } from '../../../../base/plural.ts';
import type { FieldInit } from '../../syntax/ast/code.ts';
import type { Name } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Type as TypeNode } from '../../syntax/ast/type.ts';
import { findTypeSymbol } from '../program/resolve-type.ts';
import { checkBounds } from '../types/bounds.ts';
import { enumOf, UNKNOWN } from '../types/make.ts';
import { substitute, substitution } from '../types/substitute.ts';
import type { EnumSymbol, FieldSignature, Type, VariantSignature } from '../types/type.ts';
import type { Body } from './body.ts';

/** An enum variant named by a path; `variant` is undefined if the enum has no such variant. */
export interface NamedVariant {
  readonly symbol: EnumSymbol;
  readonly name: Name;
  readonly variant: VariantSignature | undefined;
  readonly args: readonly Type[];
}

/** Resolves `Enum.Variant` or `module.Enum.Variant`; undefined if there is no such enum. */
export function variantOf(
  body: Body,
  path: readonly Name[],
  typeArgs: readonly TypeNode[],
  site: Span,
): NamedVariant | undefined {
  const name = path.at(-1);
  const enumPath = path.slice(0, -1);
  if (name === undefined || enumPath.length === 0 || enumPath.length > 2) return undefined;
  const symbol = findTypeSymbol(body.scope, enumPath, body);
  if (symbol?.kind !== 'EnumDecl') return undefined;
  const { typeParams, variants } = body.context.signatures.enum(symbol);
  const written = typeArgs.map(arg => body.type(arg));
  if (written.length !== typeParams.length) {
    const what = written.length === 0 ? `unknown enum '${symbol.name}': it is generic and` : `enum '${symbol.name}'`;
    body.report('call-type-arguments', site, `${what} expects ${typeParams.length} type arguments`);
  }
  const args = typeParams.map((_, index) => written[index] ?? UNKNOWN);
  const known = substitution(
    typeParams.map(({ type }) => type),
    args,
  );
  if (known !== undefined) checkBounds(body, typeParams, known, site);
  return { symbol, name, variant: variants.get(name.text), args };
}

/** Checks a variant literal; `inits` is undefined without braces. */
export function variantValue(
  body: Body,
  { symbol, name, variant, args }: NamedVariant,
  inits: readonly FieldInit[] | undefined,
  site: Span,
): Type {
  const type = enumOf(symbol, args);
  if (variant === undefined) {
    if (name.text !== '') body.report('variant-unknown', name, `enum '${symbol.name}' has no variant '${name.text}'`);
    for (const { value } of inits ?? []) body.expr(value);
    return type;
  }
  const { typeParams } = body.context.signatures.enum(symbol);
  const known = substitution(
    typeParams.map(param => param.type),
    args,
  );
  const what = `variant '${symbol.name}.${variant.name}'`;
  if (inits === undefined && variant.fields.size > 0)
    body.report(
      'variant-fields',
      site,
      `${what} has fields: write ${symbol.name}.${variant.name} { ${Array.from(variant.fields.keys(), field => `${field}: …`).join(', ')} }`,
    );
  if (inits !== undefined)
    checkInits(body, what, variant.fields, inits, site, 'variant-fields', field => substitute(field.type, known));
  return type;
}

/** Checks the fields of a literal: all of them given, each once and with its type. */
export function checkInits(
  body: Body,
  what: string,
  fields: ReadonlyMap<string, FieldSignature>,
  inits: readonly FieldInit[],
  site: Span,
  code: 'variant-fields' | 'literal-fields' | 'error-fields',
  typeOf: (field: FieldSignature) => Type,
): void {
  const given = new Set<string>();
  for (const { name, value } of inits) {
    const field = fields.get(name.text);
    if (field === undefined) {
      const tooMany = inits.length > fields.size ? ` has ${fieldCounts(fields.size, inits.length)}: it` : '';
      if (name.text !== '') body.report(code, name, `${what}${tooMany} has no field '${name.text}'`);
      body.expr(value);
      continue;
    }
    if (given.has(name.text)) body.report(code, name, `duplicate field '${name.text}' of ${what}`);
    given.add(name.text);
    body.checkExpr(
      value,
      typeOf(field),
      code,
      (wanted, found) => `field '${name.text}': expected ${wanted}, found ${found}`,
    );
  }
  const missing = Array.from(fields.keys()).filter(field => !given.has(field));
  if (missing.length > 0)
    body.report(
      code,
      site,
      `${what} has ${fieldCounts(fields.size, given.size)}: ${missing.join(', ')} ${plural(missing.length, 'is', 'are')} missing`,
    );
}

const fieldCounts = (wanted: number, given: number): string =>
  `${counted(wanted, 'field')}, but ${counted(given, 'field')} ${plural(given, 'is', 'are')} given`;
