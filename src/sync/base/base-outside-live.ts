import type { Event } from '../../base/emitter.ts';
import type { BaseStore } from '../../ports/base-store.ts';
import type { Logger } from '../../ports/logger.ts';

export interface LiveStudios {
  /** How many Studios are kept in step right now, by whatever plugin. */
  readonly count: () => number;
  readonly onDidChangeCount: Event<void>;
}

/**
 * What both sides agreed on, but while they are kept in step live: then both move without a run, and what was known before would make an
 * old state the last one that both held. So it is forgotten when that begins, and nothing is learned until it is over.
 */
export function baseOutsideLive(bases: BaseStore, live: LiveStudios, log: Logger): BaseStore & Disposable {
  const listening = live.onDidChangeCount(() => {
    if (live.count() === 0) return;
    bases.clear().catch((error: unknown) => log.error('what both sides agreed on could not be forgotten', error));
  });
  return {
    load: async place => (live.count() > 0 ? new Map() : await bases.load(place)),
    async update(place, changed) {
      if (live.count() === 0) await bases.update(place, changed);
    },
    clear: () => bases.clear(),
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}
