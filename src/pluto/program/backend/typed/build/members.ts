import { findTypeSymbol } from '../../../../language/check/program/resolve-type.ts';
import { INT } from '../../../../language/check/types/make.ts';
import type { EnumSymbol, Type } from '../../../../language/check/types/type.ts';
import type { FieldInit as FieldInitNode, Pattern } from '../../../../language/syntax/ast/code.ts';
import type { Name } from '../../../../language/syntax/ast/node.ts';
import type { ErrorField, ErrorMessage, FieldInit, FieldUse, MatchPattern, TypedValue } from '../typed-form.ts';
import type { BodyBuilder } from './body-builder.ts';

export function fieldOf(
  body: BodyBuilder,
  object: TypedValue,
  name: string,
  type: Type,
): FieldUse | ErrorField | ErrorMessage {
  if (object.type.kind === 'any-error') return { kind: 'error-message', type, object };
  if (object.type.kind !== 'error') return { kind: 'field', type, object, name, range: undefined };
  const index = Array.from(body.signatures.error(object.type.symbol).fields.keys()).indexOf(name);
  return { kind: 'error-field', type, object, index };
}

/** The fields of a literal in source order. */
export const initsOf = (
  body: BodyBuilder,
  names: readonly string[],
  inits: readonly FieldInitNode[],
): readonly FieldInit[] =>
  inits.map(({ name, value }) => ({ index: names.indexOf(name.text), value: body.value(value) }));

/** Resolves `Enum.Variant` or `module.Enum.Variant`. */
export function variantNamed(
  body: BodyBuilder,
  path: readonly Name[],
): { readonly symbol: EnumSymbol; readonly name: string } | undefined {
  const name = path.at(-1);
  if (name === undefined || path.length < 2 || path.length > 3) return undefined;
  const symbol = findTypeSymbol(body.scope, path.slice(0, -1));
  return symbol?.kind === 'EnumDecl' ? { symbol, name: name.text } : undefined;
}

export function patternOf(body: BodyBuilder, pattern: Pattern): MatchPattern {
  const named = variantNamed(body, pattern.path);
  const variants = named === undefined ? [] : Array.from(body.signatures.enum(named.symbol).variants.values());
  const tag = variants.findIndex(({ name }) => name === named?.name);
  const fields = Array.from(variants[tag]?.fields.values() ?? []);
  const bindings = (pattern.bindings ?? []).map(({ field, rename }) => {
    const index = fields.findIndex(({ name }) => name === field.text);
    return { variable: body.declare(rename ?? field), index };
  });
  return { tag, bindings };
}

export const ONE = { kind: 'int', type: INT, value: 1n } as const;
