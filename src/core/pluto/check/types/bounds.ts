import type { Span } from '../../syntax/ast/span.ts';
import type { Report } from '../report/check-codes.ts';
import type { TraitsOf } from './relate.ts';
import { showType } from './show.ts';
import { type Substitution, substitution } from './substitute.ts';
import type { ClassSymbol, EnumSymbol, Type, TypeParamSignature } from './type.ts';

export interface BoundsContext {
  readonly report: Report;
  readonly traitsOf: TraitsOf;
}

/** Every argument must list the traits that its parameter asks for, and be nullable only where it may. @returns whether all do */
export function checkBounds(
  { report, traitsOf }: BoundsContext,
  typeParams: readonly TypeParamSignature[],
  known: Substitution,
  site: Span,
): boolean {
  let isFine = true;
  for (const { type, bounds, isMadeNullable } of typeParams) {
    const arg = known.get(type);
    if (arg === undefined || arg.kind === 'unknown' || arg.kind === 'param') continue;
    if (isMadeNullable && arg.kind === 'nullable') {
      isFine = false;
      report(
        'nullable-nested',
        site,
        `nested nullable type: '${type.name}' is used as '${type.name}?', and stands for ${showType(arg)}`,
      );
    }
    for (const bound of bounds) {
      if (arg.kind === 'class' && traitsOf(arg.symbol).includes(bound)) continue;
      isFine = false;
      report(
        'bound-unsatisfied',
        site,
        `type ${showType(arg)} does not satisfy bound '${bound.name}' of type parameter '${type.name}'`,
      );
    }
  }
  return isFine;
}

/** The same for every generic type inside of a type that was written. */
export function checkBoundsIn(
  context: BoundsContext,
  type: Type,
  typeParamsOf: (symbol: ClassSymbol | EnumSymbol) => readonly TypeParamSignature[],
  site: Span,
): void {
  const inside = (part: Type): void => checkBoundsIn(context, part, typeParamsOf, site);
  switch (type.kind) {
    case 'class':
    case 'enum': {
      if (type.args.length === 0) return;
      const typeParams = typeParamsOf(type.symbol);
      const known = substitution(
        typeParams.map(param => param.type),
        type.args,
      );
      if (known !== undefined) checkBounds(context, typeParams, known, site);
      return type.args.forEach(inside);
    }
    case 'list':
    case 'nullable':
    case 'set':
    case 'task':
    case 'sender':
    case 'receiver':
    case 'stream':
      return inside(type.element);
    case 'map':
      inside(type.key);
      return inside(type.value);
    case 'fn':
      type.params.forEach(inside);
      return inside(type.result);
    default:
  }
}
