import type { Name, NodeOf } from './node.ts';

export type Type = NamedType | ListType | FnType | NullableType | StreamType | BrokenType;

/** Primitive, class, enum, trait, `Map<…>`, …; two names in `path` if qualified by a module. */
export interface NamedType extends NodeOf<'NamedType'> {
  readonly path: readonly Name[];
  readonly args: readonly Type[];
}

export interface ListType extends NodeOf<'ListType'> {
  readonly element: Type;
}

export interface FnType extends NodeOf<'FnType'> {
  readonly params: readonly Type[];
  readonly result: Type | undefined;
}

export interface NullableType extends NodeOf<'NullableType'> {
  readonly inner: Type;
}

export interface StreamType extends NodeOf<'StreamType'> {
  readonly element: Type;
}

export interface BrokenType extends NodeOf<'BrokenType'> {}
