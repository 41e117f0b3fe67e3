import type { Choice } from '../protocol/sync-request.ts';
import type { PatchType } from '../protocol/sync-result.ts';

type Decision = Choice | 'undecided';

/** The fields of a change that are counted. */
export interface CountedChange {
  readonly patchType: PatchType;
  readonly choice: Choice | null;
  /** Instances that a push or pull changes: a folder that only Studio has is one change of all that it contains. 1 by default. */
  readonly instances?: number | undefined;
}

/** Counts changes by patch type and decision. Updates one change at a time, so a click takes constant time in a review of any size. */
export class DecisionCounts {
  readonly #counts = new Map<string, number>();
  readonly #instances = new Map<string, number>();
  total = 0;
  undecided = 0;

  constructor(changes: Iterable<CountedChange>) {
    for (const change of changes) this.add(change);
  }

  add(change: CountedChange): void {
    this.#move(change, 1);
  }

  remove(change: CountedChange): void {
    this.#move(change, -1);
  }

  /** The instances of all changes with that decision. */
  instancesOf(patchType: PatchType, decision: Decision): number {
    return this.#instances.get(`${patchType} ${decision}`) ?? 0;
  }

  of(patchType: PatchType, decision: Decision): number {
    return this.#counts.get(`${patchType} ${decision}`) ?? 0;
  }

  #move({ choice, patchType, instances = 1 }: CountedChange, by: 1 | -1): void {
    const key = `${patchType} ${choice ?? 'undecided'}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
    this.#instances.set(key, (this.#instances.get(key) ?? 0) + by * instances);
    this.total += by;
    if (choice === null) this.undecided += by;
  }
}
