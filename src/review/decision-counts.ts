import type { Choice, PatchType } from '../protocol/sync.ts';

type Decision = Choice | 'undecided';

/** One change as it is counted. */
export interface CountedChange {
  readonly patchType: PatchType;
  readonly choice: Choice | null;
}

/** How many changes of each kind are decided how; kept up to date one change at a time, so that a click costs the same in any review. */
export class DecisionCounts {
  readonly #counts = new Map<string, number>();
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

  of(patchType: PatchType, decision: Decision): number {
    return this.#counts.get(`${patchType} ${decision}`) ?? 0;
  }

  #move({ choice, patchType }: CountedChange, by: 1 | -1): void {
    const key = `${patchType} ${choice ?? 'undecided'}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
    this.total += by;
    if (choice === null) this.undecided += by;
  }
}
