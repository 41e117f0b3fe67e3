import type { Event } from '../base/emitter.ts';
import type { AppError } from '../base/errors.ts';
import type { AgentPresence } from '../setup/agents/agent-presence.ts';
import type { PlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import type { RootHost } from '../docs/ports/root-host.ts';
import type { Retrieval } from '../docs/retrieval.ts';
import type { LiveControl } from '../studio/live/live-control.ts';
import type { StudioDirectory } from '../studio/studio-link.ts';
import type { WriteOutcome } from '../studio/write/write-context.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { SyncEngine } from '../sync/sync-engine.ts';

/** What the editor's side needs of the bridge of one folder; `createBridge` of `app.ts` makes one. */
export interface ServedBridge {
  readonly studioUrl: string;
  readonly mcpUrl: string;
  readonly engine: SyncEngine;
  readonly studios: StudioDirectory;
  readonly agents: AgentPresence;
  readonly live: LiveControl;
  readonly retrieval: Retrieval;
  readonly gitRoots: RootHost['gitRoots'];
  /** What a Studio wrote and is not on disk. */
  readonly onDidFailWrite: Event<readonly WriteOutcome[]>;
  readonly onDidOpenPluto: Event<unknown>;
  /** `undefined` as long as the folder has no modules. */
  pluto(): Pick<PlutoToolset, 'views' | 'unsaved'> | undefined;
  session(): ProjectSession | undefined;
  /** Why there is no project; `undefined` when there is one. */
  projectProblem(): AppError | undefined;
  /** Fires when the project was opened, and when the reason why there is none has changed. */
  readonly onDidChangeProject: Event<void>;
  stop(): Promise<void>;
}
