import type { UnsavedEdits } from '../../session/unsaved-edits.ts';
import { watchModules } from '../../session/watch-modules.ts';
import type { ViewModules } from '../../session/views/view-modules.ts';
import { createViewSyncs } from '../../review/view-syncs.ts';
import { AppError } from '../../../base/errors.ts';
import { toolFailure, type ToolResult } from '../../../mcp/result.ts';
import type { ToolCall } from '../../../mcp/tool.ts';
import type { OverrideRules } from '../../../protocol/override-policy.ts';
import { createPlutoResources, plutoContent } from '../pluto-resources.ts';
import type { PlutoToolset, ToolsetHost } from '../pluto-toolset.ts';
import { plutoTools } from '../pluto-catalog.ts';
import type { ViewToolDeps } from '../pluto-tool-deps.ts';
import { syncPt } from '../sync-pt.ts';
import { ModulesClient, type StartModulesWorker } from './modules-client.ts';
import { fromFailure, type OverrideRuleValues, valueOf } from './messages.ts';

/**
 * Opens the toolset over a worker, which holds the modules and runs the checker, so that neither blocks this thread. This thread watches
 * the disk, asks people and writes the journal.
 */
export async function openWorkerToolset(ports: ToolsetHost, start: StartModulesWorker): Promise<PlutoToolset> {
  const { clock, watcher, log, journal, reviewSurface: surface } = ports;
  const modules = new ModulesClient(start, log, ports.transactions);
  let moduleCount: number;
  try {
    moduleCount = valueOf(await modules.ask('opened', {})).modules;
  } catch (error) {
    modules[Symbol.dispose]();
    throw error;
  }
  const watching = watchModules({
    watcher,
    clock,
    refresh: async paths => valueOf(await modules.ask('refresh', { paths })),
    onFailure: error => log.error('failed to read the changed Pluto modules', error),
  });
  const views = createViewSyncs({ ...ports, modules: viewModulesIn(modules), journal, surface });
  const resources = createPlutoResources(modules.onDidChange, async uri =>
    valueOf(await modules.ask('resource', { uri })),
  );
  const syncDeps: ViewToolDeps = {
    views,
    clock,
    findings: async signal => valueOf(await modules.cancellable('findings', {}, signal)),
  };
  return {
    moduleCount,
    unsaved: unsavedIn(modules),
    views,
    tools: plutoTools.map(({ toolset, listing }) => ({
      toolset,
      listing,
      async call(_, rawArguments, call) {
        try {
          modules.throwIfEditsLost();
          return listing.name === syncPt.listing.name
            ? await syncPt.call(syncDeps, rawArguments, call)
            : await callIn(modules, listing.name, rawArguments, call);
        } catch (error) {
          return toolFailure(AppError.from(error), !listing.annotations.readOnlyHint);
        }
      },
    })),
    extras: plutoContent(resources),
    [Symbol.dispose]() {
      watching[Symbol.dispose]();
      resources[Symbol.dispose]();
      views[Symbol.dispose]();
      modules[Symbol.dispose]();
    },
  };
}

const callIn = (
  modules: ModulesClient,
  name: string,
  rawArguments: unknown,
  { signal, requestedBy, progress }: ToolCall,
): Promise<ToolResult> =>
  modules.cancellable('call', { name, rawArguments, requestedBy, hasProgress: progress !== undefined }, signal, {
    progress,
  });

const unsavedIn = (modules: ModulesClient): UnsavedEdits => ({
  paths: () => modules.dirty,
  onDidChange: modules.onDidChange,
  module: async path => valueOf(await modules.ask('unsaved', { path })),
  save: async (paths, signal) =>
    valueOf(await modules.cancellable('save', { paths }, signal)).map(one =>
      one.kind === 'saved' ? one : { path: one.path, kind: one.kind, error: fromFailure(one.failure) },
    ),
});

const viewModulesIn = (modules: ModulesClient): ViewModules => ({
  isReadOnly: false,
  onDidChange: modules.onDidChange,
  compare: async ({ rules, ...request }, signal) =>
    valueOf(await modules.cancellable('compare', { request: { ...request, rules: valuesOf(rules) } }, signal)),
  async sync({ rules, ...request }, signal, journal) {
    const args = { request: { ...request, rules: valuesOf(rules) }, isRecorded: journal !== undefined };
    return valueOf(await modules.cancellable('sync', args, signal, { journal }));
  },
  async writeInto({ number, view }, merged, journal) {
    const args = { compared: { number, view }, merged, isRecorded: journal !== undefined };
    valueOf(await modules.cancellable('writeInto', args, new AbortController().signal, { journal }));
  },
  async checkMerge({ number, view }, merged) {
    valueOf(
      await modules.cancellable('checkMerge', { compared: { number, view }, merged }, new AbortController().signal),
    );
  },
});

const valuesOf = (rules: OverrideRules | undefined): OverrideRuleValues | undefined =>
  rules && {
    overridesApproval: rules.overridesApproval(),
    overridesRequirePrecondition: rules.overridesRequirePrecondition(),
  };
