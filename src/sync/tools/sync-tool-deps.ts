import type { SyncEngine } from '../sync-engine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Hasher } from '../../ports/hasher.ts';

/** Dependencies of the tools of the `sync` toolset. */
export interface SyncToolDeps {
  readonly engine: SyncEngine;
  readonly clock: Clock;
  readonly hasher: Hasher;
}
