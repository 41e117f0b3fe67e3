import type { MemberExpr } from '../../../language/syntax/ast/code.ts';
import { dottedPath } from '../../../language/syntax/ast/code.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { BodyLowering } from './body.ts';
import { fieldName, localName } from '../js-names.ts';
import { type ValueCode, wideCode } from './int-code.ts';
import { variantNamed } from './literals.ts';

export function lowerName(
  body: BodyLowering,
  { name, start }: { readonly name: string; readonly start: number },
): string {
  return body.facts.isAmbient(start) ? `self.${fieldName(name)}` : localName(name);
}

/** Whether the name at an offset is not a variable, so that it may be an enum or a module. */
export const isUnbound = ({ facts }: BodyLowering, start: number): boolean =>
  facts.localAt(start) === undefined && !facts.isAmbient(start);

export function lowerMember(body: BodyLowering, expr: MemberExpr): ValueCode {
  const path = dottedPath(expr);
  const [first] = path ?? [];
  if (path !== undefined && first !== undefined && isUnbound(body, first.start)) {
    const variant = variantNamed(body, path);
    if (variant !== undefined) return wideCode(`${body.program.variant(variant.symbol, variant.name)}.make()`);
  }
  const type = body.typeOf(expr.object);
  const code = fieldOf(body, body.expr(expr.object), type, expr.name.text);
  return { code, isCompact: isIntField(body, type, expr.name.text) };
}

/** Whether a field contains compact ints. A field whose declared type is a type parameter contains wide ones. */
export const isIntField = ({ program }: BodyLowering, type: Type, name: string): boolean =>
  type.kind === 'class' && program.checked.signatures.class(type.symbol).fields.get(name)?.type.kind === 'int';

/** A field access on a lowered object. */
export function fieldOf(body: BodyLowering, object: string, type: Type, name: string): string {
  if (type.kind === 'any-error') return `$rt.messageOf(${object})`;
  if (type.kind !== 'error') return `${object}.${fieldName(name)}`;
  const index = Array.from(body.program.checked.signatures.error(type.symbol).fields.keys()).indexOf(name);
  return `${object}.fields[${index}]`;
}
