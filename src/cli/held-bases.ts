import type { BaseState, BaseStore } from '../ports/base-store.ts';

/** Updates wait until `keep`: what a place file holds is agreed on only once that file is written. */
export interface HeldBases extends BaseStore {
  keep(): Promise<void>;
}

export function holdBases(store: BaseStore): HeldBases {
  const held = new Map<string, Map<string, BaseState | undefined>>();
  return {
    async load(place) {
      const known = new Map(await store.load(place));
      for (const [key, state] of held.get(place) ?? [])
        if (state === undefined) known.delete(key);
        else known.set(key, state);
      return known;
    },
    async update(place, changed) {
      const waiting = held.get(place) ?? new Map<string, BaseState | undefined>();
      for (const [key, state] of changed) waiting.set(key, state);
      held.set(place, waiting);
      // To forget is right at once: whatever becomes of the place file, what is in flight is agreed on by nobody.
      const forgotten = Array.from(changed).filter(([, state]) => state === undefined);
      if (forgotten.length > 0) await store.update(place, new Map(forgotten));
    },
    async clear() {
      held.clear();
      await store.clear();
    },
    async keep() {
      for (const [place, changed] of held) await store.update(place, changed);
      held.clear();
    },
  };
}
