import type { ParsedModule } from '../language/syntax/ast/decl.ts';
import type { Span } from '../language/syntax/ast/span.ts';
import { isItem, type Item, kindNames, nameOfItem, partsOf } from '../language/syntax/parts.ts';
import type { OutlineSymbol } from './answers.ts';
import { rangeOf } from './places.ts';

/** The declarations of a module as a tree, without imports and parameters. */
export const outlineOfModule = (module: ParsedModule): readonly OutlineSymbol[] =>
  module.tree.items
    .filter(isItem)
    .filter(isListed)
    .map(item => symbolOf(module, item));

const unlisted: ReadonlySet<Item['kind']> = new Set<Item['kind']>(['ImportDecl', 'Param', 'Receiver']);
export const isListed = ({ kind }: Item): boolean => !unlisted.has(kind);

function symbolOf(module: ParsedModule, item: Item): OutlineSymbol {
  return {
    // Editors reject a symbol without a name, and a broken declaration may have none.
    name: nameOfItem(item) || '?',
    kind: kindNames[item.kind],
    detail: detailOf(module.text, item),
    range: rangeOf(module, item),
    selection: rangeOf(module, nameSpanOf(item)),
    children: partsOf(item)
      .filter(isListed)
      .map(part => symbolOf(module, part)),
  };
}

/** The span of an item's name, or of its first character if it has no name. */
export function nameSpanOf(item: Item): Span {
  switch (item.kind) {
    case 'ImportDecl':
      return item.alias ?? item.path.at(-1) ?? item;
    case 'TestDecl':
      return item.title;
    case 'TestsDecl':
      return { start: item.start, end: item.start + 'tests'.length };
    case 'Receiver':
      return item;
    default:
      return item.name;
  }
}

/** The detail after the name, on one line: parameters and result, or a type. */
export function detailOf(text: string, item: Item): string {
  switch (item.kind) {
    case 'FunctionDecl':
    case 'ExternDecl':
    case 'MethodDecl':
    case 'RequiredMethod':
      return oneLine(headOf(text, item).slice(item.name.end - item.start));
    case 'Param':
    case 'Field':
    case 'Dep':
      return oneLine(text.slice(item.type.start, item.type.end));
    case 'SystemMember':
      return item.module.text;
    default:
      return '';
  }
}

/** The text of an item up to its body or its members, or its whole text without them. */
export function headOf(text: string, item: Item): string {
  const whole = text.slice(item.start, item.end);
  switch (item.kind) {
    case 'FunctionDecl':
    case 'MethodDecl': {
      const end = item.contracts[0]?.start ?? item.body?.start ?? item.end;
      return text.slice(item.start, end).trim();
    }
    case 'ClassDecl':
    case 'TraitDecl':
    case 'AppDecl':
    case 'StageDecl':
    case 'SystemDecl':
    case 'TestDecl':
    case 'TestsDecl':
      return whole.slice(0, Math.max(0, whole.indexOf('{')) || undefined).trim();
    default:
      return whole.trim();
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
