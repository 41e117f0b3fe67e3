import type { ProjectPath } from '../../base/brand.ts';
import { nameOf } from '../../base/project-path.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';

/** Hints come in bursts, and the file may be half-written at the first of them. */
const QUIET_MS = 150;

export interface WatchModulesDeps {
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  /** Looks at these files again. */
  readonly look: (paths: ReadonlySet<ProjectPath>) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Looks again when it has been quiet for a moment after hints about modules, manifests, or what may be a folder. */
export function watchModules({ watcher, clock, look, onFailure }: WatchModulesDeps): Disposable {
  let hints = new Set<ProjectPath>();
  let cancelTimer = (): void => {};
  const run = (): void => {
    const paths = hints;
    hints = new Set();
    void look(paths).catch(onFailure);
  };
  const watching = watcher.watch(path => {
    if (!concernsModules(path)) return;
    hints.add(path);
    cancelTimer();
    cancelTimer = clock.after(QUIET_MS, run);
  });
  return {
    [Symbol.dispose]() {
      watching[Symbol.dispose]();
      cancelTimer();
    },
  };
}

/** A name without a dot may be a folder that came or went. */
function concernsModules(path: ProjectPath): boolean {
  if (path.split('/').includes('node_modules')) return false;
  const name = nameOf(path);
  return name === 'pluto.toml' || /\.(?:pluto|pt)$/.test(name) || !name.includes('.');
}
