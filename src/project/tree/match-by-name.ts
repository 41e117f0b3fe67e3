import type { PausableWork } from '../../base/time-slice.ts';

interface Named {
  readonly name: string;
  readonly className: string;
}

/** A child of the left side with its partner on the right side. */
export type ChildPair<A, B> = readonly [left: A, right: B];

/** Children that are processed between two pauses. */
const BATCH_SIZE = 256;

/**
 * Pairs children of two sides by name and class.
 *
 * @param known returns a partner that is already known; such a pair is not compared
 * @param pairsOf the pairs among candidates of one name and class, the best first; a child that has a partner already gets no other
 */
export function* matchByName<A extends Named, B extends Named>(
  left: readonly A[],
  right: readonly B[],
  known: (right: B) => A | undefined,
  pairsOf: (left: readonly A[], right: readonly B[]) => PausableWork<readonly ChildPair<A, B>[]>,
): PausableWork<ReadonlyMap<B, A>> {
  const matched = new Map<B, A>();
  const taken = new Set<A>();
  const take = (a: A, b: B): void => {
    if (taken.has(a) || matched.has(b)) return;
    taken.add(a);
    matched.set(b, a);
  };
  const groups = yield* groupByName(left);
  for (const [label, wanted] of yield* groupByName(right)) {
    const group = groups.get(label) ?? [];
    for (const [index, b] of wanted.entries()) {
      const a = known(b);
      if (a !== undefined && nameAndClass(a) === label) take(a, b);
      if (index % BATCH_SIZE === BATCH_SIZE - 1) yield;
    }
    const free = group.filter(a => !taken.has(a));
    const open = wanted.filter(b => !matched.has(b));
    for (const [a, b] of yield* pairsOf(free, open)) take(a, b);
    yield;
  }
  return matched;
}

/** With more pairs of the same name and class, order decides, because comparing each pair would take too long. */
export const MAX_COMPARED_PAIRS = 2_500;

/** Pairs the most similar children first; at the same cost, those at the nearest positions. Pairs too many children in order. */
export function* pairsByCost<A, B>(
  left: readonly A[],
  right: readonly B[],
  cost: (left: A, right: B) => number,
): PausableWork<readonly ChildPair<A, B>[]> {
  if ((left.length <= 1 && right.length <= 1) || left.length * right.length > MAX_COMPARED_PAIRS)
    return pairsInOrder(left, right);
  const pairs: { readonly pair: ChildPair<A, B>; readonly cost: number; readonly distance: number }[] = [];
  for (const [row, a] of left.entries()) {
    for (const [column, b] of right.entries())
      pairs.push({ pair: [a, b], cost: cost(a, b), distance: Math.abs(row - column) });
    yield;
  }
  return pairs.toSorted((x, y) => x.cost - y.cost || x.distance - y.distance).map(({ pair }) => pair);
}

/** Pairs children by position. */
export function pairsInOrder<A, B>(left: readonly A[], right: readonly B[]): readonly ChildPair<A, B>[] {
  return left.flatMap((a, index) => (index < right.length ? [[a, right[index] as B] as const] : []));
}

/** Pairs children with the same key in order, and returns the rest in order. */
export function pairsByKey<A, B, K>(
  left: readonly A[],
  right: readonly B[],
  keyOfLeft: (left: A) => K,
  keyOfRight: (right: B) => K,
): { readonly pairs: readonly ChildPair<A, B>[]; readonly left: readonly A[]; readonly right: readonly B[] } {
  const waiting = Map.groupBy(left.toReversed(), keyOfLeft);
  const pairs: ChildPair<A, B>[] = [];
  const rest: B[] = [];
  const taken = new Set<A>();
  for (const b of right) {
    const a = waiting.get(keyOfRight(b))?.pop();
    if (a === undefined) rest.push(b);
    else {
      taken.add(a);
      pairs.push([a, b]);
    }
  }
  return { pairs, left: left.filter(a => !taken.has(a)), right: rest };
}

function* groupByName<T extends Named>(children: readonly T[]): PausableWork<ReadonlyMap<string, readonly T[]>> {
  const groups = new Map<string, T[]>();
  for (const [index, child] of children.entries()) {
    const label = nameAndClass(child);
    const group = groups.get(label);
    if (group) group.push(child);
    else groups.set(label, [child]);
    if (index % BATCH_SIZE === BATCH_SIZE - 1) yield;
  }
  return groups;
}

export const nameAndClass = (of: Named): string => `${of.className}\0${of.name}`;
