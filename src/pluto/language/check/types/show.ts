import type { DeclSymbol, Type } from './type.ts';

/** The text of a type can be exponentially longer than the code that leads to the type, so that it must have a limit. */
const MAX_SHOWN_TYPES = 100;

/** A type in source syntax, for messages and hovers; `…` replaces all types inside it after the first 100. */
export function showType(type: Type): string {
  let left = MAX_SHOWN_TYPES;
  const shown = (types: readonly Type[]): string => types.map(show).join(', ');
  const named = ({ name }: DeclSymbol, args: readonly Type[]): string =>
    args.length === 0 ? name : `${name}<${shown(args)}>`;
  const show = (one: Type): string => {
    if (left === 0) return '…';
    left -= 1;
    switch (one.kind) {
      case 'list':
        return `[${show(one.element)}]`;
      case 'map':
        return `Map<${show(one.key)}, ${show(one.value)}>`;
      case 'set':
        return `Set<${show(one.element)}>`;
      case 'task':
        return `Task<${show(one.element)}>`;
      case 'sender':
        return `Sender<${show(one.element)}>`;
      case 'receiver':
        return `Receiver<${show(one.element)}>`;
      case 'stream':
        return `stream ${show(one.element)}`;
      case 'nullable':
        return `${show(one.element)}?`;
      case 'fn':
        return `fn(${shown(one.params)}) ${show(one.result)}`;
      case 'class':
      case 'enum':
        return named(one.symbol, one.args);
      case 'trait':
        return `trait ${one.symbol.name}`;
      case 'error':
      case 'app':
        return one.symbol.name;
      case 'param':
        return one.name;
      case 'none':
        return 'void?';
      case 'any-error':
        return 'error';
      default:
        return one.kind;
    }
  };
  return show(type);
}
