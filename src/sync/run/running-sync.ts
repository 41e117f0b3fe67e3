import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { inWords, type Sentence } from '../../base/sentence.ts';
import type { Generations } from '../../protocol/acknowledgement.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ReviewControl } from '../../ports/review-surface.ts';
import { summarySentence } from '../../protocol/sync-summary.ts';
import type { OverrideVerdict, Place, SyncResult, SyncStatus } from '../../protocol/sync.ts';
import { explainDefault } from '../base/explain-default.ts';
import type { ReviewSession } from '../../review/review-session.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { RunPhase, RunProgress, SyncRequest, SyncRun } from '../sync-engine.ts';
import type { Comparison } from './compare.ts';
import type { AgreementDeps } from './agreement.ts';
import type { SyncEngineDeps } from './sync-engine-deps.ts';
import { journalEnding } from './journal-record.ts';
import { decidingInWords, type ProgressStep, stepInWords } from './progress-words.ts';
import type { RestorePlan } from './restore-plan.ts';
import { toSyncResult, type Ending } from './result.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { warningsInWords } from './warnings-in-words.ts';
import { isNotDone, type RunChange } from '../changes/run-change.ts';
import { runSync, type RunObserver } from './run-sync.ts';

/** What a run works on, or why it may not begin. */
export type Gate = () => Promise<{
  readonly session: ProjectSession;
  readonly link: StudioLink;
  readonly restored: RestorePlan | undefined;
  /** Gives up what the run alone may change; `undefined`: it changes nothing. */
  readonly release: (() => Promise<void>) | undefined;
}>;
type RunningDeps = SyncEngineDeps & AgreementDeps;

/** One run: its state, its cancellation, its one result. The states themselves are `run-sync.ts`'s. */
export class RunningSync implements SyncRun, RunObserver {
  readonly runId: string;
  readonly result: Promise<SyncResult>;
  readonly #request: SyncRequest;
  readonly #deps: RunningDeps;
  readonly #gate: Gate;
  readonly #progress = new Emitter<RunProgress>();
  readonly #abort = new AbortController();
  readonly #lifetime = new DisposableStore();
  readonly #whileReviewing = this.#lifetime.add(new DisposableStore());
  #resolve: (result: SyncResult) => void = () => {};
  #phase: RunPhase = 'requested';
  #stoppable = true;
  #hasBegun = false;
  readonly #startedAt: number;
  #elapsedMs: number | undefined;
  #generations: (() => Generations) | undefined;
  #isJournalled = false;
  #release: (() => Promise<void>) | undefined;
  #latest: SyncResult | undefined;
  #review: ReviewSession<RunChange> | undefined;
  #place: Place | undefined;
  #studio: string | undefined;
  #changes: readonly RunChange[] = [];
  #overrides: readonly OverrideVerdict[] = [];
  #warnings: readonly string[] = [];

