import type { PausableWork } from '../../base/time-slice.ts';
import type { AddedInstance } from '../../protocol/studio/requests.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';

/** Levels of one nest. Deeper entries follow in the next round, so that no recursion is deep. */
const MAX_LEVELS = 50;

/** An added instance that is not written yet. */
export interface PendingAddition {
  /** The id that the plugin invented; none for a child that is listed in its parent. */
  readonly key: string | undefined;
  /** The key of another addition, or an id of the tree. */
  readonly parent: string | undefined;
  readonly added: AddedInstance;
  /** Whether it was refused together with the additions below it, so that it is created without them. */
  isAlone: boolean;
}

/** An addition with those below it that are created together with it. */
export interface Nest {
  readonly addition: PendingAddition;
  /** Its values, with the children that it lists. */
  readonly studio: StudioInstance;
  readonly children: readonly Nest[];
}

/** Additions by the key of their parent. */
export type AdditionsBelow = ReadonlyMap<string, readonly PendingAddition[]>;

/** Finds the additions that are not below another one, and those below each of the others. */
export function* groupByParent(
  pending: Iterable<PendingAddition>,
): PausableWork<{ readonly roots: readonly PendingAddition[]; readonly below: AdditionsBelow }> {
  const keys = new Set<string>();
  for (const { key } of pending) {
    if (key !== undefined) keys.add(key);
    yield;
  }
  const roots: PendingAddition[] = [];
  const below = new Map<string, PendingAddition[]>();
  for (const addition of pending) {
    const { parent } = addition;
    if (parent === undefined || !keys.has(parent)) roots.push(addition);
    else {
      const siblings = below.get(parent);
      if (siblings === undefined) below.set(parent, [addition]);
      else siblings.push(addition);
    }
    yield;
  }
  return { roots, below };
}

/** Lists the additions below one, parents first. */
export function* allBelow(top: PendingAddition, below: AdditionsBelow): PausableWork<readonly PendingAddition[]> {
  const found: PendingAddition[] = [];
  const open = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const addition of below.get(next.key ?? '') ?? []) {
      found.push(addition);
      open.push(addition);
      yield;
    }
  return found;
}

/** Lists the additions to create together with their parent. Leaves out those whose name a sibling has: they may be the same instance. */
export function nestedBelow(
  { key, isAlone, added }: PendingAddition,
  below: AdditionsBelow,
  level: number,
): readonly PendingAddition[] {
  const additions = key === undefined || isAlone || level >= MAX_LEVELS ? undefined : below.get(key);
  if (additions === undefined) return [];
  const names = new Set(added.children.map(({ name }) => name));
  return additions.filter(({ added: { name } }) => !names.has(name) && names.add(name));
}

/** The instance that a plan creates. */
export function* nestedInstance({ studio, children }: Nest): PausableWork<StudioInstance> {
  const below: StudioInstance[] = [];
  for (const child of children) below.push(yield* nestedInstance(child));
  yield;
  return { ...studio, children: [...studio.children, ...below] };
}
