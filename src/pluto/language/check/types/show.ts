import type { DeclSymbol, Type } from './type.ts';

/** A type in source syntax, for messages and hovers. */
export function showType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `[${showType(type.element)}]`;
    case 'map':
      return `Map<${showType(type.key)}, ${showType(type.value)}>`;
    case 'set':
      return `Set<${showType(type.element)}>`;
    case 'task':
      return `Task<${showType(type.element)}>`;
    case 'sender':
      return `Sender<${showType(type.element)}>`;
    case 'receiver':
      return `Receiver<${showType(type.element)}>`;
    case 'stream':
      return `stream ${showType(type.element)}`;
    case 'nullable':
      return `${showType(type.element)}?`;
    case 'fn':
      return `fn(${type.params.map(showType).join(', ')}) ${showType(type.result)}`;
    case 'class':
    case 'enum':
      return showNamed(type.symbol, type.args);
    case 'trait':
      return `trait ${type.symbol.name}`;
    case 'error':
    case 'app':
      return type.symbol.name;
    case 'param':
      return type.name;
    case 'none':
      return 'void?';
    case 'any-error':
      return 'error';
    default:
      return type.kind;
  }
}

const showNamed = ({ name }: DeclSymbol, args: readonly Type[]): string =>
  args.length === 0 ? name : `${name}<${args.map(showType).join(', ')}>`;
