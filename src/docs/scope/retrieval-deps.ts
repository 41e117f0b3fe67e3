import type { Clock } from '../../ports/clock.ts';
import type { RootCheckouts } from '../ports/root-checkouts.ts';
import type { RootFiles } from '../ports/root-files.ts';
import type { SearchBackend } from '../ports/search-backend.ts';
import type { RootConfiguration } from '../roots/configuration.ts';

export interface RetrievalDeps {
  /** The current configuration. */
  configuration(): Promise<RootConfiguration>;
  readonly checkouts: RootCheckouts;
  readonly files: RootFiles;
  readonly search: SearchBackend;
  readonly clock: Clock;
}

/** The limits of a caller; the current and the old tools differ in them. */
export interface Terms {
  /** Maximum size of a file that is read as a whole. */
  readonly openedBytes: number;
  readonly answerBytes: number;
  /** Maximum number of entries of a folder in one answer. */
  readonly listedEntries: number;
}
