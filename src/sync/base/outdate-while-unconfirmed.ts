import type { Event } from '../../base/emitter.ts';
import { type BaseStore, asOutdated } from '../../ports/base-store.ts';
import type { Logger } from '../../ports/logger.ts';

export interface UnconfirmedStudios {
  /** Number of Studios that get every change without confirming it: those with an unmodified plugin. */
  readonly count: () => number;
  readonly onDidChangeCount: Event<void>;
}

/**
 * A base store that is outdated while a Studio gets changes without confirming them: then no state is known to be the last common one.
 * Marks every state as outdated when that begins, and records nothing until it ends. Our plugin confirms each change (`live-bases.ts`).
 */
export function outdateWhileUnconfirmed(
  bases: BaseStore,
  live: UnconfirmedStudios,
  log: Logger,
): BaseStore & Disposable {
  let wasLive = false;
  const listening = live.onDidChangeCount(() => {
    const isLive = live.count() > 0;
    if (isLive && !wasLive)
      bases.outdateAll().catch((error: unknown) => log.error('the base could not be marked as outdated', error));
    wasLive = isLive;
  });
  return {
    async load(place) {
      const states = await bases.load(place);
      return live.count() === 0 ? states : new Map(Array.from(states, ([key, state]) => [key, asOutdated(state)]));
    },
    async update(place, changed) {
      if (live.count() === 0) await bases.update(place, changed);
    },
    outdateAll: () => bases.outdateAll(),
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}
