import { type BaseState, type BaseStore, computeChanges } from '../ports/base-store.ts';

/** A base store that delays updates until `keep`, because the base of a place file is only valid once the file is saved. */
export interface DeferredBaseStore extends BaseStore {
  keep(): Promise<void>;
}

export function deferBases(store: BaseStore): DeferredBaseStore {
  const held = new Map<string, Map<string, BaseState | undefined>>();
  const load = async (place: string): Promise<ReadonlyMap<string, BaseState>> => {
    const known = new Map(await store.load(place));
    for (const [key, state] of held.get(place) ?? [])
      if (state === undefined) known.delete(key);
      else known.set(key, state);
    return known;
  };
  return {
    load,
    async update(place, update) {
      const changed = computeChanges(update, await load(place));
      const waiting = held.get(place) ?? new Map<string, BaseState | undefined>();
      for (const [key, state] of changed) waiting.set(key, state);
      held.set(place, waiting);
      // Removals apply at once: an instance that is being changed has no valid base, even if saving the file fails.
      const forgotten = Array.from(changed).filter(([, state]) => state?.isOutdated ?? true);
      if (forgotten.length > 0) await store.update(place, new Map(forgotten));
    },
    async outdateAll() {
      held.clear();
      await store.outdateAll();
    },
    async keep() {
      for (const [place, changed] of held) await store.update(place, changed);
      held.clear();
    },
  };
}
