import type { ParamType, Type } from './type.ts';

/** The type parameters that stand before a `?` somewhere in a type. */
export function collectNullableParams(type: Type, found: Set<ParamType>): void {
  if (!type.isOpen) return;
  switch (type.kind) {
    case 'nullable':
      if (type.element.kind === 'param') found.add(type.element);
      return collectNullableParams(type.element, found);
    case 'list':
    case 'set':
    case 'task':
    case 'sender':
    case 'receiver':
    case 'stream':
      return collectNullableParams(type.element, found);
    case 'map':
      collectNullableParams(type.key, found);
      return collectNullableParams(type.value, found);
    case 'fn':
      for (const param of type.params) collectNullableParams(param, found);
      return collectNullableParams(type.result, found);
    case 'class':
    case 'enum':
      for (const arg of type.args) collectNullableParams(arg, found);
      return;
    default:
  }
}
