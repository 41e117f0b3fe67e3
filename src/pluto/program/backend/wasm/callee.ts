import type { TypedBody, TypedClass, TypedEnum, TypedFunction, TypedMethod } from '../typed/typed-form.ts';

/** A type whose values may be only in WebAssembly. */
export type ClosableType = TypedClass | TypedEnum;

/** Code that becomes one function of a module: a function, a method, the invariants of a class, or the comparison of two values of an enum. */
export type Callee = TypedFunction | TypedMethod | ClosableType;

/** The class of the object that the code has as its first parameter; `undefined` for a function. */
export function classOfSelf(of: Callee): TypedClass | undefined {
  if ('invariants' in of) return of;
  return 'owner' in of ? of.owner : undefined;
}

type Code = Pick<TypedBody, 'params' | 'checks' | 'block'>;

export function codeOfCallee(of: Callee): Code {
  if ('body' in of) return of.body;
  return { params: [], checks: 'invariants' in of ? of.invariants : [], block: [] };
}
