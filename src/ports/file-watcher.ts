import type { ProjectPath } from '../base/brand.ts';

/**
 * Hints that something may have changed at or below a path. Never a fact: events come twice, late, or for the parent folder only.
 * Collect, wait for quiet, read again.
 */
export interface FileWatcher {
  watch(onHint: (path: ProjectPath) => void): Disposable;
}
