import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { formatSentence, say } from '../../base/sentence.ts';
import type { ReviewControl } from '../../ports/review-surface.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { ReviewSession } from '../../review/review-session.ts';
import { reviewView, type ReviewViewDeps } from './review-view.ts';
import type { ViewRow } from './view-row.ts';
import type { ViewSyncRequest, ViewSyncResult } from './view-sync-request.ts';

/** One sync of a `.pt` with its module, from request to result. */
export interface ViewSyncRun {
  readonly runId: string;
  /** Rejects with an AppError if nothing was changed, or if the result is unknown. */
  readonly result: Promise<ViewSyncResult>;
  /** The review while a person decides. */
  review(): ReviewControl | undefined;
  /** The current step, in English. */
  readonly onProgress: Event<string>;
  /** Cancels the run unless it has started to change files. */
  cancel(): void;
}

/** All syncs of the views of one project. */
export interface ViewSyncs extends Disposable {
  /** @throws AppError PLUTO_EDIT_REFUSED if a person is reviewing that view already; a run that finds this out later rejects with it */
  start(request: ViewSyncRequest): ViewSyncRun;
  /** The run that waits for a person. */
  deciding(path: string): ViewSyncRun | undefined;
}

export function createViewSyncs(deps: ReviewViewDeps): ViewSyncs {
  const deciding = new Map<string, ViewSyncRun>();
  const running = new Set<ViewSyncRun>();
  const start = (request: ViewSyncRequest): ViewSyncRun => {
    const { path, mode } = request;
    const requireAlone = (): void => {
      if (deciding.has(path))
        throw new AppError('PLUTO_EDIT_REFUSED', {
          reason: `a person is reviewing ${path} in VS Code; call again without overrides to wait for the decision`,
        });
    };
    if (mode !== 'fastfail') requireAlone();
    const abort = new AbortController();
    const progress = new Emitter<string>();
    const lifetime = new DisposableStore();
    let isStoppable = true;
    let shown: ReviewSession<ViewRow> | undefined;
    const report = (): void => {
      if (shown === undefined) return;
      const { total, undecided } = shown.status();
      progress.fire(formatSentence(progressOf(path, shown.shownIn(), total - undecided, total)));
    };
    const observer = {
      reviewing(review: ReviewSession<ViewRow> | undefined): void {
        // Another run may have opened a review during the comparison.
        if (review !== undefined) requireAlone();
        shown = review;
        if (review === undefined) return lifetime[Symbol.dispose]();
        const minutes = deps.settings.reviewTimeoutMinutes();
        const expire = (): void => abort.abort(new AppError('REVIEW_TIMEOUT', { minutes }));
        lifetime.defer(deps.clock.after(minutes * 60_000, expire));
        lifetime.add(review.onDidChange(report));
        lifetime.add(review.onDidShow(report));
        deciding.set(path, run);
        lifetime.defer(() => void deciding.delete(path));
        report();
      },
      pointOfNoReturn: (): void => void (isStoppable = false),
    };
    const run: ViewSyncRun = {
      runId: deps.random.uuid(),
      result: untilAborted(
        // Starts asynchronously, so that the caller can subscribe first.
        Promise.resolve().then(() => reviewView(run.runId, request, deps, observer, abort.signal)),
        abort.signal,
      ).finally(() => {
        lifetime[Symbol.dispose]();
        running.delete(run);
        shown = undefined;
      }),
      review: () => shown,
      onProgress: progress.event,
      cancel: () => {
        if (isStoppable)
          abort.abort(new AppError('CANCELLED', { phase: shown === undefined ? 'comparing' : 'reviewing' }));
      },
    };
    running.add(run);
    return run;
  };
  return {
    start,
    deciding: path => deciding.get(path),
    [Symbol.dispose]() {
      for (const run of running) run.cancel();
    },
  };
}

const progressOf = (path: string, shownIn: string | undefined, decided: number, total: number) =>
  shownIn === undefined
    ? say`Waiting for a person: no window shows the review of ${path}, ${decided} of ${total} declarations decided. "Atlas Bridge: Sync .pt" opens it`
    : say`A person has the review of ${path} open in VS Code (${shownIn}): ${decided} of ${total} declarations decided`;
