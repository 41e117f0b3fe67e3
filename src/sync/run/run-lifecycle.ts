import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter } from '../../base/emitter.ts';
import { AppError } from '../../base/errors.ts';
import { formatSentence, say, type Sentence } from '../../base/sentence.ts';
import { type PausableWork, runInSlices, runToEnd, TimeSlice } from '../../base/time-slice.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { ReviewControl } from '../../ports/review-surface.ts';
import { journalLimitsOf } from '../../ports/settings.ts';
import type { SyncStatus } from '../../protocol/sync-result.ts';
import type { RunResult } from '../../protocol/run-result.ts';
import { summarySentence } from '../../protocol/sync-summary.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { ReviewSession } from '../../review/review-session.ts';
import type { SavedChoices } from '../../review/saved-choices.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { explainDefault } from '../base/explain-default.ts';
import { enumItemNames, isIncomplete, type RunChange } from '../changes/run-change.ts';
import type { ShownState, ShownStates } from '../changes/shown-states.ts';
import type { RestorePlan } from '../restore/restore-plan.ts';
import type { RunPhase, RunProgress, SyncEngineDeps, SyncRequest, SyncRun } from '../sync-engine.ts';
import { journalEnding } from '../transactions/journal-run.ts';
import type { LearnBaseDeps } from '../changes/learn-base.ts';
import { type RunEnding, toSyncResult } from './result.ts';
import {
  comparingMessage,
  decidingMessage,
  type ProgressStep,
  progressMessage,
  projectWarnings,
  warningsOf,
} from './run-messages.ts';
import {
  activeState,
  comparisonOf,
  hasBegun,
  isActive,
  isCancellable,
  isJournaled,
  phaseOf,
  reviewOf,
  type RunEvent,
  type RunObserver,
  type RunState,
  subjectOf,
  transition,
} from './run-state.ts';
import { type NameNewFilesDeps, newFilesOf } from '../decisions/name-new-files.ts';
import type { ProjectPath } from '../../base/brand.ts';
import type { ComparisonFacts } from './compare.ts';
import { runSync } from './run-sync.ts';

type RunLifecycleDeps = SyncEngineDeps & LearnBaseDeps & { readonly shownStates: ShownStates };

/** Returns the subjects of a run. @throws AppError when the run may not begin */
export type RunGate = () => Promise<{
  readonly session: ProjectSession;
  readonly link: StudioLink;
  readonly restored: RestorePlan | undefined;
  /** Releases the project's run lock; `undefined` for a run that changes nothing. */
  readonly release: (() => Promise<void>) | undefined;
}>;

/** One run from its request to its result: owns the state, cancels, and ends exactly once. */
export class RunLifecycle implements SyncRun, RunObserver {
  readonly runId: string;
  readonly isByAgent: boolean;
  readonly isDryRun: boolean;
  readonly result: Promise<RunResult>;
  #request: SyncRequest;
  readonly #deps: RunLifecycleDeps;
  #gate: RunGate | undefined;
  readonly #startedAt: number;
  readonly #progress = new Emitter<RunProgress>();
  readonly #abort = new AbortController();
  readonly #lifetime = new DisposableStore();
  readonly #whileReviewing = this.#lifetime.add(new DisposableStore());
  readonly #resolve: (result: RunResult) => void;
  #state: RunState = { phase: 'requested' };
  #saved: SavedChoices<RunChange> | undefined;
  /** Whether Studio answered after its time limit, but before the run had ended. */
  #hasLateAnswer = false;
  /** The changes of an ended run, and the request id of its comparison. */
  #ended: Pick<ComparisonFacts, 'changes' | 'compareId'> | undefined;

  constructor(runId: string, request: SyncRequest, deps: RunLifecycleDeps, gate: RunGate) {
    this.runId = runId;
    this.isByAgent = request.client !== undefined;
    this.isDryRun = request.mode === 'dryrun';
    this.#request = request;
    this.#deps = deps;
    this.#gate = gate;
    this.#startedAt = deps.clock.now();
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.result = promise;
    this.#resolve = resolve;
  }

