import type { BaseStore } from '../ports/base-store.ts';
import { createLiveControl, type LiveControl, type LiveControlDeps } from '../studio/live/live-control.ts';
import { BaseTexts, type BaseTextsDeps } from '../sync/base/base-texts.ts';
import { createLiveBases } from '../sync/base/live-bases.ts';

export interface LiveDeps extends Omit<LiveControlDeps, 'bases'>, Omit<BaseTextsDeps, 'journal'> {
  readonly bases: BaseStore;
}

/** Creates Live Sync with our plugin, which keeps the base up to date. */
export function createLive(deps: LiveDeps): LiveControl {
  return createLiveControl({ ...deps, bases: createLiveBases({ ...deps, baseTexts: new BaseTexts(deps) }) });
}
