import type { LoadedModule } from '../language/modules/load-module.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import type { Span } from '../language/syntax/ast/span.ts';
import { kindNames, nameOfItem } from '../language/syntax/parts.ts';
import type { FileRange, FoundSymbol } from './answers.ts';
import type { EditorModules } from './editor-modules.ts';
import { isListed, nameSpanOf } from './outline.ts';
import { rangeOf } from './places.ts';
import { everyItem, findItem, type FoundItem, targetAt } from './targets.ts';

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The declaration of the symbol at a position; for a module, its files. */
export function definitionAt(modules: EditorModules, module: LoadedModule, offset: number): readonly FileRange[] {
  const target = targetAt(modules, module, offset);
  if (target === undefined) return [];
  if (target.kind === 'module') return target.files.map(path => ({ file: modules.shownFile(path), range: START }));
  if (target.kind === 'variable') return target.places.slice(0, 1).map(place => located(modules, module, place));
  const found = findItem(modules, target.id);
  return found === undefined ? [] : [ownPlace(modules, found)];
}

/** Every reference to the symbol at a position, in the whole project. */
export function referencesAt(
  modules: EditorModules,
  module: LoadedModule,
  offset: number,
  withDeclaration: boolean,
): readonly FileRange[] {
  const target = targetAt(modules, module, offset);
  if (target === undefined || target.kind === 'module') return [];
  if (target.kind === 'variable')
    return target.places.slice(withDeclaration ? 0 : 1).map(place => located(modules, module, place));
  return modules.checker.overrideFamilyOf(target.id).flatMap(id => usesOf(modules, id, withDeclaration));
}

function usesOf(modules: EditorModules, id: DeclId, withDeclaration: boolean): readonly FileRange[] {
  const found = findItem(modules, id);
  const own = found === undefined || !withDeclaration ? [] : [ownPlace(modules, found)];
  const uses = modules.checker.usesOf(id).flatMap(({ file, use }) => {
    const module = modules.module(file);
    return module === undefined ? [] : [located(modules, module, use.name)];
  });
  return [...own, ...uses];
}

/** The classes that implement the trait at a position; for a method, the methods that it implements or that implement or override it. */
export function implementationsAt(modules: EditorModules, module: LoadedModule, offset: number): readonly FileRange[] {
  const target = targetAt(modules, module, offset);
  if (target?.kind !== 'item') return [];
  const { checker } = modules;
  const found = findItem(modules, target.id);
  const ids =
    found?.item.kind === 'TraitDecl'
      ? checker.implementationsOf(target.id)
      : checker.overrideFamilyOf(target.id).filter(id => id !== target.id);
  return ids.flatMap(id => {
    const one = findItem(modules, id);
    return one === undefined ? [] : [ownPlace(modules, one)];
  });
}

/** The declarations of the project whose names contain the letters of `query` in this order. */
export function findSymbols(modules: EditorModules, query: string, limit: number): readonly FoundSymbol[] {
  const found: FoundSymbol[] = [];
  for (const one of everyItem(modules)) {
    const { module, item, owners } = one;
    if (!isListed(item)) continue;
    const file = modules.shownFile(module.path);
    const name = nameOfItem(item);
    if (file.kind === 'std' || name === '' || !hasLetters(name, query)) continue;
    const owner = owners.at(-1);
    const container = owner === undefined ? module.path : nameOfItem(owner);
    found.push({ name, kind: kindNames[item.kind], container, ...ownPlace(modules, one) });
    if (found.length === limit) break;
  }
  return found;
}

/** The tests of the project, in the order of their files. */
export function findTests(modules: EditorModules, limit: number): readonly FoundSymbol[] {
  const found: FoundSymbol[] = [];
  for (const one of everyItem(modules)) {
    const { module, item } = one;
    const file = modules.shownFile(module.path);
    if (item.kind !== 'TestDecl' || file.kind === 'std') continue;
    found.push({ name: nameOfItem(item), kind: kindNames.TestDecl, container: module.path, ...ownPlace(modules, one) });
    if (found.length === limit) break;
  }
  return found;
}

function hasLetters(name: string, query: string): boolean {
  const letters = name.toLowerCase();
  let at = 0;
  for (const letter of query.toLowerCase()) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const ownPlace = (modules: EditorModules, { module, item }: FoundItem): FileRange =>
  located(modules, module, nameSpanOf(item));

const located = (modules: EditorModules, { path, module }: LoadedModule, span: Span): FileRange => ({
  file: modules.shownFile(path),
  range: rangeOf(module, span),
});
