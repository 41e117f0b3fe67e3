import type { ListType, MapType, SimpleType, Type, WrapType } from '../../../language/check/types/type.ts';

/** The type of `bytes`, maps, sets, or lists of such values. */
export type ContainerType = ListType | MapType | SimpleType | WrapType;
/** Whether the values of a type are only in WebAssembly if no JavaScript code works on them, whatever they contain: `bytes`, maps, sets, and lists of these, of lists and of nullable values. */
export const isContainer = (type: Type): type is ContainerType =>
  type.kind === 'bytes' ||
  type.kind === 'map' ||
  type.kind === 'set' ||
  (type.kind === 'list' && CONTAINED.has(type.element.kind));
const CONTAINED: ReadonlySet<Type['kind']> = new Set(['list', 'map', 'set', 'nullable', 'bytes']);