  constructor(runId: string, request: SyncRequest, deps: RunningDeps, gate: Gate) {
    this.runId = runId;
    this.#request = request;
    this.#deps = deps;
    this.#gate = gate;
    this.#startedAt = deps.clock.now();
    this.result = new Promise(resolve => (this.#resolve = resolve));
  }

  readonly onProgress = this.#progress.event;
  latest = (): SyncResult | undefined => this.#latest;
  explain(id: string): string | undefined {
    const change = this.#changes.find(candidate => candidate.studio.id === id);
    const translate = this.#deps.reviewSurface?.translate;
    return change && explainDefault({ ...change, patchType: change.studio.patchType }, translate);
  }
  phase = (): RunPhase => this.#phase;
  review = (): ReviewControl | undefined => (this.#phase === 'reviewing' ? this.#review : undefined);

  cancel(): void {
    if (this.#stoppable) this.#abort.abort(new AppError('CANCELLED', { phase: this.#phase }));
  }

  begin(): void {
    void untilAborted(this.#run(), this.#abort.signal)
      .catch(endingOf)
      .then(ending => this.#end(ending));
  }

  async #run(): Promise<Ending> {
    const { session, link, restored, release } = await this.#gate();
    if (this.#abort.signal.aborted) await release?.();
    this.#abort.signal.throwIfAborted();
    this.#release = release;
    if (!link.isOpen()) throw new AppError('STUDIO_DISCONNECTED', { phase: this.#phase });
    this.#studio = this.#request.restore?.side === 'disk' ? undefined : link.handle;
    this.#generations = () => ({ workspaceGen: session.revision(), connectionEpoch: link.epoch });
    this.#place = { name: link.hello.placeName, placeId: link.hello.placeId };
    const lost = link.onClosed(() => {
      if (this.#stoppable) this.#abort.abort(new AppError('STUDIO_DISCONNECTED', { phase: this.#phase }));
    });
    this.#lifetime.add(lost);
    const deps = { ...this.#deps, session, link, restored };
    return await runSync(this.runId, this.#request, deps, this, this.#abort.signal);
  }

  enter(phase: RunPhase, message: Sentence): void {
    this.#phase = phase;
    this.#deps.log.info('run', { runId: this.runId, phase });
    this.#progress.fire({ phase, message });
  }

  progress(step: ProgressStep, done: number, total: number): void {
    this.#progress.fire({ phase: this.#phase, message: stepInWords(step, done, total), done, total });
  }

  compared(comparison: Comparison): void {
    this.#place = comparison.compared.place;
    this.#changes = comparison.changes;
    this.#overrides = comparison.overrides;
    this.#warnings = warningsInWords(comparison);
  }

  reviewing(review: ReviewSession<RunChange> | undefined): void {
    if (review === undefined) return this.#whileReviewing[Symbol.dispose]();
    this.#review = review;
    const minutes = this.#deps.settings.reviewTimeoutMinutes();
    const expire = (): void => this.#abort.abort(new AppError('REVIEW_TIMEOUT', { minutes }));
    this.#whileReviewing.defer(this.#deps.clock.after(minutes * 60_000, expire));
    const tell = (): void => {
      const { total, undecided } = review.status();
      const done = total - undecided;
      const message = decidingInWords(review.shownIn(), done, total);
      this.#progress.fire({ phase: this.#phase, message, done, total });
    };
    this.#whileReviewing.add(review.onDidChange(tell));
    this.#whileReviewing.add(review.onDidShow(tell));
  }

  journalled(): void {
    this.#isJournalled = true;
    // Cancelled while the record was being written: it has its ending already.
    if (this.#latest !== undefined) void this.#closeJournal(this.#latest);
  }

  pointOfNoReturn(): void {
    this.#stoppable = false;
    this.#hasBegun = true;
  }

  /** What was said stays said; what is known from now on is more. */
  late(): void {
    if (this.#latest === undefined) return;
    const status = this.#changes.some(isNotDone) ? 'partial' : 'success';
    this.#latest = this.#resultOf({ status });
    this.#deps.log.info('Studio answered after the run had ended', { runId: this.runId, status });
    void this.#closeJournal(this.#latest);
    this.#progress.fire({ phase: 'done', message: summarySentence(this.#latest, 'agent') });
  }

  #resultOf(ending: Ending): SyncResult {
    const { runId } = this;
    return toSyncResult(ending, {
      runId,
      place: this.#place,
      studio: this.#studio,
      changes: this.#changes,
      overrides: this.#overrides,
      warnings: this.#warnings,
      hasBegun: this.#hasBegun,
      at: this.#generations?.(),
      elapsedMs: (this.#elapsedMs ??= this.#deps.clock.now() - this.#startedAt),
    });
  }

  async #end(ending: Ending): Promise<void> {
    this.#lifetime[Symbol.dispose]();
    this.#stoppable = false;
    const { runId } = this;
    const result = this.#resultOf(ending);
    this.#deps.log.info('run ended', {
      runId,
      status: result.status,
      ...(ending.error && { code: ending.error.code }),
    });
    if (ending.error?.code === 'INTERNAL') this.#deps.log.error('run failed', ending.error.cause ?? ending.error);
    if (this.#isJournalled) await this.#closeJournal(result);
    await this.#free();
    this.#phase = 'done';
    this.#latest = result;
    const said = inWords(summarySentence(result, 'person'), this.#deps.reviewSurface?.translate);
    this.#review?.setPhase('ended', said);
    this.#resolve(result);
    this.#progress.fire({ phase: 'done', message: summarySentence(result, 'agent') });
  }

  /** A lock that stays is nobody's once this process is gone; that is no reason for the run to have failed. */
  async #free(): Promise<void> {
    try {
      await this.#release?.();
    } catch (error) {
      this.#deps.log.error('the lock of the run was not released', error, { runId: this.runId });
    }
  }

  /** What happened is true without it: a journal that cannot be written now only makes the next start look again. */
  async #closeJournal(result: SyncResult): Promise<void> {
    const { journal, clock, settings, log } = this.#deps;
    try {
      await journal.finish(this.runId, journalEnding(result, clock.date()));
      const mostBytes = settings.journalMaxMegabytes() * 1024 * 1024;
      await journal.prune({ mostBytes, mostDays: settings.journalMaxDays() });
    } catch (error) {
      log.error('the end of the run was not recorded', error, { runId: this.runId });
    }
  }
}

function endingOf(thrown: unknown): Ending {
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
