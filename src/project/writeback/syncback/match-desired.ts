import type { PausableWork } from '../../../base/time-slice.ts';
import { areVariantsIdentical } from '../../../roblox/instances/equality.ts';
import {
  type ChildPair,
  MAX_COMPARED_PAIRS,
  matchByName,
  pairsByCost,
  pairsByKey,
  pairsInOrder,
} from '../../tree/match-by-name.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { DesiredInstance } from '../desired.ts';
import { SubtreeKeys, type KeyRules } from './subtree-keys.ts';

export interface MatchedChildren {
  readonly pairs: readonly ChildPair<TreeInstance, DesiredInstance>[];
  readonly onlyOnDisk: readonly TreeInstance[];
  readonly onlyInPlace: readonly DesiredInstance[];
}

/** Pairs children on disk with children in the place. Use one object per comparison: it remembers what it compared. */
export class DesiredMatcher {
  readonly #keys: SubtreeKeys;
  readonly #childrenOf: KeyRules['childrenOf'];

  constructor(rules: KeyRules) {
    this.#keys = new SubtreeKeys(rules);
    this.#childrenOf = rules.childrenOf;
  }

  /** Pairs by name and class; among several candidates, first those that are equal with all descendants, then the most similar ones. */
  *match(existing: readonly TreeInstance[], wanted: readonly DesiredInstance[]): PausableWork<MatchedChildren> {
    const matched = yield* matchByName(
      existing,
      wanted,
      () => undefined,
      (left, right) => this.#pairs(left, right),
    );
    const taken = new Set(matched.values());
    return {
      pairs: Array.from(matched, ([desired, instance]) => [instance, desired] as const),
      onlyOnDisk: existing.filter(instance => !taken.has(instance)),
      onlyInPlace: wanted.filter(desired => !matched.has(desired)),
    };
  }

  *#pairs(
    left: readonly TreeInstance[],
    right: readonly DesiredInstance[],
  ): PausableWork<readonly ChildPair<TreeInstance, DesiredInstance>[]> {
    if (left.length === 0 || right.length === 0) return [];
    if (left.length === 1 && right.length === 1) return pairsInOrder(left, right);
    for (const instance of left) yield* this.#keys.readDisk(instance);
    for (const desired of right) yield* this.#keys.readPlace(desired);
    const keyOf = (of: TreeInstance | DesiredInstance): number | undefined => this.#keys.keyOf(of);
    const equal = pairsByKey(inOrderOfNumbers(left), right, keyOf, keyOf);
    if (equal.left.length * equal.right.length <= MAX_COMPARED_PAIRS) {
      const rest = yield* pairsByCost(equal.left, equal.right, (a, b) => this.#difference(a, b));
      return [...equal.pairs, ...rest];
    }
    const similar = pairsByKey(
      equal.left,
      equal.right,
      instance => this.#keys.valuesOnDisk(instance),
      desired => this.#keys.valuesInPlace(desired),
    );
    return [...equal.pairs, ...similar.pairs, ...pairsInOrder(similar.left, similar.right)];
  }

  /** The differences of two instances. Equal children decide among pairs with the same number of other differences. */
  #difference(instance: TreeInstance, desired: DesiredInstance): number {
    let cost = 0;
    for (const [name, value] of instance.properties) {
      const other = desired.properties.get(name);
      if (other === undefined || !areVariantsIdentical(value, other)) cost += 1;
    }
    const children = this.#childrenOf(instance);
    const others = new Set(desired.children.map(child => child.name));
    cost += Math.abs(children.length - desired.children.length);
    cost += children.filter(child => !others.has(child.name)).length;
    if (children.length === 0) return cost;
    const { left: different } = pairsByKey(
      children,
      desired.children,
      child => this.#keys.keyOf(child),
      child => this.#keys.keyOf(child),
    );
    return cost + (0.9 * different.length) / children.length;
  }
}

/** Files are listed by name, so `Part~10` precedes `Part~2`. The numbers were given in the order of the place. */
function inOrderOfNumbers(left: readonly TreeInstance[]): readonly TreeInstance[] {
  const numbers = new Map(left.map(instance => [instance, fileNumber(instance)]));
  return left.toSorted((a, b) => (numbers.get(a) ?? 1) - (numbers.get(b) ?? 1));
}

/** The number in a file or folder name such as `Part~2.model.json5`, or 1. */
function fileNumber({ location }: TreeInstance): number {
  const names = location.entry?.split('/') ?? [];
  const number = names.map(name => /~(?<number>\d{1,9})(?:\.|$)/.exec(name)?.groups?.['number']).findLast(Boolean);
  return Number(number ?? 1);
}
