import type { ProjectPath } from '../../base/brand.ts';
import { HintBursts } from '../../base/hint-bursts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import { concernsModules } from '../language/modules/module-hints.ts';

/** Change hints come in bursts, and a file may be half written at the first one. */
const QUIET_MS = 150;

export interface WatchModulesDeps {
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  /** Reads these files again; all modules without `paths`. */
  readonly refresh: (paths?: ReadonlySet<ProjectPath>) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Refreshes modules after a pause in the change hints for modules, manifests and possible folders. */
export function watchModules({ watcher, clock, refresh, onFailure }: WatchModulesDeps): Disposable {
  let hints = new Set<ProjectPath>();
  let cancelTimer = (): void => {};
  const run = (): void => {
    const paths = hints;
    hints = new Set();
    void refresh(paths).catch(onFailure);
  };
  const add = (path: ProjectPath): void => {
    hints.add(path);
    cancelTimer();
    cancelTimer = clock.after(QUIET_MS, run);
  };
  const bursts = new HintBursts(clock, () => {
    const all = async (): Promise<void> => {
      await watching.watchMissed?.();
      await refresh();
    };
    all().catch(onFailure);
  });
  const watching = watcher.watch(path => {
    bursts.add();
    if (concernsModules(path)) add(path);
  });
  return {
    [Symbol.dispose]() {
      watching[Symbol.dispose]();
      bursts[Symbol.dispose]();
      cancelTimer();
    },
  };
}
