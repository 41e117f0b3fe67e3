import { Slices } from '../../core/sync/slices.ts';
import { PlutoSession, type SessionPorts } from '../../core/pluto/session/pluto-session.ts';
import { type UnsavedEdits, unsavedEditsOf } from '../../core/pluto/session/unsaved-edits.ts';
import { createViewSyncs, type ViewSyncs } from '../../core/review/pluto/view-syncs.ts';
import type { ToolsetExtras } from '../../mcp/registry.ts';
import type { Tool } from '../../mcp/tool.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';
import type { ReviewSurface } from '../../ports/review-surface.ts';
import type { Settings } from '../../ports/settings.ts';
import { createPlutoResources } from '../resources/pluto-resources.ts';
import { instructions } from '../instructions.ts';
import { plutoTools } from './pluto-catalog.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';

export interface PlutoPorts extends SessionPorts {
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: Settings;
  /** `undefined`: nothing is kept of what a sync of a `.pt` replaces. */
  readonly journal?: JournalStore | undefined;
  /** `undefined` where no person can be asked. */
  readonly reviewSurface?: ReviewSurface | undefined;
  readonly programs: ProgramRunner;
}

/** The pluto toolset over one project; disposing it ends the watching. Edits that are not saved go with it. */
export interface PlutoToolset extends Disposable {
  readonly session: PlutoSession;
  /** What is edited in `session` and not saved. */
  readonly unsaved: UnsavedEdits;
  /** Syncs of `.pt` files, by agents and by people. */
  readonly views: ViewSyncs;
  readonly tools: readonly Tool<PlutoToolDeps>[];
  readonly deps: PlutoToolDeps;
  readonly extras: ToolsetExtras;
}

/** @param options `isReadOnly`: only the tools that change nothing */
export async function openPluto(
  ports: PlutoPorts,
  { version, isReadOnly = false }: { readonly version: string; readonly isReadOnly?: boolean },
  signal: AbortSignal,
): Promise<PlutoToolset> {
  const { clock, watcher, log, programs } = ports;
  const session = await PlutoSession.open(
    ports,
    { tool: { name: 'atlas-bridge', version }, isReadOnly, pace: new Slices(clock) },
    signal,
  );
  session.watch(watcher, clock, error => log.error('the Pluto modules could not be looked at', error));
  const { journal, reviewSurface: surface } = ports;
  const views = createViewSyncs({ ...ports, session, journal, surface });
  const resources = createPlutoResources(session);
  return {
    session,
    unsaved: unsavedEditsOf(session),
    views,
    tools: isReadOnly ? plutoTools.filter(({ listing }) => listing.annotations.readOnlyHint) : plutoTools,
    deps: { pluto: session, views, clock, programs },
    extras: { toolset: 'pluto', prompts: [], resources, instructions: instructions.pluto },
    [Symbol.dispose]() {
      resources[Symbol.dispose]();
      views[Symbol.dispose]();
      session[Symbol.dispose]();
    },
  };
}
