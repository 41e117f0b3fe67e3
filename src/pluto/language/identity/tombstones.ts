import type { ParsedModule } from '../syntax/ast/decl.ts';
import type { DeclId } from '../syntax/ast/node.ts';
import { eachItem, type Item, kindWords, nameOfItem } from '../syntax/parts.ts';
import { contentOf } from './similarity.ts';

/** An item that is gone, kept so that it gets its id back when exactly it returns. */
export interface Tombstone {
  readonly id: DeclId;
  /** One of `kindWords`. */
  readonly kind: string;
  /** Its last name, with the names of what it was in before it. */
  readonly name: string;
  /** SHA-256 in hex of what it was: its tokens, without its own name. */
  readonly digest: string;
}

/** Older ones are forgotten. */
const MAX_TOMBSTONES = 512;

/** SHA-256 of a text, in hex. */
type Hash = (text: string) => string;

/** Imports of one last name differ in their paths. */
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
): boolean => kind === kindWords[item.kind] && name === own && digest === hash(contentOf(text, item).digest);

/**
 * The tombstones after `before` is replaced by `after`: the earlier ones and those of the removed items, oldest first.
 * @param isElsewhere whether an id lives on in another module
 */
export function tombstonesAfter(
  known: readonly Tombstone[],
  before: Pick<ParsedModule, 'text' | 'tree'> | undefined,
  after: Pick<ParsedModule, 'tree'>,
  { hash, isElsewhere }: { readonly hash: Hash; readonly isElsewhere: (id: DeclId) => boolean },
): readonly Tombstone[] {
  const alive = new Set<DeclId | undefined>();
  eachItem(after.tree.items, ({ id }) => alive.add(id));
  const died: Tombstone[] = [];
  eachItem(before?.tree.items ?? [], (item, owners) => {
    const { id } = item;
    if (id === undefined || alive.has(id) || isElsewhere(id)) return;
    const digest = hash(contentOf(before?.text ?? '', item).digest);
    died.push({ id, kind: kindWords[item.kind], name: nameWithOwners(item, owners), digest });
  });
  const again = new Set(died.map(({ id }) => id));
  const kept = known.filter(({ id }) => !alive.has(id) && !again.has(id) && !isElsewhere(id));
  return [...kept, ...died].slice(-MAX_TOMBSTONES);
}
