import type { ParamType, Type } from './type.ts';

/** The type parameters that stand before a `?` somewhere in a type. */
export function madeNullable(type: Type, found: Set<ParamType>): void {
  if (!type.isOpen) return;
  switch (type.kind) {
    case 'nullable':
      if (type.element.kind === 'param') found.add(type.element);
      return madeNullable(type.element, found);
    case 'list':
    case 'set':
    case 'task':
    case 'sender':
    case 'receiver':
    case 'stream':
      return madeNullable(type.element, found);
    case 'map':
      madeNullable(type.key, found);
      return madeNullable(type.value, found);
    case 'fn':
      for (const param of type.params) madeNullable(param, found);
      return madeNullable(type.result, found);
    case 'class':
    case 'enum':
      for (const arg of type.args) madeNullable(arg, found);
      return;
    default:
  }
}
