import type { Type } from '../syntax/ast/type.ts';
import type { Name } from '../syntax/ast/node.ts';

export const printPath = (path: readonly Name[]): string => path.map(({ text }) => text).join('.');
export const printTypeArgs = (args: readonly Type[]): string =>
  args.length === 0 ? '' : `<${args.map(printType).join(', ')}>`;

/** Always on one line. */
export function printType(type: Type): string {
  switch (type.kind) {
    case 'NamedType':
      return printPath(type.path) + printTypeArgs(type.args);
    case 'ListType':
      return `[${printType(type.element)}]`;
    case 'FnType': {
      const result = type.result === undefined ? '' : ` ${printType(type.result)}`;
      return `fn(${type.params.map(printType).join(', ')})${result}`;
    }
    case 'NullableType':
      return `${printType(type.inner)}?`;
    case 'StreamType':
      return `stream ${printType(type.element)}`;
    case 'BrokenType':
      return '';
  }
}
