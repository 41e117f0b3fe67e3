import { AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/emitter.ts';
import { chooseStudio } from '../../studio/choose-studio.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { noProject } from '../../project/no-project.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { RestoreRequest, SyncEngine, SyncRequest, SyncRun } from '../sync-engine.ts';
import { BaseStates } from '../base/base-state.ts';
import { recordedRun, recordedRuns } from '../history/recorded-runs.ts';
import { recordedSide, type RestorePlan } from './restore-plan.ts';
import { restoreFiles } from './restore-files.ts';
import { restoreStudio } from './restore-studio.ts';
import { readScript } from '../read-script.ts';
import { RunningSync } from './running-sync.ts';
import type { SyncEngineDeps } from './sync-engine-deps.ts';

/** Ended runs that `operation_wait` still answers for. */
const REMEMBERED_RUNS = 500;

/** What was recorded may be long gone for good reasons: a person looks at it before it comes back. */
const reviewed = (request: SyncRequest): SyncRequest => ({
  ...request,
  mode: request.mode === 'dryrun' ? 'dryrun' : 'manual',
  overrides: [],
});

export function createSyncEngine(deps: SyncEngineDeps): SyncEngine {
  const runs = new Map<string, SyncRun>();
  const baseStates = new BaseStates(deps.hasher);
  const changed = new Emitter<void>();
  let current: SyncRun | undefined;
  /** Nobody waits for it, so it holds up nobody. */
  let background: SyncRun | undefined;

  const requireStudio = (handle: string | undefined): StudioLink =>
    chooseStudio(deps.studios.all(), handle, deps.studioUrl());

  /** Everything that must be there before a run may begin. The place is taken in the same synchronous step. */
  const start = (asked: SyncRequest): SyncRun => {
    const runId = deps.random.uuid();
    const isBackground = asked.isBackground === true && asked.mode === 'dryrun';
    const holder = isBackground ? (current ?? background) : current;
    const isPreemptible = isBackground ? undefined : background;
    const request = asked.restore === undefined ? asked : reviewed(asked);
    const run = new RunningSync(runId, request, { ...deps, baseStates }, async () => {
      if (holder !== undefined) throw new AppError('SYNC_IN_PROGRESS', { runId: holder.runId });
      await isPreemptible?.result;
      const session = request.restore?.side === 'disk' ? projectIfReadable() : deps.project();
      const restored = request.restore && (await openRestore(request.restore, request.studio, session));
      const link = restored?.link ?? requireStudio(request.studio);
      // To look is free; to change the project is one run's at a time, whichever window or program it belongs to.
      const release = request.mode === 'dryrun' ? undefined : await takeLock(runId);
      return { session, link, restored, release };
    });
    if (isBackground) {
      if (holder === undefined) background = run;
      void run.result.then(() => void (background === run && (background = undefined)));
      run.begin();
      return run;
    }
    remember(run);
    if (holder === undefined) current = run;
    run.onProgress(() => changed.fire());
    void run.result.then(() => {
      if (current === run) current = undefined;
      changed.fire();
    });
    isPreemptible?.cancel();
    run.begin();
    changed.fire();
    return run;
  };

  /** Files are brought back without a project too, and where it is broken that may be why. */
  const projectIfReadable = (): ProjectSession => {
    try {
      return deps.project();
    } catch (error) {
      if (AppError.is(error, 'NO_PROJECT') || AppError.is(error, 'PROJECT_INVALID')) return noProject;
      throw error;
    }
  };

  const takeLock = async (runId: string): Promise<() => Promise<void>> => {
    const taken = await deps.runLock.take(runId);
    if (taken.holder !== undefined) throw new AppError('LOCKED_BY_OTHER_WINDOW', { runId: taken.holder });
    return () => taken.release();
  };

  const openRestore = async (
    request: RestoreRequest,
    studio: string | undefined,
    session: ProjectSession,
  ): Promise<RestorePlan> => {
    const link = request.side === 'studio' ? requireStudio(studio) : undefined;
    const side = await recordedSide(request, deps.journal);
    const revision = (): number => session.revision();
    return link === undefined
      ? restoreFiles(side, { ...deps, revision })
      : restoreStudio(side, { ...deps, link, revision });
  };

  const remember = (run: SyncRun): void => {
    runs.set(run.runId, run);
    const oldest = runs.keys().next();
    if (runs.size > REMEMBERED_RUNS && !oldest.done) runs.delete(oldest.value);
  };

  return {
    start,
    find: runId => runs.get(runId),
    current: () => current,
    onDidChange: changed.event,
    history: most => recordedRuns(deps.journal, most),
    recorded: runId => recordedRun(deps.journal, runId),
    async isElsewhere(runId) {
      return !runs.has(runId) && (await deps.runLock.holder()) === runId;
    },
    async readScript(request, signal) {
      return await readScript(request, deps.project(), requireStudio(request.studio), signal);
    },
  };
}
