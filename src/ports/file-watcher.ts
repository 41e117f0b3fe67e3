import type { ProjectPath } from '../base/brand.ts';

/**
 * Reports that something may have changed at or below a path. Events are only hints: they can be repeated, late, or name only the parent
 * folder. Collect them, wait until they stop, then read the files again.
 */
export interface FileWatcher {
  watch(onHint: (path: ProjectPath) => void): FileWatch;
}

export interface FileWatch extends Disposable {
  /** Watches folders whose creation was missed. Called when hints may have been dropped; absent if none can be missed. */
  readonly watchMissed?: () => Promise<void>;
}
