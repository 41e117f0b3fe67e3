import type { PausableWork } from '../../base/time-slice.ts';

interface Named {
  readonly name: string;
  readonly className: string;
}

interface Keys<A, B> {
  readonly left: (left: A) => string;
  readonly right: (right: B) => string;
}

/** With more pairs of the same name and class, order decides, because comparing each pair would take too long. */
const MAX_COMPARED_PAIRS = 2_500;
/** Children that are processed between two pauses. */
const BATCH_SIZE = 256;

/**
 * Pairs children of two sides by name and class. Among several candidates, the most similar are paired first; at the same cost, those at
 * the nearest positions.
 *
 * @param known returns a partner that is already known; such a pair is not compared
 * @param cost how much two children differ
 * @param keys texts that are the same for equal children; they pair equal children where there are too many pairs to compare
 */
export function* matchByName<A extends Named, B extends Named>(
  left: readonly A[],
  right: readonly B[],
  known: (right: B) => A | undefined,
  cost: (left: A, right: B) => number,
  keys?: Keys<A, B>,
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
    for (const [a, b] of pairsInOrder(free, open, cost, keys)) take(a, b);
    yield;
  }
  return matched;
}

function pairsInOrder<A, B>(
  left: readonly A[],
  right: readonly B[],
  cost: (left: A, right: B) => number,
  keys: Keys<A, B> | undefined,
): readonly (readonly [A, B])[] {
  const isPlain = (left.length <= 1 && right.length <= 1) || left.length * right.length > MAX_COMPARED_PAIRS;
  if (isPlain && keys !== undefined && left.length > 1 && right.length > 1) return pairsByKey(left, right, keys);
  if (isPlain) return left.flatMap((a, index) => (index < right.length ? [[a, right[index] as B] as const] : []));
  return left
    .flatMap((a, row) =>
      right.map((b, column) => ({ pair: [a, b] as const, cost: cost(a, b), distance: Math.abs(row - column) })),
    )
    .sort((x, y) => x.cost - y.cost || x.distance - y.distance)
    .map(({ pair }) => pair);
}

/** Pairs equal children first, the others in order. */
function pairsByKey<A, B>(left: readonly A[], right: readonly B[], keys: Keys<A, B>): readonly (readonly [A, B])[] {
  const waiting = new Map<string, A[]>();
  for (const a of left.toReversed()) {
    const key = keys.left(a);
    const same = waiting.get(key);
    if (same) same.push(a);
    else waiting.set(key, [a]);
  }
  const pairs: (readonly [A, B])[] = [];
  const rest: B[] = [];
  const taken = new Set<A>();
  for (const b of right) {
    const a = waiting.get(keys.right(b))?.pop();
    if (a === undefined) rest.push(b);
    else {
      taken.add(a);
      pairs.push([a, b]);
    }
  }
  const free = left.filter(a => !taken.has(a));
  for (const [index, a] of free.entries()) {
    const b = rest[index];
    if (b !== undefined) pairs.push([a, b]);
  }
  return pairs;
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
