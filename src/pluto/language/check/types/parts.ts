import type { ParamType, Type } from './type.ts';

const NO_PARTS: readonly Type[] = [];

/** The types that a type is directly made of: elements, type arguments, parameters and results. */
export function typeParts(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'map':
      return [type.key, type.value];
    case 'fn':
      return [...type.params, type.result];
    case 'class':
    case 'enum':
      return type.args;
    default:
      return 'element' in type ? [type.element] : NO_PARTS;
  }
}

/** Whether two types have the same constructor: they can differ in their parts alone. */
export const isSameConstructor = (a: Type, b: Type): boolean =>
  a.kind === b.kind && ('symbol' in a ? 'symbol' in b && a.symbol === b.symbol : true);

/** Adds the type parameters that occur as `T?` in a type. */
export function collectNullableParams(type: Type, into: Set<ParamType>): void {
  if (!type.isOpen) return;
  if (type.kind === 'nullable' && type.element.kind === 'param') into.add(type.element);
  for (const part of typeParts(type)) collectNullableParams(part, into);
}

/** Deeper types come from a generic declaration that uses itself with ever larger types. */
const MAX_DEPTH = 12;

/** Whether a type is nested more deeply than a program needs, so that types that contain it are not followed any further. */
export const isTooDeep = ({ depth }: Type): boolean => depth > MAX_DEPTH;
