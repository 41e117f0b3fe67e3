import type { DeclId } from '../../syntax/ast/node.ts';
import { stageChain } from '../body/members.ts';
import type { State } from '../units/state.ts';
import type { ItemIndex } from './items.ts';

/** The override family of a method: its trait method, the implementations of that, and the overrides along the stages. */
export function overrideFamilyOf(state: State, items: ItemIndex, id: DeclId): readonly DeclId[] {
  const found = items.get(id);
  if (found === undefined) return [id];
  const { item } = found;
  if (item.kind !== 'MethodDecl' && item.kind !== 'RequiredMethod') return [id];
  const name = item.name.text;
  const groups = methodGroups(state, name);
  const all = new Set<DeclId>([id]);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const group of groups) if (group.some(one => all.has(one))) for (const one of group) all.add(one);
  }
  return Array.from(all);
}

/** Groups of methods that implement or override one another. */
function methodGroups({ program, signatures, extras }: State, name: string): readonly (readonly DeclId[])[] {
  const groups: DeclId[][] = [];
  for (const trait of extras.traits) {
    const method = signatures.trait(trait).methods.get(name);
    if (method === undefined) continue;
    const group = [method.id];
    for (const symbol of extras.implementersOf(trait)) {
      const own = signatures.class(symbol).methods.get(name);
      if (own !== undefined) group.push(own.id);
    }
    groups.push(group);
  }
  for (const entry of program.entries) {
    if (entry.kind !== 'StageDecl') continue;
    groups.push(stageChain(signatures, entry).flatMap(({ methods }) => methods.get(name)?.id ?? []));
  }
  return groups;
}

export function implementationsOf({ program, signatures, extras }: State, id: DeclId): readonly DeclId[] {
  const symbol = program.symbols.get(id);
  if (symbol?.kind === 'TraitDecl') return extras.implementersOf(symbol).map(one => one.id);
  return symbol?.kind === 'ClassDecl' ? signatures.class(symbol).impls.map(one => one.id) : [];
}
