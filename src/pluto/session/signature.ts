import type { Item } from '../language/syntax/parts.ts';
import type { Span } from '../language/syntax/ast/span.ts';

/** The signature of a function or method, or the head of another declaration, on one line; `undefined` for other items. */
export function signatureOf(text: string, item: Item): string | undefined {
  switch (item.kind) {
    case 'FunctionDecl':
    case 'ExternDecl':
    case 'MethodDecl':
    case 'RequiredMethod': {
      const receiver = 'receiver' in item ? item.receiver : undefined;
      const params = [receiver, ...item.params].filter(part => part !== undefined).map(part => slice(text, part));
      const generics = item.kind === 'FunctionDecl' ? typeParamsOf(text, item.typeParams) : '';
      const result = item.result === undefined ? '' : ` ${slice(text, item.result)}`;
      return oneLine(`fn ${item.name.text}${generics}(${params.join(', ')})${result}`);
    }
    case 'ClassDecl':
    case 'TraitDecl':
    case 'EnumDecl':
    case 'ErrorDecl':
    case 'AppDecl':
    case 'StageDecl': {
      const open = text.indexOf('{', item.name.end);
      return oneLine(text.slice(item.start, open < 0 ? item.end : open).replace(/^pub\s+/, ''));
    }
    default:
      return undefined;
  }
}

const typeParamsOf = (text: string, params: readonly Span[]): string =>
  params.length === 0 ? '' : `<${params.map(param => slice(text, param)).join(', ')}>`;

const slice = (text: string, { start, end }: Span): string => text.slice(start, end);
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
