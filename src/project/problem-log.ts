import type { PausableWork } from '../base/time-slice.ts';
import type { Logger } from '../ports/logger.ts';
import type { ProjectDiagnostic } from './project-session.ts';

/** Problems that are logged at a time: more hide everything else in the log. */
const MAX_LOGGED_PROBLEMS = 20;

/** Logs each problem of the project files when it appears. */
export class ProblemLog {
  readonly #log: Logger;
  #known: ReadonlySet<string> = new Set();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param problems all problems of the project now; may be thousands */
  *report(problems: readonly ProjectDiagnostic[]): PausableWork<void> {
    const now = new Set<string>();
    let freshCount = 0;
    for (const { file, line, column, message } of problems) {
      yield;
      const problem = `${file}:${line}:${column}: ${message}`;
      if (now.has(problem)) continue;
      now.add(problem);
      if (this.#known.has(problem)) continue;
      freshCount += 1;
      if (freshCount <= MAX_LOGGED_PROBLEMS) this.#log.warn(problem);
    }
    const rest = freshCount - MAX_LOGGED_PROBLEMS;
    if (rest > 0) this.#log.warn('there are more problems in the project files', { count: rest });
    this.#known = now;
  }
}
