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

/** The bridge of one folder, as the editor uses it; created by `createBridge` in `app.ts`. */
export interface ServedBridge {
  readonly studioUrl: string;
  readonly mcpUrl: string;
  readonly engine: SyncEngine;
  readonly studios: StudioDirectory;
  /** Closes the connections of all Studios, which must prove their keys again. */
  disconnectStudios(reason: string): void;
  readonly agents: AgentPresence;
  readonly live: LiveControl;
  readonly retrieval: Retrieval;
  readonly gitRoots: RootHost['gitRoots'];
  /** Fires with edits from Studio that could not be written to disk. */
  readonly onDidFailWrite: Event<readonly WriteOutcome[]>;
  readonly onDidOpenPluto: Event<unknown>;
  /** `undefined` until the folder has Pluto modules. */
  pluto(): Pick<PlutoToolset, 'views' | 'unsaved'> | undefined;
  session(): ProjectSession | undefined;
  /** Why the project could not be opened; `undefined` if it is open. */
  projectProblem(): AppError | undefined;
  /** Fires when the project was opened, and when `projectProblem` changed. */
  readonly onDidChangeProject: Event<void>;
  stop(): Promise<void>;
}
