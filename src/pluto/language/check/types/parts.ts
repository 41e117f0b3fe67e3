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

/** Nesting depth of a type. It bounds the instances of a generic declaration that uses itself with ever larger types. */
export function depthOf(type: Type): number {
  const parts = typeParts(type);
  const isNamed = type.kind === 'class' || type.kind === 'enum';
  return isNamed || parts.length > 0 ? 1 + Math.max(0, ...parts.map(depthOf)) : 0;
}
