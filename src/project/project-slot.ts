import { AppError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileWatcher } from '../ports/file-watcher.ts';
import type { Logger } from '../ports/logger.ts';
import type { ProjectSession } from './project-session.ts';

/** Hints come in bursts, and the file may be half-written at the first of them. */
const QUIET_MS = 150;

/** The one project of the workspace, from the moment that there is one. */
export interface ProjectSlot extends Disposable {
  current(): ProjectSession | undefined;
  /** @throws AppError why there is none: NO_PROJECT, PROJECT_INVALID. Another look is on its way then. */
  require(): ProjectSession;
  /** Opens the project if it can be opened now; never rejects. */
  look(): Promise<void>;
  /** Why there is none, without causing another look; `undefined` when there is one. */
  problem(): AppError | undefined;
  /** Fires when the project was opened. */
  readonly onDidOpen: Event<ProjectSession>;
  /** Fires when the project was opened, and when the reason why there is none has changed. */
  readonly onDidChange: Event<void>;
}

export interface ProjectSlotDeps {
  /** @throws AppError NO_PROJECT, PROJECT_INVALID */
  readonly open: (signal: AbortSignal) => Promise<ProjectSession>;
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Until there is a project, looks again whenever a project file may have appeared or changed. Once open, it stays. */
export function createProjectSlot(deps: ProjectSlotDeps): ProjectSlot {
  const opened = new Emitter<ProjectSession>();
  const changed = new Emitter<void>();
  const lifetime = new AbortController();
  let session: ProjectSession | undefined;
  let failure: AppError = new AppError('INTERNAL', { reason: 'the project has not been searched for yet' });
  let looking: Promise<void> | undefined;
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

  const look = (): Promise<void> => {
    if (session !== undefined || lifetime.signal.aborted) return Promise.resolve();
    // What changed after the files were read must be read again.
    isStale = looking !== undefined;
    looking ??= open().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  const watching = deps.watcher.watch(path => {
    if (session !== undefined || !(path === '' || /\.project\.json[5c]?$/.test(path))) return;
    cancelTimer();
    cancelTimer = deps.clock.after(QUIET_MS, () => void look());
  });

  return {
    current: () => session,
    require() {
      if (session !== undefined) return session;
      void look();
      throw failure;
    },
    look,
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
