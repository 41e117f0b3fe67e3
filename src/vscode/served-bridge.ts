import type * as vscode from 'vscode';
import type { Event } from '../base/emitter.ts';
import type { AppError } from '../base/errors.ts';
import type { AgentPresence } from '../setup/agents/agent-presence.ts';
import type { PlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import type { RootHost } from '../docs/ports/root-host.ts';
import type { Retrieval } from '../docs/retrieval.ts';
import type { LiveControl } from '../studio/live/live-control.ts';
import type { StudioDirectory } from '../studio/studio-link.ts';
import type { FailedWrite } from '../studio/write/write-context.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { Reflection } from '../roblox/instances/reflection.ts';
import type { SyncEngine } from '../sync/sync-engine.ts';

/** The bridge of one project, as the editor uses it; created by `createBridge` in `app.ts`. */
export interface ServedBridge {
  /**
   * `key` identifies the project in the workspace; `label` is the path of its file in the window; `root` is the folder of the project's
   * paths.
   */
  readonly location: { readonly key: string; readonly label: string; readonly root: vscode.Uri };
  readonly studioUrl: string;
  readonly mcpUrl: string;
  /** The address of the tools of all projects of the window; `undefined` outside a window. */
  readonly projectsUrl: string | undefined;
  /** The address for Rojo's plugin; `undefined` if this project has none, or its port is in use. */
  rojoUrl(): string | undefined;
  /** Moves the second port, for Rojo's plugin. `undefined`: closes it. */
  serveRojo(port: number | undefined): Promise<void>;
  readonly engine: SyncEngine;
  readonly studios: StudioDirectory;
  /** Closes the connections of all Studios, which must prove their keys again. */
  disconnectStudios(reason: string): void;
  /** The classes of Roblox. */
  readonly reflection: Reflection;
  readonly agents: AgentPresence;
  readonly live: LiveControl;
  readonly retrieval: Retrieval;
  readonly gitRoots: RootHost['gitRoots'];
  /** Fires with edits from Studio that could not be written to disk. */
  readonly onDidFailWrite: Event<FailedWrite>;
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
