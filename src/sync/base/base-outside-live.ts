import type { Event } from '../../base/emitter.ts';
import { type BaseStore, outdated } from '../../ports/base-store.ts';
import type { Logger } from '../../ports/logger.ts';

export interface LiveStudios {
  /** Number of Studios in Live Sync, with any plugin. */
  readonly count: () => number;
  readonly onDidChangeCount: Event<void>;
}

/**
 * A base store that is outdated during Live Sync: both sides then change without a run, so no state is the last common one. Marks every
 * state as outdated when Live Sync begins, and records nothing until it ends.
 */
export function baseOutsideLive(bases: BaseStore, live: LiveStudios, log: Logger): BaseStore & Disposable {
  const listening = live.onDidChangeCount(() => {
    if (live.count() === 0) return;
    bases.outdateAll().catch((error: unknown) => log.error('the base could not be marked as outdated', error));
  });
  return {
    async load(place) {
      const states = await bases.load(place);
      return live.count() === 0 ? states : new Map(Array.from(states, ([key, state]) => [key, outdated(state)]));
    },
    async update(place, changed) {
      if (live.count() === 0) await bases.update(place, changed);
    },
    outdateAll: () => bases.outdateAll(),
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}
