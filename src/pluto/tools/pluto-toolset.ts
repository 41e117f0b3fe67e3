import { nameOf } from '../../base/project-path.ts';
import type { ToolsetContent } from '../../mcp/registry.ts';
import type { Tool } from '../../mcp/tool.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ReviewSurface } from '../../ports/review-surface.ts';
import type { Settings } from '../../ports/settings.ts';
import { hasModules, isPlutoFile } from '../language/modules/has-modules.ts';
import type { ViewSyncs } from '../review/view-syncs.ts';
import type { SessionPorts } from '../session/pluto-session.ts';
import type { UnsavedEdits } from '../session/unsaved-edits.ts';

/** The interface of the toolset to its host. */
export interface ToolsetHost extends SessionPorts {
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: Settings;
  /** `undefined`: a sync of a `.pt` does not record the files that it replaces. */
  readonly journal?: JournalStore | undefined;
  /** `undefined` where no person can be asked. */
  readonly reviewSurface?: ReviewSurface | undefined;
}

/** The pluto toolset over one project. Disposing it discards unsaved edits. */
export interface PlutoToolset extends Disposable {
  /** The number of modules when the toolset was opened. */
  readonly moduleCount: number;
  /** Unsaved edits of agents. */
  readonly unsaved: UnsavedEdits;
  /** Syncs of `.pt` files, by agents and by people. */
  readonly views: ViewSyncs;
  readonly tools: readonly Tool<undefined>[];
  readonly extras: ToolsetContent;
}

/** @param options `isReadOnly`: offers only the tools that change nothing */
export type OpenPlutoToolset = (
  host: ToolsetHost,
  options: { readonly version: string; readonly isReadOnly?: boolean },
  signal: AbortSignal,
) => Promise<PlutoToolset>;

/** Loads the code of the toolset on first use: it is large. */
export type LoadPlutoToolset = () => Promise<OpenPlutoToolset>;

export interface LazyPlutoToolsetDeps extends ToolsetHost {
  /** `undefined`: this host has no pluto toolset. */
  readonly load: LoadPlutoToolset | undefined;
  readonly version: string;
  readonly onOpened: (toolset: PlutoToolset) => void;
}

/** The pluto toolset of a workspace, opened when the first module appears. */
export interface LazyPlutoToolset extends Disposable {
  current(): PlutoToolset | undefined;
  /** Never rejects. */
  openIfModulesExist(): Promise<void>;
  /** Waits for a toolset that is being opened. If a client requested the toolset by name, looks for modules first. Never rejects. */
  whenOpened(isRequested: boolean): Promise<void>;
}

export function createLazyPlutoToolset(deps: LazyPlutoToolsetDeps): LazyPlutoToolset {
  const lifetime = new AbortController();
  const { load } = deps;
  let opening: Promise<void> | undefined;
  let toolset: PlutoToolset | undefined;

  const open = async (loadToolset: LoadPlutoToolset): Promise<void> => {
    try {
      const openToolset = await loadToolset();
      const opened = await openToolset(deps, { version: deps.version }, lifetime.signal);
      watching?.[Symbol.dispose]();
      if (lifetime.signal.aborted) return opened[Symbol.dispose]();
      toolset = opened;
      deps.log.info('opened the Pluto modules', { modules: opened.moduleCount });
      deps.onOpened(opened);
    } catch (error) {
      opening = undefined;
      if (!lifetime.signal.aborted) deps.log.error('failed to open the pluto toolset', error);
    }
  };
  const watching =
    load &&
    deps.watcher.watch(path => {
      if (isPlutoFile(nameOf(path))) opening ??= open(load);
    });
  const openIfModulesExist = async (): Promise<void> => {
    if (load === undefined) return;
    try {
      if (!(await hasModules(deps.files, lifetime.signal))) return;
    } catch (error) {
      // A folder that cannot be read must not look like a project without modules.
      if (!lifetime.signal.aborted) deps.log.error('failed to look for Pluto modules', error);
      return;
    }
    await (opening ??= open(load));
  };
  return {
    current: () => toolset,
    openIfModulesExist,
    whenOpened: isRequested => opening ?? (isRequested ? openIfModulesExist() : Promise.resolve()),
    [Symbol.dispose]() {
      lifetime.abort();
      watching?.[Symbol.dispose]();
      toolset?.[Symbol.dispose]();
    },
  };
}
