import { TimeSlice } from '../../base/time-slice.ts';
import { AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/emitter.ts';
import { chooseStudio } from '../../studio/choose-studio.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { noProject } from '../../project/no-project.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { RestoreRequest, SyncEngine, SyncEngineDeps, SyncRequest, SyncRun } from '../sync-engine.ts';
import { BaseStates } from '../base/base-state.ts';
import { BaseTexts } from '../base/base-texts.ts';
import { enumItemNames } from '../changes/run-change.ts';
import { ShownStates } from '../changes/shown-states.ts';
import { joinJournals } from '../history/join-journals.ts';
import { recordedDiffs } from '../history/recorded-diffs.ts';
import { recordedRun, recordedRuns } from '../history/recorded-runs.ts';
import { readMerge } from '../decisions/read-merge.ts';
import { readScript } from '../read-script.ts';
import { restoreFiles } from '../restore/restore-files.ts';
import { recordedSide, type RestorePlan } from '../restore/restore-plan.ts';
import { restoreStudio } from '../restore/restore-studio.ts';
import { type RunGate, RunLifecycle } from './run-lifecycle.ts';

/** Maximum number of runs that `operation_wait` can return. */
const MAX_REMEMBERED_RUNS = 500;
/** Maximum number of changes that these runs have together. The newest run may have more. */
const MAX_REMEMBERED_CHANGES = 100_000;

/** A person reviews every restore, because the recorded state may have been removed on purpose. */
const requireReview = (request: SyncRequest): SyncRequest => ({
  ...request,
  mode: request.mode === 'dryrun' ? 'dryrun' : 'manual',
  overrides: [],
});

/** Creates the engine. @param maxChanges maximum number of changes of all remembered runs together */
export function createSyncEngine(deps: SyncEngineDeps, maxChanges = MAX_REMEMBERED_CHANGES): SyncEngine {
  const runs = new Map<string, RunLifecycle>();
  const learnDeps = { ...deps, baseStates: new BaseStates(deps.hasher), baseTexts: new BaseTexts(deps) };
  const shownStates = new ShownStates();
  const enumItem = enumItemNames(deps.reflection);
  const records = joinJournals([deps.journal, ...(deps.otherJournals ?? [])]);
  const changed = new Emitter<void>();
  let current: RunLifecycle | undefined;
  /** The dry run in the background, which any requested run ends. */
  let background: RunLifecycle | undefined;

  const requireStudio = (handle: string | undefined): StudioLink =>
    chooseStudio(deps.studios.all(), handle, deps.studioUrl());

  /** Registers the run synchronously, so that two consecutive requests cannot both become current; the gate checks the rest. */
  const start = (requested: SyncRequest): SyncRun => {
    const runId = deps.random.uuid();
    if (requested.refusal !== undefined) return refuse(runId, requested, requested.refusal);
    const isBackground = requested.isBackground === true && requested.mode === 'dryrun';
    const holder = isBackground ? (current ?? background) : current;
    const preempted = isBackground ? undefined : background;
    const request = requested.restore === undefined ? requested : requireReview(requested);
    const run = new RunLifecycle(runId, request, { ...learnDeps, shownStates }, async () => {
      if (holder !== undefined) return await besideRun(holder, request);
      await preempted?.result;
      const session = request.restore?.side === 'disk' ? projectIfReadable() : deps.project();
      const restored = request.restore && (await openRestore(request.restore, request.studio, session));
      const link = restored?.link ?? requireStudio(request.studio);
      // Any number of runs may compare, but only one may change the project across all windows and programs.
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
    preempted?.cancel();
    run.begin();
    changed.fire();
    return run;
  };

  /**
   * A dry run while another run is in progress: with another Studio, or while a person decides. The other run still requires its
   * comparison, so Studio must store both.
   *
   * @throws AppError SYNC_IN_PROGRESS
   */
  const besideRun = async (holder: RunLifecycle, request: SyncRequest): ReturnType<RunGate> => {
    const inProgress = new AppError('SYNC_IN_PROGRESS', { runId: holder.runId });
    if (request.mode !== 'dryrun' || request.isBackground === true || request.restore !== undefined) throw inProgress;
    const link = requireStudio(request.studio);
    const held = holder.studio();
    const parts = { session: deps.project(), restored: undefined, release: undefined };
    if (held !== undefined && held !== link.handle) return { ...parts, link };
    if (holder.phase() !== 'reviewing' || link.compareAside === undefined) throw inProgress;
    return { ...parts, link: { ...link, compare: link.compareAside } };
  };

  const refuse = (runId: string, request: SyncRequest, refusal: AppError): SyncRun => {
    const run = new RunLifecycle(runId, request, { ...learnDeps, shownStates }, () => Promise.reject(refusal));
    remember(run);
    run.begin();
    return run;
  };

  /** Files can be restored without a valid project, because the project file may be the broken one. */
  const projectIfReadable = (): ProjectSession => {
    try {
      return deps.project();
    } catch (error) {
      if (AppError.is(error, 'NO_PROJECT') || AppError.is(error, 'PROJECT_INVALID')) return noProject;
      throw error;
    }
  };

  const runElsewhere = async (): Promise<string | undefined> => {
    const holder = await deps.runLock.holder();
    return holder === undefined || runs.has(holder) ? undefined : holder;
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
    const side = await recordedSide(request, records, new TimeSlice(deps.clock));
    const revision = (): number => session.revision();
    return link === undefined
      ? restoreFiles(side, { ...deps, journal: records, revision })
      : restoreStudio(side, { ...deps, link, revision });
  };

  const remember = (run: RunLifecycle): void => {
    runs.set(run.runId, run);
    forgetOldest();
    void run.result.then(forgetOldest);
  };

  /** Forgets ended runs beyond the limits, oldest first, except the newest run. */
  const forgetOldest = (): void => {
    let [count, changes] = [0, 0];
    for (const [runId, run] of Array.from(runs).toReversed()) {
      count += 1;
      changes += run.latest()?.changes.length ?? 0;
      const isBeyond = count > MAX_REMEMBERED_RUNS || changes > maxChanges;
      if (isBeyond && count > 1 && run.phase() === 'ended') runs.delete(runId);
    }
  };

  return {
    start,
    find: runId => runs.get(runId),
    current: () => current,
    markSeen: (runId, ids, client) => runs.get(runId)?.markSeen(ids, client),
    async newFiles(runId, ids, signal) {
      const run = runs.get(runId);
      const handle = run?.studio();
      const link = handle === undefined ? undefined : deps.studios.all().find(one => one.handle === handle);
      if (run === undefined || link === undefined) return new Map();
      return await run.newFiles(ids, { session: projectIfReadable(), link }, signal);
    },
    onDidChange: changed.event,
    history: limit => recordedRuns(records, limit, new TimeSlice(deps.clock)),
    recorded: runId => recordedRun(records, runId, new TimeSlice(deps.clock)),
    recordedDiffs: (runId, ids, max) => recordedDiffs(records, enumItem, runId, new TimeSlice(deps.clock), ids, max),
    async isElsewhere(runId) {
      return (await runElsewhere()) === runId;
    },
    runElsewhere,
    async readMerge(request, signal) {
      return await readMerge(request, deps.project(), requireStudio(request.studio), learnDeps, signal);
    },
    async readScript(request, signal) {
      return await readScript(request, deps.project(), requireStudio(request.studio), signal);
    },
  };
}
