import type { ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { eachItem, type Item, kindNames, nameOfItem } from '../syntax/parts.ts';
import { contentOf } from './similarity.ts';

/** A removed item, stored so that it gets its id back if it returns unchanged. */
export interface Tombstone {
  readonly id: DeclId;
  /** One of `kindNames`. */
  readonly kind: string;
  /** Its name, with the names of its owners. */
  readonly name: string;
  /** SHA-256, in hex, of its tokens without its own name. */
  readonly digest: string;
}

/** Maximum number of tombstones; older ones are removed. */
const MAX_TOMBSTONES = 512;

/** SHA-256 of a text, in hex. */
type Hash = (text: string) => string;

/** Imports with the same last name differ in their paths. */
export const fullName = (item: Item): string =>
  item.kind === 'ImportDecl'
    ? `${item.path.map(({ text }) => text).join('.')} as ${nameOfItem(item)}`
    : nameOfItem(item);

export const nameWithOwners = (item: Item, owners: readonly Item[]): string =>
  [...owners, item].map(fullName).join('.');

export const isOfTombstone = (
  { kind, name, digest }: Tombstone,
  { text, item, name: own }: { readonly text: string; readonly item: Item; readonly name: string },
  hash: Hash,
): boolean => kind === kindNames[item.kind] && name === own && digest === hash(contentOf(text, item).digest);

/**
 * The tombstones after `before` is replaced by `after`: the earlier ones and those of the removed items, oldest first.
 *
 * @param isElsewhere whether an id still exists in another module
 */
export function tombstonesAfter(
  known: readonly Tombstone[],
  before: Pick<ParsedModule, 'text' | 'tree'> | undefined,
  after: Pick<ParsedModule, 'tree'>,
  { hash, isElsewhere }: { readonly hash: Hash; readonly isElsewhere: (id: DeclId) => boolean },
): readonly Tombstone[] {
  const present = new Set<DeclId | undefined>();
  eachItem(after.tree.items, ({ id }) => present.add(id));
  const removed: Tombstone[] = [];
  eachItem(before?.tree.items ?? [], (item, owners) => {
    const { id } = item;
    if (id === undefined || present.has(id) || isElsewhere(id)) return;
    const digest = hash(contentOf(before?.text ?? '', item).digest);
    removed.push({ id, kind: kindNames[item.kind], name: nameWithOwners(item, owners), digest });
  });
  const again = new Set(removed.map(({ id }) => id));
  const kept = known.filter(({ id }) => !present.has(id) && !again.has(id) && !isElsewhere(id));
  return [...kept, ...removed].slice(-MAX_TOMBSTONES);
}
