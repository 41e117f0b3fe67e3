import type { ProjectPath } from '../../base/brand.ts';
import { folderOf } from '../../base/project-path.ts';
import type { Clock } from '../../ports/clock.ts';

/** Long enough for a file that is emptied and then written, short beside the 60 ms that a save may take to be in Studio. */
const QUIET_MS = 20;
/** Hints that never fall silent are looked at after so long all the same. */
const LONGEST_MS = 500;

/** Collects paths to look at again; calls `onQuiet` once no hint has come for a while. A path swallows hints about anything below it. */
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
    this.#cancelTimer = this.#clock.after(
      Math.min(QUIET_MS, Math.max(0, this.#since + LONGEST_MS - now)),
      this.#onQuiet,
    );
  }

  /** Empties the set and stops waiting: the caller looks now. */
  take(): readonly ProjectPath[] {
    this.#cancelTimer();
    this.#since = undefined;
    const paths = Array.from(this.#paths).filter(path => !this.#isCovered(path));
    this.#paths.clear();
    return paths;
  }

  [Symbol.dispose](): void {
    this.take();
  }

  /** Whether there is a hint about a folder above. */
  #isCovered(path: ProjectPath): boolean {
    for (let at = path; at !== '';) {
      at = folderOf(at);
      if (this.#paths.has(at)) return true;
    }
    return false;
  }
}
