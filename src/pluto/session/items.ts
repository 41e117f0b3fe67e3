import type { PausableWork } from '../../base/time-slice.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import type { ParsedModule } from '../language/syntax/ast/decl.ts';
import { eachItem, type Item, nameOfItem } from '../language/syntax/parts.ts';

/** One item of a module, with what it is nested in, outermost first. */
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

/** Every tree is walked once. */
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
    // Ids are told apart by their text alone.
    const at = itemsOf(module.module).byId.get(id as DeclId);
    if (at !== undefined) return { ...at, module };
  }
  return undefined;
}

/** By the name alone, or by the qualified one. In the order of the modules, then of the text. */
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

/** Reads the items of all modules before they are asked for, one module after another. */
export function* readItems(modules: readonly LoadedModule[]): PausableWork<void> {
  for (const { module } of modules) {
    itemsOf(module);
    yield;
  }
}

/** Its name with those of what it is in: `Vector.length`. */
export const qualifiedName = ({ item, owners }: Pick<ItemAt, 'item' | 'owners'>): string =>
  [...owners.filter(({ kind }) => kind !== 'TestsDecl'), item].map(nameOfItem).join('.');
