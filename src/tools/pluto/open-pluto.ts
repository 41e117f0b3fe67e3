import { Slices } from '../../core/sync/slices.ts';
import { PlutoSession, type SessionPorts } from '../../core/pluto/session/pluto-session.ts';
import type { ToolsetExtras } from '../../mcp/registry.ts';
import type { Tool } from '../../mcp/tool.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';
import { createPlutoResources } from '../resources/pluto-resources.ts';
import { instructions } from '../instructions.ts';
import { plutoTools } from './pluto-catalog.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';

export interface PlutoPorts extends SessionPorts {
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly log: Logger;
  readonly programs: ProgramRunner;
}

/** The pluto toolset over one project; disposing it ends the watching. Edits that are not saved go with it. */
export interface PlutoToolset extends Disposable {
  readonly session: PlutoSession;
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
  const resources = createPlutoResources(session);
  return {
    session,
    tools: isReadOnly ? plutoTools.filter(({ listing }) => listing.annotations.readOnlyHint) : plutoTools,
    deps: { pluto: session, clock, programs },
    extras: { toolset: 'pluto', prompts: [], resources, instructions: instructions.pluto },
    [Symbol.dispose]() {
      resources[Symbol.dispose]();
      session[Symbol.dispose]();
    },
  };
}
