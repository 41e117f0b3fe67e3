import type { TypedBody, TypedClass, TypedFunction, TypedMethod } from '../typed/typed-form.ts';

/** Code that becomes one function of a module: a function, a method, or the invariants of a class. */
export type Callee = TypedFunction | TypedMethod | TypedClass;

/** The class of the object that the code has as its first parameter; `undefined` for a function. */
export function classOfSelf(of: Callee): TypedClass | undefined {
  if ('invariants' in of) return of;
  return 'owner' in of ? of.owner : undefined;
}

type Code = Pick<TypedBody, 'params' | 'checks' | 'block'>;

export const codeOfCallee = (of: Callee): Code =>
  'invariants' in of ? { params: [], checks: of.invariants, block: [] } : of.body;
