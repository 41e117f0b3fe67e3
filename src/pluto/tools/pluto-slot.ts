import { nameOf } from '../../base/project-path.ts';
import { hasModules, isPlutoFile } from '../language/modules/has-modules.ts';
import type { BridgePlutoPorts, PlutoToolset } from './open-pluto.ts';

/** Brings the toolset along when somebody has use for it: it is large. */
export type LoadPluto = () => Promise<OpenPluto>;

/** @param options `isReadOnly`: only the tools that change nothing */
export type OpenPluto = (
  ports: BridgePlutoPorts,
  options: { readonly version: string; readonly isReadOnly?: boolean },
  signal: AbortSignal,
) => Promise<PlutoToolset>;

export interface PlutoSlotDeps extends BridgePlutoPorts {
  /** `undefined`: there is no such toolset here. */
  readonly load: LoadPluto | undefined;
  readonly version: string;
  readonly onOpened: (toolset: PlutoToolset) => void;
}

/** The pluto toolset of a workspace, from the moment that there is a module. */
export interface PlutoSlot extends Disposable {
  current(): PlutoToolset | undefined;
  /** Opens it if there are modules now; never rejects. */
  look(): Promise<void>;
  /** Resolves when what is being opened is open; looks first when the toolset is asked for by name. Never rejects. */
  settled(isWanted: boolean): Promise<void>;
}

export function createPlutoSlot(deps: PlutoSlotDeps): PlutoSlot {
  const lifetime = new AbortController();
  const { load } = deps;
  let opening: Promise<void> | undefined;
  let toolset: PlutoToolset | undefined;

  const open = async (bring: LoadPluto): Promise<void> => {
    try {
      const openPluto = await bring();
      const opened = await openPluto(deps, { version: deps.version }, lifetime.signal);
      watching?.[Symbol.dispose]();
      if (lifetime.signal.aborted) return opened[Symbol.dispose]();
      toolset = opened;
      deps.log.info('pluto modules opened', { modules: opened.moduleCount });
      deps.onOpened(opened);
    } catch (error) {
      opening = undefined;
      if (!lifetime.signal.aborted) deps.log.error('the pluto toolset was not opened', error);
    }
  };
  const watching =
    load &&
    deps.watcher.watch(path => {
      if (isPlutoFile(nameOf(path))) opening ??= open(load);
    });
  const look = async (): Promise<void> => {
    if (load === undefined) return;
    const isThere = await hasModules(deps.files, lifetime.signal).catch(() => false);
    if (isThere) await (opening ??= open(load));
  };
  return {
    current: () => toolset,
    look,
    settled: isWanted => opening ?? (isWanted ? look() : Promise.resolve()),
    [Symbol.dispose]() {
      lifetime.abort();
      watching?.[Symbol.dispose]();
      toolset?.[Symbol.dispose]();
    },
  };
}
