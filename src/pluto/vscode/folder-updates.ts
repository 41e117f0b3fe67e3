import type { ProjectPath } from '../../base/brand.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { Clock } from '../../ports/clock.ts';

/** Time without a change before a folder is asked again. */
const QUIET_MS = 150;

export interface FolderUpdatesDeps {
  readonly clock: Clock;
  /** Passes changed files on to the language. Resolves when it has read them; never rejects. */
  readonly reportChanges: (paths: readonly ProjectPath[]) => Promise<void>;
  /** Never rejects. */
  readonly showFindings: () => Promise<void>;
}

const never = new AbortController().signal;

/**
 * Batches what happens in one folder, and does one thing after another: findings from before a change would otherwise be shown last.
 * Disposed when the folder leaves the workspace: nothing is called after that.
 */
export class FolderUpdates implements Disposable {
  readonly #deps: FolderUpdatesDeps;
  readonly #queue = new SerialQueue();
  #isShowQueued = false;
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
      this.#run(async () => {
        await this.#deps.reportChanges(paths);
        this.scheduleFindings();
      });
    });
  }

  /** Shows the findings after a pause in the edits. */
  scheduleFindings(): void {
    if (this.#isDisposed) return;
    this.#cancelShow?.();
    this.#cancelShow = this.#deps.clock.after(QUIET_MS, () => {
      if (this.#isShowQueued) return;
      this.#isShowQueued = true;
      this.#run(() => {
        this.#isShowQueued = false;
        return this.#deps.showFindings();
      });
    });
  }

  #run(job: () => Promise<void>): void {
    void this.#queue.run(never, async () => (this.#isDisposed ? undefined : job()));
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#cancelReport?.();
    this.#cancelShow?.();
  }
}
