import { TimeSlice } from '../../base/time-slice.ts';
import { PlutoSession, type SessionPorts } from '../session/pluto-session.ts';
import { type UnsavedEdits, unsavedEditsOf } from '../session/unsaved-edits.ts';
import { createViewSyncs, type ViewSyncs } from '../review/view-syncs.ts';
import { findingsOf } from '../session/findings.ts';
import { viewModulesOf } from '../session/views/view-modules.ts';
import { bindTools } from '../../mcp/bind-tools.ts';
import type { ToolsetExtras } from '../../mcp/registry.ts';
import type { Tool } from '../../mcp/tool.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProgramRunner } from '../ports/program-runner.ts';
import type { ReviewSurface } from '../../ports/review-surface.ts';
import type { Settings } from '../../ports/settings.ts';
import { createPlutoResources, readPlutoResource } from './pluto-resources.ts';
import { instructions } from '../../mcp/instructions.ts';
import { plutoTools } from './pluto-catalog.ts';

/** What the toolset needs of a bridge. */
export interface BridgePlutoPorts extends SessionPorts {
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: Settings;
  /** `undefined`: nothing is kept of what a sync of a `.pt` replaces. */
  readonly journal?: JournalStore | undefined;
  /** `undefined` where no person can be asked. */
  readonly reviewSurface?: ReviewSurface | undefined;
}

export interface PlutoPorts extends BridgePlutoPorts {
  readonly programs: ProgramRunner;
}

/** The pluto toolset over one project; disposing it ends the watching. Edits that are not saved go with it. */
export interface PlutoToolset extends Disposable {
  /** When it was opened. */
  readonly moduleCount: number;
  /** What agents have edited and not saved. */
  readonly unsaved: UnsavedEdits;
  /** Syncs of `.pt` files, by agents and by people. */
  readonly views: ViewSyncs;
  readonly tools: readonly Tool<undefined>[];
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
    { tool: { name: 'atlas-bridge', version }, isReadOnly, slice: new TimeSlice(clock) },
    signal,
  );
  session.watch(watcher, clock, error => log.error('the Pluto modules could not be looked at', error));
  const { journal, reviewSurface: surface } = ports;
  const views = createViewSyncs({ ...ports, modules: viewModulesOf(session), journal, surface });
  const resources = createPlutoResources(session.onDidChange, uri => readPlutoResource(session, uri));
  const findings = (paths: ReadonlySet<string>, signal: AbortSignal) => findingsOf(session, signal, paths);
  return {
    moduleCount: session.files.length,
    unsaved: unsavedEditsOf(session),
    views,
    tools: bindTools(isReadOnly ? plutoTools.filter(({ listing }) => listing.annotations.readOnlyHint) : plutoTools, {
      pluto: session,
      views,
      clock,
      programs,
      findings,
    }),
    extras: { toolset: 'pluto', prompts: [], resources, instructions: instructions.pluto },
    [Symbol.dispose]() {
      resources[Symbol.dispose]();
      views[Symbol.dispose]();
      session[Symbol.dispose]();
    },
  };
}