  readonly onProgress = this.#progress.event;
  phase = (): RunPhase => phaseOf(this.#state);
  /** The Studio that takes part, if known. */
  studio = (): string | undefined => subjectOf(activeState(this.#state))?.studio ?? this.latest()?.studio;
  latest = (): RunResult | undefined => (this.#state.phase === 'ended' ? this.#state.result : undefined);
  review = (): ReviewControl | undefined => {
    const state = activeState(this.#state);
    return this.#state.phase !== 'ended' && state.phase === 'reviewing' ? state.review : undefined;
  };
  explain(id: string): string | undefined {
    const change = this.#changes().find(candidate => candidate.studio.id === id);
    const translate = this.#deps.reviewSurface?.translate;
    return change && explainDefault({ ...change, patchType: change.studio.patchType }, translate);
  }

  cancel(): void {
    this.#stop(new AppError('CANCELLED', { phase: this.phase() }));
  }

  /** Records that an answer showed the changes `ids`. */
  markSeen(ids: ReadonlySet<string>, client: object | undefined): void {
    for (const change of this.#changes()) if (ids.has(change.studio.id)) this.#deps.shownStates.note(change, client);
  }

  /** The files that pulls of the changes `ids` would create, as long as Studio has the comparison. */
  async newFiles(
    ids: ReadonlySet<string>,
    sides: Pick<NameNewFilesDeps, 'session' | 'link'>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ProjectPath>> {
    const comparison = comparisonOf(activeState(this.#state)) ?? this.#ended;
    if (comparison === undefined || this.#request.restore !== undefined) return new Map();
    const isShown = ({ studio, outcome }: RunChange): boolean => ids.has(studio.id) && outcome === undefined;
    const deps = { ...sides, log: this.#deps.log };
    return await newFilesOf(comparison.changes.filter(isShown), comparison.compareId, deps, signal);
  }

  begin(): void {
    void untilAborted(this.#run(), this.#abort.signal)
      .catch(endingOf)
      .then(ending => this.#end(ending))
      .catch((error: unknown) =>
        this.#deps.log.error('the end of the run was not shown', error, { runId: this.runId }),
      );
  }

  enter(event: RunEvent, message?: Sentence): void {
    const before = this.#state;
    this.#state = transition(before, event);
    const { phase } = this.#state;
    if (before.phase === 'reviewing' && phase !== 'reviewing') this.#whileReviewing[Symbol.dispose]();
    if (event.type === 'reviewing') {
      this.#saved = event.saved;
      this.#watchReview(event.review);
    }
    if (event.type === 'journaled' && !isActive(this.#state)) void this.#closeJournal(this.#state.result);
    if (message === undefined) return;
    this.#deps.log.info('run', { runId: this.runId, phase });
    this.#report({ phase: this.phase(), message });
  }

  progress(step: ProgressStep, done: number, total: number): void {
    if (!isActive(this.#state)) return;
    this.#report({ phase: this.phase(), message: progressMessage(step, done, total), done, total });
  }

  late(): void {
    if (this.#state.phase !== 'ended') {
      this.#hasLateAnswer = true;
      return;
    }
    // Studio was read instead, so the result is final.
    if (comparisonOf(activeState(this.#state)) === undefined) return;
    const result = this.#complete(this.#state.result.elapsedMs);
    this.#report({ phase: 'ended', message: summarySentence(result, 'agent') });
    this.#release();
  }

  /** Replaces the result of the ended run, because Studio has confirmed more since. */
  #complete(elapsedMs: number): RunResult {
    const status = this.#changes().some(isIncomplete) ? 'partial' : 'success';
    const result = runToEnd(this.#resultOf({ status }, elapsedMs));
    this.enter({ type: 'completed', result });
    this.#deps.log.info('Studio answered after its time limit', { runId: this.runId, status });
    void this.#closeJournal(result);
    return result;
  }

  async #run(): Promise<RunEnding> {
    const gate = this.#gate;
    // The gate refers to other runs.
    this.#gate = undefined;
    if (gate === undefined) throw new Error('the run has begun already');
    const { session, link, restored, release } = await gate();
    const disconnected = (): AppError => new AppError('STUDIO_DISCONNECTED', { phase: this.phase() });
    if (!link.isOpen()) this.#stop(disconnected());
    if (this.#abort.signal.aborted) await this.#unlock(release);
    this.#abort.signal.throwIfAborted();
    const subject = {
      studio: this.#request.restore?.side === 'disk' ? undefined : link.handle,
      place: { name: link.hello.placeName, placeId: link.hello.placeId },
      generations: () => ({ workspaceGen: session.revision(), connectionEpoch: link.epoch }),
      release,
    };
    this.enter({ type: 'comparing', subject }, comparingMessage(this.#request.restore?.side));
    this.#lifetime.add(link.onClosed(() => this.#stop(disconnected())));
    const seen = (id: string): ShownState | undefined => this.#deps.shownStates.find(id, this.#request.client);
    const deps = { ...this.#deps, session, link, restored, seen, bulk: this.#request.bulk };
    return await runSync(this.runId, this.#request, deps, this, this.#abort.signal);
  }

  /** A listener that throws must not fail the run. */
  #report(progress: RunProgress): void {
    try {
      this.#progress.fire(progress);
    } catch (error) {
      this.#deps.log.error('a listener of the run failed', error, { runId: this.runId });
    }
  }

  /** Aborts the run, unless it may have changed something already. */
  #stop(reason: AppError): void {
    if (isCancellable(this.#state)) this.#abort.abort(reason);
  }

  #watchReview(review: ReviewSession<RunChange>): void {
    const minutes = this.#deps.settings.reviewTimeoutMinutes();
    const expire = (): void => this.#abort.abort(new AppError('REVIEW_TIMEOUT', { minutes }));
    this.#whileReviewing.defer(this.#deps.clock.after(minutes * 60_000, expire));
    const report = (): void => {
      const { total, undecided } = review.status();
      const done = total - undecided;
      const message = decidingMessage(review.shownIn(), done, total, this.#deps.reviewSurface !== undefined);
      this.#report({ phase: this.phase(), message, done, total });
    };
    this.#whileReviewing.add(review.onDidChange(report));
    this.#whileReviewing.add(review.onDidShow(report));
  }

  #changes = (): readonly RunChange[] => (comparisonOf(activeState(this.#state)) ?? this.#ended)?.changes ?? [];

  #resultOf(ending: RunEnding, elapsedMs: number): PausableWork<RunResult> {
    const state = activeState(this.#state);
    const subject = subjectOf(state);
    const comparison = comparisonOf(state);
    return toSyncResult(ending, {
      enumItem: enumItemNames(this.#deps.reflection),
      runId: this.runId,
      place: comparison?.compared.place ?? subject?.place,
      studio: subject?.studio,
      restoredSide: this.#request.restore?.side,
      changes: comparison?.changes ?? [],
      overrides: comparison?.overrides ?? [],
      bulk: comparison?.bulk,
      warnings: comparison === undefined ? [] : this.#warningsOf(comparison),
      untracked: comparison?.untracked?.count ?? 0,
      hasBegun: hasBegun(state),
      at: subject?.generations(),
      elapsedMs,
    });
  }

  #warningsOf(comparison: ComparisonFacts): readonly Sentence[] {
    const { showsProjectWarnings = false } = this.#request;
    return [...warningsOf(comparison), ...(showsProjectWarnings ? [] : projectWarnings(comparison.problems))];
  }

  /** Called once. Resolves the result and releases the lock, even if a step fails. */
  async #end(ending: RunEnding): Promise<void> {
    const result = await this.#finalResult(ending);
    // Read now, because the record may have been written while the result was built.
    const from = activeState(this.#state);
    this.enter({ type: 'ending', result });
    try {
      this.#logEnd(ending, result);
      this.#lifetime[Symbol.dispose]();
    } catch (error) {
      this.#deps.log.error('the run did not clean up', error, { runId: this.runId });
    } finally {
      const problem = isJournaled(from) ? await this.#closeJournal(result) : undefined;
      await this.#unlock(subjectOf(from)?.release);
      this.enter({ type: 'ended' });
      const isCompleted = this.#hasLateAnswer && ending.error?.code === 'STUDIO_NOT_RESPONDING';
      const latest = isCompleted ? this.#complete(result.elapsedMs) : result;
      this.#release();
      const warnings = problem === undefined ? {} : { warnings: [...(latest.warnings ?? []), problem] };
      await this.#announce({ ...latest, ...warnings }, reviewOf(from));
    }
  }

  async #announce(result: RunResult, review: ReviewSession<RunChange> | undefined): Promise<void> {
    try {
      if (review !== undefined) await this.#showOutcome(result, review);
    } finally {
      this.#saved = undefined;
      this.#resolve(result);
      this.#report({ phase: 'ended', message: summarySentence(result, 'agent') });
    }
  }

  async #showOutcome(result: RunResult, review: ReviewSession<RunChange>): Promise<void> {
    const hasChangedNothing =
      result.error !== undefined &&
      result.changes.every(({ outcome }) => outcome === undefined || outcome === 'skipped');
    const summary = summarySentence(result, 'person');
    const explained = hasChangedNothing ? await this.#saved?.explainIn(summary) : undefined;
    review.setPhase('ended', formatSentence(explained ?? summary, this.#deps.reviewSurface?.translate));
  }

  async #finalResult(ending: RunEnding): Promise<RunResult> {
    const elapsedMs = this.#deps.clock.now() - this.#startedAt;
    try {
      return await runInSlices(this.#resultOf(ending, elapsedMs), new TimeSlice(this.#deps.clock));
    } catch (error) {
      const known = {
        place: undefined,
        studio: undefined,
        changes: [],
        overrides: [],
        warnings: [],
        untracked: 0,
        at: undefined,
      };
      const begun = hasBegun(activeState(this.#state));
      const parts = { ...known, enumItem: () => undefined, runId: this.runId, hasBegun: begun, elapsedMs };
      return runToEnd(toSyncResult(endingOf(error), parts));
    }
  }

  #logEnd({ error }: RunEnding, { status }: RunResult): void {
    const { log } = this.#deps;
    log.info('run ended', { runId: this.runId, status, ...(error && { code: error.code }) });
    if (error?.code === 'INTERNAL') log.error('run failed', error.cause ?? error);
  }

  /**
   * Drops the project, Studio and the client, because the engine remembers hundreds of runs. Does nothing while a late answer of Studio may complete
   * the result.
   */
  #release(): void {
    const comparison = comparisonOf(activeState(this.#state));
    if (comparison?.changes.some(({ outcome }) => outcome === 'unknown')) return;
    this.#ended ??= comparison && { changes: comparison.changes, compareId: comparison.compareId };
    const { client: _client, bulk: _bulk, ...request } = this.#request;
    this.#request = { ...request, overrides: [] };
    this.enter({ type: 'released' });
  }

  /** The lock is free once this process has ended, so a failed release does not fail the run. */
  async #unlock(release: (() => Promise<void>) | undefined): Promise<void> {
    try {
      await release?.();
    } catch (error) {
      this.#deps.log.error('the lock of the run was not released', error, { runId: this.runId });
    }
  }

  /** Without an ending, the next start only checks the run, so a failure does not fail the run. Returns a warning about it. */
  async #closeJournal(result: RunResult): Promise<Sentence | undefined> {
    const { journal, clock, settings, log } = this.#deps;
    try {
      await journal.finish(this.runId, journalEnding(result, this.#changes(), clock.date()));
    } catch (error) {
      log.error('failed to record the end of the run', error, { runId: this.runId });
      const { sentence } = AppError.from(error);
      return say`The end of this sync could not be recorded; the next start of Atlas Bridge completes the record. ${sentence}`;
    }
    try {
      await journal.prune(journalLimitsOf(settings));
    } catch (error) {
      log.error('failed to prune the journal', error);
    }
    return undefined;
  }
}

function endingOf(thrown: unknown): RunEnding {
  const error = AppError.from(thrown);
  return { status: statusOf(error), error };
}

function statusOf(error: AppError): SyncStatus {
  switch (error.code) {
    case 'STUDIO_NOT_CONNECTED':
      return 'not_connected';
    case 'SYNC_IN_PROGRESS':
    case 'LOCKED_BY_OTHER_WINDOW':
      return 'sync_in_progress';
    case 'STUDIO_DISCONNECTED':
      return 'disconnected';
    case 'REVIEW_TIMEOUT':
      return 'review_timeout';
    case 'CANCELLED':
      return 'cancelled';
    default:
      return 'error';
  }
}
