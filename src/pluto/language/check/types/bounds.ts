import type { Span } from '../../syntax/ast/span.ts';
import type { Reporter } from '../report/check-codes.ts';
import { typeParts } from './parts.ts';
import type { Traits } from './relate.ts';
import { showType } from './show.ts';
import { type Substitution, substitution } from './substitute.ts';
import type { ClassSymbol, EnumSymbol, Type, TypeParamSignature } from './type.ts';

export interface BoundsContext extends Reporter, Traits {
  typeParamsOf(symbol: ClassSymbol | EnumSymbol): readonly TypeParamSignature[];
}

/** Checks that each type argument satisfies the bounds of its parameter, and is nullable only where allowed. @returns whether all are valid */
export function checkBounds(
  context: BoundsContext,
  typeParams: readonly TypeParamSignature[],
  known: Substitution,
  site: Span,
): boolean {
  let isFine = true;
  for (const { type, bounds, isUsedAsNullable } of typeParams) {
    const arg = known.get(type);
    if (arg === undefined || arg.kind === 'unknown' || arg.kind === 'param') continue;
    if (isUsedAsNullable && arg.kind === 'nullable') {
      isFine = false;
      context.report(
        'nullable-nested',
        site,
        `nested nullable type: '${type.name}' is used as '${type.name}?', so its type argument cannot be ${showType(arg)}`,
      );
    }
    for (const bound of bounds) {
      if (arg.kind === 'class' && context.traitsOf(arg.symbol).includes(bound)) continue;
      isFine = false;
      context.report(
        'bound-unsatisfied',
        site,
        `type ${showType(arg)} does not satisfy bound '${bound.name}' of type parameter '${type.name}'`,
      );
    }
  }
  return isFine;
}

/** Checks the bounds of every generic type inside a type. */
export function checkBoundsIn(context: BoundsContext, type: Type, site: Span): void {
  if ((type.kind === 'class' || type.kind === 'enum') && type.args.length > 0) {
    const typeParams = context.typeParamsOf(type.symbol);
    const known = substitution(
      typeParams.map(param => param.type),
      type.args,
    );
    if (known !== undefined) checkBounds(context, typeParams, known, site);
  }
  for (const part of typeParts(type)) checkBoundsIn(context, part, site);
}
