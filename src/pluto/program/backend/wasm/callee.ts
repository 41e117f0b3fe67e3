import type { FnType } from '../../../language/check/types/type.ts';
import type { ListOperation } from './list-signatures.ts';
import type { Kind, ListKind, ObjectKind, TableKind } from './kinds.ts';
import type {
  ClosureValue,
  TypedBody,
  TypedClass,
  TypedEnum,
  TypedFunction,
  TypedMethod,
  TypedSingleton,
} from '../typed/typed-form.ts';

/** A type whose values may be only in WebAssembly. */
export type ClosableType = TypedClass | TypedEnum | FunctionValues;

/** The closures of one type. */
export interface FunctionValues {
  readonly type: FnType;
  readonly closures: readonly ClosureCode[];
}

/** The code of a closure. */
export interface ClosureCode {
  readonly closure: ClosureValue;
  /** The class of the method that it is in. */
  readonly self: TypedClass | undefined;
}

/**
 * Code that becomes one function of a module: a function, a method, a closure, a singleton that is made when it is first used, the invariants of a class, the comparison of two values of an enum, the hash of one, its
 * name, a call that returns errors, the choice of a method by the class of an object, or of a closure by the number of a function value, or an operation on maps, sets, lists or ints.
 */
export type Callee =
  | TypedFunction
  | TypedMethod
  | ClosureCode
  | ClosableType
  | TypedSingleton
  | Dispatch
  | Guard
  | TableFunction
  | ListFunction
  | HashFunction
  | NameFunction
  | typeof POWER;

/** An operation on maps and sets of one kind. */
export type TableFunction = `${'find' | 'put' | 'grow' | 'remove' | 'keys' | 'values'} ${TableKind}`;

/** An operation on lists of one kind. */
export type ListFunction = `list ${ListOperation} ${ListKind}`;

/** Computes a power of an int. */
export const POWER = 'power';

/** Computes the hash of a value of an enum. */
export type HashFunction = `hash ${ObjectKind}`;

/** Finds the name of the variant of a value of an enum. */
export type NameFunction = `name ${ObjectKind}`;

export const isNameFunction = (of: Callee): of is NameFunction => typeof of === 'string' && of.startsWith('name ');
export const isHashFunction = (of: Callee): of is HashFunction => typeof of === 'string' && of.startsWith('hash ');
/** Whether code is the same for all programs, but for the types of values. */
export const isCommon = (of: Callee): of is TableFunction | ListFunction | HashFunction | NameFunction | typeof POWER =>
  typeof of === 'string';
export const isListFunction = (of: Callee): of is ListFunction => typeof of === 'string' && of.startsWith('list ');

/** Calls other code, and returns the error that it raises. */
export interface Guard {
  readonly guarded: Callee;
}

export const isGuard = (of: Callee): of is Guard => typeof of === 'object' && 'guarded' in of;

/** The methods that a call through a trait can run; the same array for all calls of this method. */
export type Dispatch = readonly TypedMethod[];

export const isDispatch = (of: Callee): of is Dispatch => Array.isArray(of);

export const isSingleton = (of: Callee): of is TypedSingleton =>
  typeof of === 'object' && !Array.isArray(of) && 'value' in of;

/** The class of the object that the code has as its first parameter; `undefined` for a function. */
export function classOfSelf(of: Callee): TypedClass | undefined {
  if (isDispatch(of) || isCommon(of) || isGuard(of) || isSingleton(of)) return undefined;
  if ('invariants' in of) return of;
  if ('closure' in of) return of.closure.captured.hasSelf ? of.self : undefined;
  if ('owner' in of) return of.owner;
  return 'self' in of ? of.self : undefined;
}

/** Types of the parameters and the result of a function that WebAssembly code can call. */
export interface Signature {
  /** The object of a method. */
  readonly self: ObjectKind | undefined;
  readonly params: readonly Kind[];
  readonly result: Kind | undefined;
  /** Types of further results. */
  readonly outputs?: readonly Kind[];
  /** Whether it has another result: the error that it has caught, or null. */
  readonly hasError?: boolean;
}

type Code = Pick<TypedBody, 'params' | 'checks' | 'block' | 'outputs'>;

export function codeOfCallee(of: Callee): Code {
  if (isDispatch(of) || isCommon(of) || isGuard(of) || isSingleton(of)) return { params: [], checks: [], block: [] };
  if ('body' in of) return of.body;
  if ('closure' in of) {
    const { captured, params, body } = of.closure;
    return { params: [...captured.variables, ...params], checks: [], block: body };
  }
  return { params: [], checks: 'invariants' in of ? of.invariants : [], block: [] };
}
