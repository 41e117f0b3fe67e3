import { TimeSlice } from '../../base/time-slice.ts';
import { bindTools } from '../../mcp/bind-tools.ts';
import type { ProgramRunner } from '../ports/program-runner.ts';
import { createViewSyncs } from '../review/view-syncs.ts';
import { findingsOf } from '../session/findings.ts';
import { PlutoSession } from '../session/pluto-session.ts';
import { unsavedEditsOf } from '../session/unsaved-edits.ts';
import { viewModulesOf } from '../session/views/view-modules.ts';
import { plutoTools } from './pluto-catalog.ts';
import { createPlutoResources, plutoContent, readPlutoResource } from './pluto-resources.ts';
import type { PlutoToolset, ToolsetHost } from './pluto-toolset.ts';

export interface PlutoToolsetPorts extends ToolsetHost {
  readonly programs: ProgramRunner;
}

/** Opens the toolset in this thread. @param options `isReadOnly`: offers only the tools that change nothing */
export async function openPlutoToolset(
  ports: PlutoToolsetPorts,
  { version, isReadOnly = false }: { readonly version: string; readonly isReadOnly?: boolean },
  signal: AbortSignal,
): Promise<PlutoToolset> {
  const { clock, watcher, log, programs } = ports;
  const session = await PlutoSession.open(
    ports,
    { tool: { name: 'atlas-bridge', version }, isReadOnly, slice: new TimeSlice(clock) },
    signal,
  );
  session.watch(watcher, clock, error => log.error('failed to read the changed Pluto modules', error));
  const { journal, reviewSurface: surface } = ports;
  const views = createViewSyncs({ ...ports, modules: viewModulesOf(session), journal, surface });
  const resources = createPlutoResources(session.onDidChange, uri => readPlutoResource(session, uri));
  const findings = (signal: AbortSignal) => findingsOf(session, signal);
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
    extras: plutoContent(resources),
    [Symbol.dispose]() {
      resources[Symbol.dispose]();
      views[Symbol.dispose]();
      session[Symbol.dispose]();
    },
  };
}
