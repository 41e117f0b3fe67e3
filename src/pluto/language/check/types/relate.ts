import { nullableOf } from './make.ts';
import { isSameConstructor, typeParts } from './parts.ts';
import type { ClassSymbol, TraitSymbol, Type } from './type.ts';

/** Looks up the traits that a class lists. */
export interface Traits {
  traitsOf(symbol: ClassSymbol): readonly TraitSymbol[];
}

/**
 * Whether a value of type `actual` is assignable to `expected`. A type parameter is compatible with every type: violations
 * are found when the instances of the declaration are checked.
 */
export function isCompatible(actual: Type, expected: Type, traits: Traits): boolean {
  if (actual === expected || actual.kind === 'unknown' || expected.kind === 'unknown') return true;
  if (actual.kind === 'never' || actual.kind === 'param' || expected.kind === 'param') return true;
  if (expected.kind === 'nullable') {
    if (actual.kind === 'none') return true;
    if (actual.kind === 'nullable') return isSame(actual.element, expected.element);
    return isCompatible(actual, expected.element, traits);
  }
  if (expected.kind === 'trait')
    return actual.kind === 'class' && traits.traitsOf(actual.symbol).includes(expected.symbol);
  if (expected.kind === 'fn' && actual.kind === 'fn') {
    return (
      actual.params.length === expected.params.length &&
      actual.params.every((param, index) => {
        const wanted = expected.params[index];
        return wanted !== undefined && (isCompatible(param, wanted, traits) || isCompatible(wanted, param, traits));
      }) &&
      isCompatible(actual.result, expected.result, traits)
    );
  }
  return (actual.isOpen || expected.isOpen) && isSame(actual, expected);
}

/** Whether two types are equal, or can be equal for some type arguments. */
export function isSame(a: Type, b: Type): boolean {
  if (a === b || a.kind === 'unknown' || b.kind === 'unknown') return true;
  if (a.kind === 'param' || b.kind === 'param') return true;
  if (!a.isOpen && !b.isOpen) return false;
  return isSameConstructor(a, b) && areSame(typeParts(a), typeParts(b));
}

const areSame = (a: readonly Type[], b: readonly Type[]): boolean =>
  a.length === b.length &&
  a.every((one, index) => {
    const other = b[index];
    return other !== undefined && isSame(one, other);
  });

/** The common type of two branches; undefined if there is none. */
export function commonType(a: Type, b: Type): Type | undefined {
  if (a === b || b.kind === 'never' || b.kind === 'unknown') return a;
  if (a.kind === 'never' || a.kind === 'unknown') return b;
  if (a.kind === 'none') return b.kind === 'void' ? undefined : nullableOf(b);
  if (b.kind === 'none') return a.kind === 'void' ? undefined : nullableOf(a);
  if (a.kind === 'nullable' && b.kind !== 'nullable') return isSame(a.element, b) ? a : undefined;
  if (b.kind === 'nullable' && a.kind !== 'nullable') return isSame(b.element, a) ? b : undefined;
  return isSame(a, b) ? a : undefined;
}

/** Whether a type contains a bare `none`, so that its element type cannot be inferred. */
export function hasNone(type: Type): boolean {
  if (type.kind === 'none') return true;
  const isContainer = type.kind === 'list' || type.kind === 'nullable' || type.kind === 'set' || type.kind === 'map';
  return isContainer && typeParts(type).some(hasNone);
}

/** Whether map and set literals can have keys of a type. */
export const isKey = ({ kind }: Type): boolean =>
  kind === 'int' ||
  kind === 'float' ||
  kind === 'bool' ||
  kind === 'string' ||
  kind === 'byte' ||
  kind === 'enum' ||
  kind === 'param' ||
  kind === 'unknown';
