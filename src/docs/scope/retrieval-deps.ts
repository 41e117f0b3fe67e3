import type { Clock } from '../../ports/clock.ts';
import type { RootCheckouts } from '../ports/root-checkouts.ts';
import type { RootFiles } from '../ports/root-files.ts';
import type { SearchBackend } from '../ports/search-backend.ts';
import type { RootConfiguration } from '../roots/configuration.ts';

export interface RetrievalDeps {
  /** As the environment says it now. */
  configuration(): Promise<RootConfiguration>;
  readonly checkouts: RootCheckouts;
  readonly files: RootFiles;
  readonly search: SearchBackend;
  readonly clock: Clock;
}

/** What differs between the two surfaces of the tools inside the engine; everything else is theirs alone. */
export interface Terms {
  /** Whether names that start with a dot, and ignored files, may be opened and listed when they are named. */
  readonly opensHidden: boolean;
  /** Bytes. */
  readonly openedBytes: number;
  readonly answerBytes: number;
  /** Names of a folder in one answer. */
  readonly listedEntries: number;
}
