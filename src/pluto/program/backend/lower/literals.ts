import { findTypeSymbol } from '../../../language/check/program/resolve-type.ts';
import type { EnumSymbol } from '../../../language/check/types/type.ts';
import type { Expr, FieldInit, FStringExpr, RecordExpr } from '../../../language/syntax/ast/code.ts';
import type { Name } from '../../../language/syntax/ast/node.ts';
import type { BodyLowering } from './body.ts';
import { called, CHECKS } from './blocking.ts';
import { hasInvariants, variantFields } from './declared.ts';
import { byteLiteral } from '../js-names.ts';

export const floatLiteral = (raw: string): string => String(Number(raw.replaceAll('_', '')));

export function lowerFString(body: BodyLowering, { pieces }: FStringExpr): string {
  const codes = body.sequence(
    pieces.map(piece => () => (piece.kind === 'FStringText' ? byteLiteral(piece.value) : textOf(body, piece))),
  );
  const [first = '""'] = codes;
  // The operator is a concatenation if one side is a text.
  return `(${(first.startsWith('"') ? codes : ['""', ...codes]).join(' + ') || '""'})`;
}

function textOf(body: BodyLowering, piece: Expr): string {
  const value = body.value(piece);
  if (value.isCompact) return `$$text(${value.code})`;
  return body.typeOf(piece).kind === 'string' ? value.code : `$rt.text(${value.code})`;
}

export function lowerRecord(body: BodyLowering, expr: RecordExpr): string {
  const variant = variantNamed(body, expr.path);
  if (variant !== undefined) {
    const order = variantFields(variant.symbol, variant.name);
    return `${body.program.variant(variant.symbol, variant.name)}.make(${initsIn(body, order, expr.fields).join(', ')})`;
  }
  const symbol = findTypeSymbol(body.scope, expr.path);
  if (symbol?.kind !== 'ClassDecl') return 'null';
  const { fields } = body.program.checked.signatures.class(symbol);
  const isInt = (name: string): boolean => fields.get(name)?.type.kind === 'int';
  const inits = initsIn(body, Array.from(fields.keys()), expr.fields, isInt);
  const made = `new ${body.program.class(symbol)}(${inits.join(', ')})`;
  if (!hasInvariants(symbol)) return made;
  body.calls(CHECKS);
  return called(CHECKS, `${made}.$$check()`);
}

/** The field values of a literal, evaluated in source order, returned in declaration order. */
export function initsIn(
  body: BodyLowering,
  order: readonly string[],
  inits: readonly FieldInit[],
  isCompact: (name: string) => boolean = () => false,
): readonly string[] {
  const isInOrder = inits.every(({ name }, index) => name.text === order[index]);
  const codes = body.sequence(
    inits.map(
      ({ name, value }) =>
        () =>
          isCompact(name.text) ? body.compact(value) : body.expr(value),
    ),
    !isInOrder,
  );
  return order.map(field => codes[inits.findIndex(({ name }) => name.text === field)] ?? 'null');
}

/** Resolves `Enum.Variant` or `module.Enum.Variant`. */
export function variantNamed(
  body: BodyLowering,
  path: readonly Name[],
): { readonly symbol: EnumSymbol; readonly name: string } | undefined {
  const name = path.at(-1);
  if (name === undefined || path.length < 2 || path.length > 3) return undefined;
  const symbol = findTypeSymbol(body.scope, path.slice(0, -1));
  return symbol?.kind === 'EnumDecl' ? { symbol, name: name.text } : undefined;
}
