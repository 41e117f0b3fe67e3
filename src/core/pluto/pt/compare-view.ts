import { carryIds, type PairReason, type Tombstone } from '../identity/carry-ids.ts';
import type { MakeId } from '../identity/ids.ts';
import type { ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { isItem, type Item, kindWords, type KindWord, nameOfItem } from '../syntax/parts.ts';
import { readView } from './view.ts';

/** One top-level declaration that differs between a container and its view. */
export interface ViewChange {
  readonly id: DeclId;
  readonly kind: KindWord;
  readonly change: 'added' | 'updated' | 'deleted';
  /** The name in the view, or in the container where it is deleted. */
  readonly name: string;
  /** Why it is the same declaration as before; undefined unless `updated`. */
  readonly reason: PairReason | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface ViewComparison {
  /** The module of the view, with ids: what the container becomes when all changes are taken. */
  readonly module: ParsedModule;
  readonly changes: readonly ViewChange[];
  readonly unchanged: number;
  /** Whether the container moved since the view was made from it; undefined where the view does not say. */
  readonly isStale: boolean | undefined;
}

export interface ViewRequest {
  readonly view: string;
  /** With ids; undefined when there is no container yet. */
  readonly container: ParsedModule | undefined;
  readonly containerHash: string | undefined;
  readonly makeId: MakeId;
  readonly tombstones?: readonly Tombstone[];
}

/** What a `.pt` changes in its container, declaration by declaration; decides and writes nothing. */
export function compareView({ view, container, containerHash, makeId, tombstones }: ViewRequest): ViewComparison {
  const { module, generatedFrom, hints } = readView(view);
  const { pairs, added, removed } = carryIds({
    before: container,
    after: module,
    makeId,
    hints,
    ...(tombstones === undefined ? {} : { tombstones }),
  });
  const oldText = container?.text ?? '';
  const changes: ViewChange[] = [];
  let unchanged = 0;
  const top = new Set<Item>([...module.tree.items, ...(container?.tree.items ?? [])].filter(isItem));
  const textOf = (text: string, item: Item): string => text.slice(item.start, item.end);
  for (const { before, after, reason } of pairs) {
    if (!top.has(after) || after.id === undefined) continue;
    const [was, is] = [textOf(oldText, before), textOf(module.text, after)];
    if (was === is) unchanged += 1;
    else
      changes.push({
        id: after.id,
        kind: kindWords[after.kind],
        change: 'updated',
        name: nameOfItem(after),
        reason,
        before: was,
        after: is,
      });
  }
  const lone = (item: Item, change: 'added' | 'deleted'): void => {
    if (!top.has(item) || item.id === undefined) return;
    const text = textOf(change === 'added' ? module.text : oldText, item);
    const sides = change === 'added' ? { before: undefined, after: text } : { before: text, after: undefined };
    changes.push({
      id: item.id,
      kind: kindWords[item.kind],
      change,
      name: nameOfItem(item),
      reason: undefined,
      ...sides,
    });
  };
  for (const item of added) lone(item, 'added');
  for (const item of removed) lone(item, 'deleted');
  const isStale =
    generatedFrom === undefined || containerHash === undefined ? undefined : generatedFrom !== containerHash;
  return { module, changes, unchanged, isStale };
}
