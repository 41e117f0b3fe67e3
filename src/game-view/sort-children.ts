import { compareNames } from '../base/compare-names.ts';
import { explorerServices } from '../protocol/studio/messages.ts';
import type { PausableWork } from '../base/time-slice.ts';

/** Elements that are sorted or merged between two pauses. */
const RUN_LENGTH = 512;

interface Named {
  readonly name: string;
}

/** Computes the keys each time: keys that are kept would survive a garbage collection and make it long. */
const byName = (a: Named, b: Named): number => compareNames(a.name, b.name);

/** Sorts by name, in upper and lower case alike, and then in the given order. Pauses often enough for 100,000 children. */
export function* sortByName<T extends Named>(children: readonly T[]): PausableWork<readonly T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < children.length; at += RUN_LENGTH) {
    runs.push(children.slice(at, at + RUN_LENGTH).sort(byName));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T extends Named>(left: readonly T[], right: readonly T[]): PausableWork<T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  for (let next = left[l], other = right[r]; next !== undefined || other !== undefined;) {
    if (next !== undefined && (other === undefined || byName(next, other) <= 0)) {
      merged.push(next);
      next = left[(l += 1)];
    } else if (other !== undefined) {
      merged.push(other);
      other = right[(r += 1)];
    }
    if (merged.length % RUN_LENGTH === 0) yield;
  }
  return merged;
}

/** Sorts services as Studio's Explorer does; others follow by name. */
export const sortServices = <T extends { readonly name: string; readonly className: string }>(
  services: readonly T[],
): readonly T[] => {
  const placeOf = ({ className }: T): number => {
    const index = explorerServices.indexOf(className);
    return index < 0 ? explorerServices.length : index;
  };
  return services.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
};
