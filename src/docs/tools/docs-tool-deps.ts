import type { Retrieval } from '../retrieval.ts';
import type { Clock } from '../../ports/clock.ts';

/** The dependencies of the reading tools of the docs toolset. */
export interface DocsToolDeps {
  readonly retrieval: Retrieval;
  readonly clock: Clock;
}
