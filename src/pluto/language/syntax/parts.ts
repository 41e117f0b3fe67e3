import type { BrokenDecl, Decl, Part } from './ast/decl.ts';

/** Every node with an id: declarations and their nested items. Parameters of closures are local and have none. */
export type Item = Exclude<Decl, BrokenDecl> | Part;

/** The words for kinds in tools, containers and messages. */
export const kindNames = {
  ImportDecl: 'import',
  FunctionDecl: 'function',
  ClassDecl: 'class',
  TraitDecl: 'trait',
  EnumDecl: 'enum',
  ErrorDecl: 'error',
  ExternDecl: 'extern',
  AppDecl: 'app',
  StageDecl: 'stage',
  SystemDecl: 'system',
  TestDecl: 'test',
  TestsDecl: 'tests',
  Param: 'param',
  Receiver: 'receiver',
  Field: 'field',
  Dep: 'dependency',
  MethodDecl: 'method',
  RequiredMethod: 'required_method',
  Variant: 'variant',
  SystemMember: 'member',
} as const satisfies Record<Item['kind'], string>;

/** `a class`, `an enum`. */
export const withArticle = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

/** The kind of an item, with its article. */
export const oneOfKind = ({ kind }: Pick<Item, 'kind'>): string => withArticle(kindNames[kind]);

export type KindName = (typeof kindNames)[Item['kind']];

export const isItem = (decl: Decl): decl is Exclude<Decl, BrokenDecl> => decl.kind !== 'BrokenDecl';

/** The items with an id that are nested directly in an item, in source order. */
export function partsOf(item: Item): readonly Part[] {
  switch (item.kind) {
    case 'FunctionDecl':
    case 'ExternDecl':
      return item.params;
    case 'MethodDecl':
    case 'RequiredMethod':
      return item.receiver === undefined ? item.params : [item.receiver, ...item.params];
    case 'ClassDecl':
    case 'AppDecl':
    case 'StageDecl': {
      const parts: Part[] = [...item.deps];
      for (const member of item.members)
        if (member.kind === 'Field' || member.kind === 'MethodDecl' || member.kind === 'RequiredMethod')
          parts.push(member);
      return parts;
    }
    case 'TraitDecl':
    case 'SystemDecl':
      return item.members;
    case 'EnumDecl':
      return item.variants;
    case 'Variant':
      return item.fields ?? [];
    case 'ErrorDecl':
      return item.fields;
    case 'TestsDecl':
      return item.tests;
    default:
      return [];
  }
}

/** The display name: the last name of an import (or its alias), the title of a test, `self`, `tests`. */
export function nameOfItem(item: Item): string {
  switch (item.kind) {
    case 'ImportDecl':
      return (item.alias ?? item.path.at(-1))?.text ?? '';
    case 'TestDecl':
      return item.title.value;
    case 'TestsDecl':
      return 'tests';
    case 'Receiver':
      return 'self';
    default:
      return item.name.text;
  }
}

/** Calls `visit` for every item of a module with its enclosing items, outermost first. */
export function eachItem(items: readonly Decl[], visit: (item: Item, owners: readonly Item[]) => void): void {
  const walk = (item: Item, owners: readonly Item[]): void => {
    visit(item, owners);
    const parts = partsOf(item);
    if (parts.length === 0) return;
    const inner = [...owners, item];
    for (const part of parts) walk(part, inner);
  };
  for (const decl of items) if (isItem(decl)) walk(decl, []);
}
