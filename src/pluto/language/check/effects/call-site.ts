import type { ErrorSymbol } from '../types/type.ts';
import type { Type } from '../types/type.ts';

/** Names one thing that can raise: a body, or one instance of a generic one, or the methods behind a trait, or tasks of one type. */
export type EffectKey = string;

export const bodyKey = (id: string, typeArgs: readonly Type[]): EffectKey =>
  typeArgs.length === 0 ? id : `${id}<${typeArgs.map(type => type.id).join()}>`;
export const traitKey = (methodId: string): EffectKey => `trait ${methodId}`;
export const taskKey = (result: Type): EffectKey => `task ${result.id}`;

/** A call of something that may be able to raise, and what is done about it. */
export interface CallSite {
  readonly how: 'bare' | 'propagate' | 'catch';
  /** Whose errors arrive here, besides `direct`. */
  readonly key: EffectKey | undefined;
  readonly direct: readonly ErrorSymbol[];
  /** With nothing but typed handlers: the errors that these name. */
  readonly covers: readonly ErrorSymbol[] | undefined;
  /** `function 'load'`, `method 'get'`. */
  readonly what: string;
  /** Whether what is called depends on a type parameter: then it need not raise in every instance. */
  readonly isOpen: boolean;
  readonly start: number;
  readonly end: number;
}
