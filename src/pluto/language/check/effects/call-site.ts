import type { ErrorSymbol, Type } from '../types/type.ts';

/** Key of something that can raise: a body, an instance of a generic body, the implementations of a trait method, or tasks of one type. */
export type EffectKey = string;

export const bodyKey = (id: string, typeArgs: readonly Type[]): EffectKey =>
  typeArgs.length === 0 ? id : `${id}<${typeArgs.map(type => type.id).join()}>`;
/** The body of a trait's default method in a class. */
export const inheritedKey = (methodId: string, { id }: { readonly id: string }): EffectKey => `${methodId} for ${id}`;
export const traitKey = (methodId: string): EffectKey => `trait ${methodId}`;
/** Whether the called body depends on the class of the object. */
export const isDispatched = (key: EffectKey): boolean => key.startsWith('trait ');
export const taskKey = (result: Type): EffectKey => `task ${result.id}`;

/** A call that may raise, and how its errors are handled. */
export interface CallSite {
  readonly how: 'bare' | 'propagate' | 'catch';
  /** The callee whose errors arrive here, in addition to `direct`. */
  readonly key: EffectKey | undefined;
  readonly direct: readonly ErrorSymbol[];
  /** The handled errors, if all handlers are typed. */
  readonly covers: readonly ErrorSymbol[] | undefined;
  /** The callee as messages show it: `function 'load'`, `method 'get'`. */
  readonly what: string;
  /** Whether the callee depends on a type parameter. It may then be infallible in some instances. */
  readonly isOpen: boolean;
  readonly start: number;
  readonly end: number;
}
