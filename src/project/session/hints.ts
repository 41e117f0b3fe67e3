import type { ProjectPath } from '../../base/brand.ts';
import { folderOf } from '../../base/project-path.ts';
import type { Clock } from '../../ports/clock.ts';

/** Long enough for a file that is truncated and then written, and short compared with the 60 ms target from save to Studio. */
const QUIET_MS = 20;
/** Maximum wait while hints keep coming. */
const MAX_WAIT_MS = 500;
/** At least so many changed paths in that time come from a program, such as a compiler or a checkout. */
const BURST_COUNT = 50;
/** A compiler in watch mode writes thousands of files with short pauses. All of them should arrive as one change. */
const BURST_QUIET_MS = 100;
const MAX_BURST_WAIT_MS = 5_000;

/** Collects paths to check and calls `onQuiet` after a quiet period. A hint for a folder covers hints below it. */
export class Hints implements Disposable {
  readonly #clock: Clock;
  readonly #onQuiet: () => void;
  readonly #paths = new Set<ProjectPath>();
  #since: number | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(clock: Clock, onQuiet: () => void) {
    this.#clock = clock;
    this.#onQuiet = onQuiet;
  }

  add(path: ProjectPath): void {
    if (!this.#paths.has(path) && !this.#isCovered(path)) this.#paths.add(path);
    const now = this.#clock.now();
    this.#since ??= now;
    this.#cancelTimer();
    const isBurst = this.#paths.size >= BURST_COUNT;
    const quietMs = isBurst ? BURST_QUIET_MS : QUIET_MS;
    const maxWaitMs = isBurst ? MAX_BURST_WAIT_MS : MAX_WAIT_MS;
    this.#cancelTimer = this.#clock.after(Math.min(quietMs, Math.max(0, this.#since + maxWaitMs - now)), this.#onQuiet);
  }

  /** Returns and clears the collected paths, and stops waiting. */
  take(): readonly ProjectPath[] {
    this.#cancelTimer();
    this.#since = undefined;
    // A checkout changes thousands of files in each folder.
    const covered = new Map<ProjectPath, boolean>();
    const hasHint = (folder: ProjectPath): boolean => {
      const known = covered.get(folder) ?? (this.#paths.has(folder) || (folder !== '' && hasHint(folderOf(folder))));
      covered.set(folder, known);
      return known;
    };
    const paths = Array.from(this.#paths).filter(path => path === '' || !hasHint(folderOf(path)));
    this.#paths.clear();
    return paths;
  }

  [Symbol.dispose](): void {
    this.take();
  }

  /** Whether a parent folder has a hint. */
  #isCovered(path: ProjectPath): boolean {
    for (let at = path; at !== '';) {
      at = folderOf(at);
      if (this.#paths.has(at)) return true;
    }
    return false;
  }
}
