import type { Retrieval } from '../retrieval.ts';
import type { Clock } from '../../ports/clock.ts';

/** What the reading tools of the `docs` toolset are called with. */
export interface DocsToolDeps {
  readonly retrieval: Retrieval;
  readonly clock: Clock;
}
