import type { Finding } from '../session/findings.ts';
import type { PlutoSession } from '../session/pluto-session.ts';
import type { ViewSyncs } from '../review/view-syncs.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProgramRunner } from '../ports/program-runner.ts';

/** The dependencies of the pluto tools. */
export interface PlutoToolDeps {
  readonly pluto: PlutoSession;
  readonly clock: Clock;
  readonly programs: ProgramRunner;
}

/** The dependencies of `sync_pt`, which may ask a person. */
export interface ViewToolDeps {
  readonly views: ViewSyncs;
  readonly clock: Clock;
  readonly findings: (signal: AbortSignal) => Promise<readonly Finding[]>;
}
