import { classOf, enumOf, fnOf, listOf, mapOf, nullableOf, wrap } from './make.ts';
import { isSameConstructor, typeParts } from './parts.ts';
import type { ParamType, Type } from './type.ts';

/** Type arguments by type parameter. */
export type Substitution = ReadonlyMap<ParamType, Type>;

/** Replaces the type parameters in `type` that `by` has an argument for. */
export function substitute(type: Type, by: Substitution | undefined): Type {
  if (!type.isOpen || by === undefined) return type;
  switch (type.kind) {
    case 'param':
      return by.get(type) ?? type;
    case 'list':
      return listOf(substitute(type.element, by));
    case 'map':
      return mapOf(substitute(type.key, by), substitute(type.value, by));
    case 'nullable':
      return nullableOf(substitute(type.element, by));
    case 'set':
    case 'task':
    case 'sender':
    case 'receiver':
    case 'stream':
      return wrap(type.kind, substitute(type.element, by));
    case 'fn':
      return fnOf(
        type.params.map(param => substitute(param, by)),
        substitute(type.result, by),
      );
    case 'class':
      return classOf(
        type.symbol,
        type.args.map(arg => substitute(arg, by)),
      );
    case 'enum':
      return enumOf(
        type.symbol,
        type.args.map(arg => substitute(arg, by)),
      );
    default:
      return type;
  }
}

/** Pairs type parameters with type arguments in order; undefined without parameters. */
export function substitution(params: readonly ParamType[], args: readonly Type[]): Substitution | undefined {
  if (params.length === 0) return undefined;
  const by = new Map<ParamType, Type>();
  for (const [index, param] of params.entries()) {
    const arg = args[index];
    if (arg !== undefined) by.set(param, arg);
  }
  return by;
}

/**
 * Infers the type parameters in `pattern` from the type of an argument; the first inferred type of a parameter wins. A structural
 * mismatch is left to the compatibility check of the argument.
 */
export function inferTypeArgs(pattern: Type, actual: Type, known: Map<ParamType, Type>): void {
  if (!pattern.isOpen || actual.kind === 'unknown') return;
  switch (pattern.kind) {
    case 'param':
      if (!known.has(pattern) && actual.kind !== 'none' && actual.kind !== 'never') known.set(pattern, actual);
      return;
    case 'nullable':
      inferTypeArgs(pattern.element, actual.kind === 'nullable' ? actual.element : actual, known);
      return;
    case 'fn':
      if (actual.kind !== 'fn') return;
      inferFromParts(pattern.params, actual.params, known);
      return inferTypeArgs(pattern.result, actual.result, known);
    default:
      if (isSameConstructor(pattern, actual)) inferFromParts(typeParts(pattern), typeParts(actual), known);
  }
}

function inferFromParts(patterns: readonly Type[], actuals: readonly Type[], known: Map<ParamType, Type>): void {
  for (const [index, pattern] of patterns.entries()) {
    const actual = actuals[index];
    if (actual !== undefined) inferTypeArgs(pattern, actual, known);
  }
}
