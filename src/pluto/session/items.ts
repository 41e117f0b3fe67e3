import type { PausableWork } from '../../base/time-slice.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import type { ParsedModule } from '../language/syntax/ast/decl.ts';
import { eachItem, type Item, nameOfItem } from '../language/syntax/parts.ts';

/** One item of a module with its owners, outermost first. */
export interface ItemAt {
  readonly item: Item;
  readonly id: DeclId;
  readonly owners: readonly Item[];
  readonly module: LoadedModule;
}

interface ModuleItems {
  readonly byId: ReadonlyMap<DeclId, Omit<ItemAt, 'module'>>;
  readonly byName: ReadonlyMap<string, readonly Omit<ItemAt, 'module'>[]>;
}

/** The items of each tree, so that it is walked only once. */
const known = new WeakMap<ParsedModule, ModuleItems>();

function itemsOf(module: ParsedModule): ModuleItems {
  const before = known.get(module);
  if (before !== undefined) return before;
  const all: Omit<ItemAt, 'module'>[] = [];
  eachItem(module.tree.items, (item, owners) => {
    if (item.id !== undefined) all.push({ item, id: item.id, owners });
  });
  const items = {
    byId: new Map(all.map(at => [at.id, at])),
    byName: Map.groupBy(all, ({ item }) => nameOfItem(item)),
  };
  known.set(module, items);
  return items;
}

export function itemWithId(modules: readonly LoadedModule[], id: string): ItemAt | undefined {
  for (const module of modules) {
    // The brand has no effect on the lookup.
    const at = itemsOf(module.module).byId.get(id as DeclId);
    if (at !== undefined) return { ...at, module };
  }
  return undefined;
}

/** Finds items by their plain or qualified name, in module and source order. */
export function itemsNamed(modules: readonly LoadedModule[], name: string): readonly ItemAt[] {
  const found: ItemAt[] = [];
  for (const module of modules) {
    const { byName } = itemsOf(module.module);
    const qualified = byName.get(name.slice(name.lastIndexOf('.') + 1)) ?? [];
    const here = byName.get(name) ?? qualified.filter(at => qualifiedName(at) === name);
    for (const at of here) found.push({ ...at, module });
  }
  return found;
}

/** Collects the items of all modules in advance, pausing between modules. */
export function* readItems(modules: readonly LoadedModule[]): PausableWork<void> {
  for (const { module } of modules) {
    itemsOf(module);
    yield;
  }
}

/** The name with the names of its owners: `Vector.length`. */
export const qualifiedName = ({ item, owners }: Pick<ItemAt, 'item' | 'owners'>): string =>
  [...owners.filter(({ kind }) => kind !== 'TestsDecl'), item].map(nameOfItem).join('.');
