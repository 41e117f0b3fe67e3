import type { ProjectPath } from '../../base/brand.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { Span } from '../language/syntax/ast/span.ts';
import { eachItem, type Item } from '../language/syntax/parts.ts';
import { containsOffset } from '../language/check/queries/unit-at.ts';
import type { EditorModules } from './editor-modules.ts';
import { nameSpanOf } from './outline.ts';
import { startOfWord } from './words.ts';

export interface FoundItem {
  readonly module: LoadedModule;
  readonly item: Item;
  /** The enclosing declarations, outermost first. */
  readonly owners: readonly Item[];
}

/** The meaning of a position in a text. */
export type Target =
  | { readonly kind: 'item'; readonly name: Span; readonly id: DeclId }
  /** Every occurrence of the variable, in source order. */
  | { readonly kind: 'variable'; readonly name: Span; readonly places: readonly Span[] }
  | { readonly kind: 'module'; readonly name: Span; readonly files: readonly ProjectPath[] };

export function targetAt(modules: EditorModules, module: LoadedModule, offset: number): Target | undefined {
  const { checker } = modules;
  const { path } = module;
  const places = checker.variableAt(path, offset);
  const place = places.find(span => containsOffset(span, offset));
  if (place !== undefined) return { kind: 'variable', name: place, places };
  const use = checker.usesIn(path).find(({ name }) => containsOffset(name, offset));
  if (use !== undefined) return { kind: 'item', name: use.name, id: use.target };
  const declared = declaredAt(module, offset);
  if (declared?.id !== undefined) return { kind: 'item', name: nameSpanOf(declared), id: declared.id };
  return moduleAt(modules, module, offset);
}

/** The item whose own name is at a position. */
function declaredAt({ module }: LoadedModule, offset: number): Item | undefined {
  let found: Item | undefined;
  eachItem(module.tree.items, item => {
    if (item.kind !== 'ImportDecl' && item.kind !== 'Receiver' && containsOffset(nameSpanOf(item), offset))
      found = item;
  });
  return found;
}

function moduleAt(modules: EditorModules, module: LoadedModule, offset: number): Target | undefined {
  const { text } = module.module;
  const start = startOfWord(text, offset);
  const name = { start, end: start + (/^\w*/.exec(text.slice(start))?.[0].length ?? 0) };
  const word = text.slice(name.start, name.end);
  for (const { decl, binding, target } of modules.project.importsOf(module)) {
    if (target === undefined) continue;
    if (containsOffset(decl, offset)) return { kind: 'module', name: pathSpan(decl), files: target.files };
    if (binding === word && text.charAt(name.end) === '.') return { kind: 'module', name, files: target.files };
  }
  return undefined;
}

const pathSpan = ({ path, start, end }: { readonly path: readonly Span[] } & Span): Span => ({
  start: path[0]?.start ?? start,
  end: path.at(-1)?.end ?? end,
});

const indexes = new WeakMap<LoadedModule, ReadonlyMap<DeclId, FoundItem>>();

/** The items of a module by id, collected once per parse. */
function indexOf(module: LoadedModule): ReadonlyMap<DeclId, FoundItem> {
  const known = indexes.get(module);
  if (known !== undefined) return known;
  const index = new Map<DeclId, FoundItem>();
  eachItem(module.module.tree.items, (item, owners) => {
    if (item.id !== undefined) index.set(item.id, { module, item, owners });
  });
  indexes.set(module, index);
  return index;
}

export function findItem(modules: EditorModules, id: DeclId): FoundItem | undefined {
  for (const module of modules.all()) {
    const found = indexOf(module).get(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every item of the modules of the project and of the language. */
export function* everyItem(modules: EditorModules): Iterable<FoundItem> {
  for (const module of modules.all()) yield* indexOf(module).values();
}
