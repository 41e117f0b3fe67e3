import { AppError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileWatcher } from '../ports/file-watcher.ts';
import type { Logger } from '../ports/logger.ts';
import type { ProjectDiagnostic, ProjectSession } from './project-session.ts';

/** File events come in bursts, and the file may be incomplete at the first event. */
const QUIET_MS = 150;

/** The project of the workspace, once one can be opened. */
export interface ProjectSlot extends Disposable {
  current(): ProjectSession | undefined;
  /** @throws AppError NO_PROJECT, PROJECT_INVALID: why no project is open. Starts another attempt in that case. */
  require(): ProjectSession;
  /** Opens the project if it can be opened now; never rejects. */
  tryOpen(): Promise<void>;
  /** Why no project is open, without starting another attempt; `undefined` when one is open. */
  problem(): AppError | undefined;
  /** Fires when the project is opened. */
  readonly onDidOpen: Event<ProjectSession>;
  /** Fires when the project is opened, and when the reason why none is open changes. */
  readonly onDidChange: Event<void>;
}

export interface ProjectSlotDeps {
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly open: (signal: AbortSignal) => Promise<ProjectSession>;
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Problems that are logged at a time: more hide everything else in the log. */
const MAX_LOGGED_PROBLEMS = 20;

/** Logs each problem of the project files when it appears. */
function logProblems(session: ProjectSession, log: Logger): void {
  let known: ReadonlySet<string> = new Set();
  const look = (problems: readonly ProjectDiagnostic[]): void => {
    const now = new Set(problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`));
    const fresh = Array.from(now).filter(problem => !known.has(problem));
    for (const problem of fresh.slice(0, MAX_LOGGED_PROBLEMS)) log.warn(problem);
    const rest = fresh.length - MAX_LOGGED_PROBLEMS;
    if (rest > 0) log.warn('there are more problems in the project files', { count: rest });
    known = now;
  };
  look(session.diagnostics());
  session.onDidChangeDiagnostics(look);
}

/** Tries to open the project whenever a project file may have appeared or changed. An open project stays open. */
export function createProjectSlot(deps: ProjectSlotDeps): ProjectSlot {
  const opened = new Emitter<ProjectSession>();
  const changed = new Emitter<void>();
  const lifetime = new AbortController();
  let session: ProjectSession | undefined;
  let failure: AppError = new AppError('INTERNAL', { reason: 'the project has not been searched for yet' });
  let opening: Promise<void> | undefined;
  let isStale = false;
  let cancelTimer = (): void => {};

  const open = async (): Promise<void> => {
    do {
      isStale = false;
      try {
        const found = await deps.open(lifetime.signal);
        if (lifetime.signal.aborted) return found[Symbol.dispose]();
        watching[Symbol.dispose]();
        session = found;
        deps.log.info('project opened', { project: found.info.name, file: found.info.projectFile });
        logProblems(found, deps.log);
        opened.fire(found);
        changed.fire();
      } catch (error) {
        const known = failure.message;
        failure = AppError.from(error);
        if (failure.message !== known && !lifetime.signal.aborted) changed.fire();
        if (!lifetime.signal.aborted) deps.log.info('no project', { code: failure.code, reason: failure.message });
      }
    } while (isStale && session === undefined && !lifetime.signal.aborted);
  };

  const tryOpen = (): Promise<void> => {
    if (session !== undefined || lifetime.signal.aborted) return Promise.resolve();
    // A change during the current attempt requires another attempt.
    isStale = opening !== undefined;
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  };

  const watching = deps.watcher.watch(path => {
    if (session !== undefined || !(path === '' || /\.project\.json[5c]?$/.test(path))) return;
    cancelTimer();
    cancelTimer = deps.clock.after(QUIET_MS, () => void tryOpen());
  });

  return {
    current: () => session,
    require() {
      if (session !== undefined) return session;
      void tryOpen();
      throw failure;
    },
    tryOpen,
    problem: () => (session === undefined ? failure : undefined),
    onDidOpen: opened.event,
    onDidChange: changed.event,
    [Symbol.dispose]() {
      lifetime.abort();
      cancelTimer();
      watching[Symbol.dispose]();
      session?.[Symbol.dispose]();
    },
  };
}
