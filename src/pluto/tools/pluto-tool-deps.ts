import type { Finding } from '../session/findings.ts';
import type { PlutoSession } from '../session/pluto-session.ts';
import type { ViewSyncs } from '../review/view-syncs.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProgramRunner } from '../ports/program-runner.ts';

/** What the tools of the `pluto` toolset work on. */
export interface PlutoToolDeps {
  readonly pluto: PlutoSession;
  readonly clock: Clock;
  readonly programs: ProgramRunner;
}

/** What `sync_pt` works on, which may ask a person. */
export interface ViewToolDeps {
  readonly views: ViewSyncs;
  readonly clock: Clock;
  /** What is wrong with some modules. */
  readonly findings: (paths: ReadonlySet<string>, signal: AbortSignal) => Promise<readonly Finding[]>;
}
