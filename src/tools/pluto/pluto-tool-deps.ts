import type { PlutoSession } from '../../core/pluto/session/pluto-session.ts';
import type { ViewSyncs } from '../../core/review/pluto/view-syncs.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';

/** What the tools of the `pluto` toolset work on. */
export interface PlutoToolDeps {
  readonly pluto: PlutoSession;
  readonly views: ViewSyncs;
  readonly clock: Clock;
  readonly programs: ProgramRunner;
}
