import type { ProjectPath } from '../../base/brand.ts';
import type { Clock } from '../../ports/clock.ts';

/** Time without a change before a folder is asked again. */
const QUIET_MS = 150;

export interface FolderUpdatesDeps {
  readonly clock: Clock;
  /** Passes changed files on to the language. */
  readonly reportChanges: (paths: readonly ProjectPath[]) => void;
  readonly showFindings: () => void;
}

/** Batches what happens in one folder. Disposed when the folder leaves the workspace: nothing is called after that. */
export class FolderUpdates implements Disposable {
  readonly #deps: FolderUpdatesDeps;
  #changed = new Set<ProjectPath>();
  #cancelReport: (() => void) | undefined;
  #cancelShow: (() => void) | undefined;
  #isDisposed = false;

  constructor(deps: FolderUpdatesDeps) {
    this.#deps = deps;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** A file changed on disk. A checkout changes many files at once, so the first change starts the timer and the others join it. */
  fileChanged(path: ProjectPath): void {
    if (this.#isDisposed) return;
    this.#changed.add(path);
    this.#cancelReport ??= this.#deps.clock.after(QUIET_MS, () => {
      const paths = Array.from(this.#changed);
      this.#changed = new Set();
      this.#cancelReport = undefined;
      this.#deps.reportChanges(paths);
      this.scheduleFindings();
    });
  }

  /** Shows the findings after a pause in the edits. */
  scheduleFindings(): void {
    if (this.#isDisposed) return;
    this.#cancelShow?.();
    this.#cancelShow = this.#deps.clock.after(QUIET_MS, this.#deps.showFindings);
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#cancelReport?.();
    this.#cancelShow?.();
  }
}
