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
  /** Whether the stored states are not marked as outdated yet. */
  let isUnmarked = false;
  const outdate = async (): Promise<void> => {
    isUnmarked = true;
    try {
      await bases.outdateAll();
      isUnmarked = false;
    } catch (error) {
      log.error('the base could not be marked as outdated', error);
    }
  };
  /** Whether the stored states are usable. Tries again to mark them if that failed. */
  const isUsable = async (): Promise<boolean> => {
    if (live.count() > 0) return false;
    if (isUnmarked) await outdate();
    return !isUnmarked;
  };
  const listening = live.onDidChangeCount(() => {
    const isLive = live.count() > 0;
    if (isLive && !wasLive) void outdate();
    wasLive = isLive;
  });
  return {
    async load(place) {
      const isCurrent = await isUsable();
      const states = await bases.load(place);
      return isCurrent && live.count() === 0
        ? states
        : new Map(Array.from(states, ([key, state]) => [key, asOutdated(state)]));
    },
    async update(place, changed) {
      if ((await isUsable()) && live.count() === 0) await bases.update(place, changed);
    },
    outdateAll: () => bases.outdateAll(),
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}
