import { withComments } from '../edit/extent.ts';
import { carryIds, type PairReason } from '../identity/carry-ids.ts';
import type { Tombstone } from '../identity/tombstones.ts';
import type { MakeId } from '../identity/ids.ts';
import type { ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { isItem, type Item, kindNames, type KindName, nameOfItem } from '../syntax/parts.ts';
import { digestOf, readView } from './view.ts';

/** The side that changed a declaration since the view was generated; `unknown` if the view does not record its previous state. */
export type ViewMovement = 'view' | 'container' | 'both' | 'unknown';

/** One top-level declaration that differs between a container and its view. */
export interface ViewChange {
  readonly id: DeclId;
  readonly kind: KindName;
  readonly change: 'added' | 'updated' | 'deleted';
  /** The name in the view, or in the container if it was deleted. */
  readonly name: string;
  /** The reason why it is treated as the same declaration; undefined unless `updated`. */
  readonly reason: PairReason | undefined;
  /** Its text in the container, with the comments directly above and after it. */
  readonly before: string | undefined;
  /** Its text in the view. */
  readonly after: string | undefined;
  readonly moved: ViewMovement;
}

export interface ViewComparison {
  /** The module of the view with ids: the container after all changes are applied. */
  readonly module: ParsedModule;
  readonly changes: readonly ViewChange[];
  readonly unchanged: number;
  /** Whether the container has changed since the view was generated; undefined if the view does not record that. */
  readonly isStale: boolean | undefined;
  /** The digests of the declarations when the view was generated. */
  readonly bases: ReadonlyMap<DeclId, string>;
  /** The digests of the comments between declarations when the view was generated; `undefined` if unknown. */
  readonly baseComments: readonly string[] | undefined;
}

export interface ViewRequest {
  readonly view: string;
  /** With ids; undefined if there is no container yet. */
  readonly container: ParsedModule | undefined;
  readonly containerHash: string | undefined;
  /** SHA-256 of a text, in hex; without it, only `isStale` shows whether the container has changed. */
  readonly hash?: (text: string) => string;
  readonly makeId: MakeId;
  /** Removed items of the container; only with `hash`. */
  readonly tombstones?: readonly Tombstone[];
}

/** Finds the changes of a `.pt` to its container, declaration by declaration. Decides and writes nothing. */
export function compareView(request: ViewRequest): ViewComparison {
  const { view, container, containerHash, makeId, tombstones, hash } = request;
  const { module, generatedFrom, hints, bases, comments: baseComments } = readView(view);
  const { pairs, added, removed } = carryIds({
    before: container,
    after: module,
    makeId,
    hints,
    ...(tombstones !== undefined && hash !== undefined && { tombstones: { list: tombstones, hash } }),
  });
  const isStale =
    generatedFrom === undefined || containerHash === undefined ? undefined : generatedFrom !== containerHash;
  const moved = (id: DeclId, before: string | undefined, after: string | undefined): ViewMovement =>
    isStale === true ? movedSince(request.hash, bases.get(id), before, after) : 'view';
  const changes: ViewChange[] = [];
  let unchanged = 0;
  const top = new Set<Item>([...module.tree.items, ...(container?.tree.items ?? [])].filter(isItem));
  const textIn = (of: Pick<ParsedModule, 'text' | 'comments'>): ((item: Item) => string) => {
    const blockOf = withComments(of);
    return item => {
      const { start, end } = blockOf(item);
      return of.text.slice(start, end);
    };
  };
  const oldText = textIn(container ?? { text: '', comments: [] });
  const newText = textIn(module);
  for (const { before, after, reason } of pairs) {
    if (!top.has(after) || after.id === undefined) continue;
    const [was, is] = [oldText(before), newText(after)];
    if (was === is) unchanged += 1;
    else
      changes.push({
        id: after.id,
        kind: kindNames[after.kind],
        change: 'updated',
        name: nameOfItem(after),
        reason,
        before: was,
        after: is,
        moved: moved(after.id, was, is),
      });
  }
  const lone = (item: Item, change: 'added' | 'deleted'): void => {
    if (!top.has(item) || item.id === undefined) return;
    const text = (change === 'added' ? newText : oldText)(item);
    const sides = change === 'added' ? { before: undefined, after: text } : { before: text, after: undefined };
    changes.push({
      id: item.id,
      kind: kindNames[item.kind],
      change,
      name: nameOfItem(item),
      reason: undefined,
      ...sides,
      moved: moved(item.id, sides.before, sides.after),
    });
  };
  for (const item of added) lone(item, 'added');
  for (const item of removed) lone(item, 'deleted');
  return { module, changes, unchanged, isStale, bases, baseComments };
}

/** @param base the digest of the text that both sides had */
function movedSince(
  hash: ViewRequest['hash'],
  base: string | undefined,
  before: string | undefined,
  after: string | undefined,
): ViewMovement {
  // Without a hint, it is new in the view; a missing one may be new in the container.
  if (base === undefined && before === undefined) return 'view';
  if (hash === undefined || base === undefined || after === undefined) return 'unknown';
  const isViewSame = digestOf(hash, after) === base;
  const isContainerSame = before !== undefined && digestOf(hash, before) === base;
  if (isViewSame === isContainerSame) return 'both';
  return isContainerSame ? 'view' : 'container';
}
