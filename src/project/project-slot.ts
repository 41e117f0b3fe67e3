import { AppError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { runInSlices, TimeSlice } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileWatcher } from '../ports/file-watcher.ts';
import type { Logger } from '../ports/logger.ts';
import { ProblemLog } from './problem-log.ts';
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

/** Logs the problems of the project files in short turns, in the order in which they are reported. */
function logProblems(session: ProjectSession, { clock, log }: ProjectSlotDeps, signal: AbortSignal): void {
  const queue = new SerialQueue();
  const problemLog = new ProblemLog(log);
  const report = (problems: readonly ProjectDiagnostic[]): void =>
    void queue
      .run(signal, () => runInSlices(problemLog.report(problems), new TimeSlice(clock)))
      .catch((error: unknown) => {
        if (!signal.aborted) log.error('failed to log the problems of the project files', error);
      });
  report(session.diagnostics());
  session.onDidChangeDiagnostics(report);
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
        logProblems(found, deps, lifetime.signal);
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
