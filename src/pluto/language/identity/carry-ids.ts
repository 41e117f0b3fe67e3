import type { ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { eachItem, isItem, type Item, kindNames, partsOf } from '../syntax/parts.ts';
import type { MakeId } from './ids.ts';
import { type ItemTokens, contentOf, similarity } from './similarity.ts';
import { fullName, isOfTombstone, nameWithOwners, type Tombstone } from './tombstones.ts';

/** The reason why an item is treated as the same item as before. */
export type PairReason = 'assigned' | 'hint' | 'name' | 'content' | 'similar' | 'position' | 'tombstone';

export interface Pairing {
  readonly before: Item;
  readonly after: Item;
  readonly reason: PairReason;
}

export interface CarryRequest {
  /** The previous module with ids; undefined the first time. */
  readonly before: Pick<ParsedModule, 'text' | 'tree'> | undefined;
  /** The new module, freshly parsed, whose items get ids. */
  readonly after: Pick<ParsedModule, 'text' | 'tree'>;
  readonly makeId: MakeId;
  /** Ids known to the author of the edit, by the start of the item in the new text. */
  readonly assignedIds?: ReadonlyMap<number, DeclId>;
  /** Ids in hints of the new text. A hint for another kind, or a used one, is ignored. */
  readonly hints?: ReadonlyMap<number, DeclId>;
  /** Removed items, and the hash that identifies them: SHA-256 of a text, in hex. */
  readonly tombstones?: { readonly list: readonly Tombstone[]; readonly hash: (text: string) => string };
}

/** Every item is in exactly one of these; nested items are listed separately. */
export interface Carried {
  readonly pairs: readonly Pairing[];
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
}

const MIN_SIMILARITY = 0.6;
/** With more unmatched items on both sides, they are not compared one by one. */
const MAX_COMPARED = 300;

/**
 * Gives every item of `after` an id: that of the corresponding item of `before`, or a new one. The order of the rules, within one kind:
 * assigned, hint, name, equal content under another name, most similar content. Parts are matched within matched items.
 */
export function carryIds(request: CarryRequest): Carried {
  const carrier = new Carrier(request);
  const before = request.before?.tree.items.filter(isItem) ?? [];
  carrier.match(before, request.after.tree.items.filter(isItem), '');
  return carrier.result;
}

class Carrier {
  readonly #request: CarryRequest;
  /** Every earlier id, including those of removed items, and every id assigned since. */
  readonly #taken = new Set<DeclId>();
  readonly #old = new Set<Item>();
  readonly #contents = new Map<Item, ItemTokens>();
  /** Names with their owners, and the innermost of these; only if there are tombstones. */
  readonly #names = new Map<Item, { readonly name: string; readonly owner: Item | undefined }>();
  /** Items with a new id; only if there are tombstones. */
  readonly #new = new Set<Item | undefined>();
  readonly #pairs: Pairing[] = [];
  readonly #added: Item[] = [];
  readonly #removed: Item[] = [];

  constructor(request: CarryRequest) {
    this.#request = request;
    eachItem(request.before?.tree.items ?? [], item => {
      this.#old.add(item);
      if (item.id !== undefined) this.#taken.add(item.id);
    });
    if ((request.tombstones?.list.length ?? 0) > 0)
      eachItem(request.after.tree.items, (item, owners) =>
        this.#names.set(item, { name: nameWithOwners(item, owners), owner: owners.at(-1) }),
      );
  }

  get result(): Carried {
    return { pairs: this.#pairs, added: this.#added, removed: this.#removed };
  }

  match(before: readonly Item[], after: readonly Item[], where: string): void {
    if (before.length === 0 && this.#request.assignedIds === undefined) return this.#addAll(after, where);
    const old = new Set(before);
    const open = new Set(after);
    const found: Pairing[] = [];
    const pair = (was: Item, is: Item, reason: PairReason): void => {
      old.delete(was);
      open.delete(is);
      found.push({ before: was, after: is, reason });
    };
    this.#pairByIds(old, open, this.#request.assignedIds, 'assigned', pair);
    this.#pairByIds(old, open, this.#request.hints, 'hint', pair);
    this.#pairByKey(old, open, item => `${item.kind} ${fullName(item)}`, 'name', pair);
    if (old.size > 0 && open.size > 0) {
      this.#pairByKey(old, open, item => `${item.kind} ${this.#content(item).digest}`, 'content', pair);
      this.#pairSimilar(old, open, pair);
      this.#pairByPlace(old, open, before, after, pair);
    }
    for (const item of old) this.#remove(item);
    for (const { before: was, after: is } of found) is.id = was.id;
    this.#pairs.push(...found);
    const names = new Map<string, number>();
    const wasOf = new Map(found.map(({ before: was, after: is }) => [is, was]));
    for (const item of after) {
      const place = placeIn(where, item, names);
      if (open.has(item)) this.#add(item, place);
      const was = wasOf.get(item);
      this.match(was === undefined ? [] : partsOf(was), partsOf(item), place);
    }
  }

  /** For a module without a previous one. */
  #addAll(items: readonly Item[], where: string): void {
    if (items.length === 0) return;
    const names = new Map<string, number>();
    for (const item of items) {
      const place = placeIn(where, item, names);
      this.#add(item, place);
      this.#addAll(partsOf(item), place);
    }
  }

  #pairByIds(
    old: ReadonlySet<Item>,
    open: ReadonlySet<Item>,
    ids: ReadonlyMap<number, DeclId> | undefined,
    reason: PairReason,
    pair: (was: Item, is: Item, reason: PairReason) => void,
  ): void {
    if (ids === undefined || ids.size === 0) return;
    const byId = new Map(Array.from(old, item => [item.id, item]));
    for (const item of Array.from(open)) {
      const was = byId.get(ids.get(item.start));
      if (was === undefined || was.kind !== item.kind || !old.has(was)) continue;
      pair(was, item, reason);
    }
  }

  /** Pairs items with the same key in order. */
  #pairByKey(
    old: ReadonlySet<Item>,
    open: ReadonlySet<Item>,
    keyOf: (item: Item) => string,
    reason: PairReason,
    pair: (was: Item, is: Item, reason: PairReason) => void,
  ): void {
    const byKey = Map.groupBy(old, keyOf);
    for (const item of Array.from(open)) {
      const was = byKey.get(keyOf(item))?.shift();
      if (was !== undefined) pair(was, item, reason);
    }
  }

  #pairSimilar(
    old: ReadonlySet<Item>,
    open: ReadonlySet<Item>,
    pair: (was: Item, is: Item, reason: PairReason) => void,
  ): void {
    if (old.size > MAX_COMPARED || open.size > MAX_COMPARED) return;
    const scored: { was: Item; is: Item; score: number }[] = [];
    for (const is of open)
      for (const was of old) {
        if (was.kind !== is.kind || !isWeighty(is)) continue;
        const score = similarity(this.#content(was), this.#content(is));
        if (score >= MIN_SIMILARITY) scored.push({ was, is, score });
      }
    // Sorting is stable, so the first of several equal scores in the text is used.
    scored.sort((a, b) => b.score - a.score);
    for (const { was, is } of scored) if (old.has(was) && open.has(is)) pair(was, is, 'similar');
  }

  /** Matches small parts (parameters, fields) that changed in place if nothing was added or removed around them. */
  #pairByPlace(
    old: ReadonlySet<Item>,
    open: ReadonlySet<Item>,
    before: readonly Item[],
    after: readonly Item[],
    pair: (was: Item, is: Item, reason: PairReason) => void,
  ): void {
    if (before.length !== after.length) return;
    for (const [index, is] of after.entries()) {
      const was = before[index];
      if (was === undefined || !old.has(was) || !open.has(is)) continue;
      if (was.kind === is.kind && !isWeighty(is)) pair(was, is, 'position');
    }
  }

  #content(item: Item): ItemTokens {
    const known = this.#contents.get(item);
    if (known !== undefined) return known;
    const text = this.#old.has(item) ? (this.#request.before?.text ?? '') : this.#request.after.text;
    const content = contentOf(text, item);
    this.#contents.set(item, content);
    return content;
  }

  #add(item: Item, place: string): void {
    const { assignedIds, hints, makeId } = this.#request;
    const known =
      this.#free(assignedIds?.get(item.start)) ?? this.#free(hints?.get(item.start)) ?? this.#free(this.#revive(item));
    if (known === undefined && this.#names.size > 0) this.#new.add(item);
    let id = known ?? makeId(place);
    // A derived id may still belong to the item that was in this position before it was renamed.
    for (let again = 2; this.#taken.has(id); again += 1) id = makeId(`${place}\0${again}`);
    this.#taken.add(id);
    item.id = id;
    this.#added.push(item);
  }

  #free(id: DeclId | undefined): DeclId | undefined {
    return id === undefined || this.#taken.has(id) ? undefined : id;
  }

  #revive(item: Item): DeclId | undefined {
    const { tombstones, after } = this.#request;
    const named = this.#names.get(item);
    // The parts of a new item are new.
    if (tombstones === undefined || named === undefined || this.#new.has(named.owner)) return undefined;
    const { list, hash } = tombstones;
    const found = list.find(
      tomb => !this.#taken.has(tomb.id) && isOfTombstone(tomb, { text: after.text, item, name: named.name }, hash),
    );
    return found?.id;
  }

  #remove(item: Item): void {
    this.#removed.push(item);
    for (const part of partsOf(item)) this.#remove(part);
  }
}

/** Whether an item has enough tokens for a comparison. */
const isWeighty = ({ kind }: Item): boolean =>
  kind !== 'Param' &&
  kind !== 'Receiver' &&
  kind !== 'Field' &&
  kind !== 'Dep' &&
  kind !== 'SystemMember' &&
  kind !== 'ImportDecl';

/** The arguments of `MakeId`. */
function placeIn(where: string, item: Item, seen: Map<string, number>): string {
  const name = `${kindNames[item.kind]} ${fullName(item)}`;
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  const own = count === 1 ? name : `${name} ${count}`;
  return where === '' ? own : `${where}\0${own}`;
}
