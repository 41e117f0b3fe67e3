import type { PatchType } from '../../protocol/sync.ts';
import type { RunChange } from '../sync/changes/run-change.ts';

type Decision = NonNullable<RunChange['choice']> | 'undecided';

/** How many changes of each kind are decided how; kept up to date one change at a time, so that a click costs the same in any review. */
export class DecisionCounts {
  readonly #counts = new Map<string, number>();
  total = 0;
  undecided = 0;

  constructor(changes: Iterable<RunChange>) {
    for (const change of changes) this.add(change);
  }

  add(change: RunChange): void {
    this.#move(change, 1);
  }

  remove(change: RunChange): void {
    this.#move(change, -1);
  }

  of(patchType: PatchType, decision: Decision): number {
    return this.#counts.get(`${patchType} ${decision}`) ?? 0;
  }

  #move({ choice, studio }: RunChange, by: 1 | -1): void {
    const key = `${studio.patchType} ${choice ?? 'undecided'}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
    this.total += by;
    if (choice === null) this.undecided += by;
  }
}
