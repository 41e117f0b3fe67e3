import { DisposableStore } from '../../base/disposable-store.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ReviewControl } from '../../ports/review-surface.ts';
import type { ReviewPanel } from './review-panel.ts';

/** A run that the user reviews. */
interface ReviewableRun {
  readonly result: Promise<unknown>;
  readonly onProgress: Event<unknown>;
  review(): ReviewControl | undefined;
}

/** Focuses the review of a run that the user started, as soon as the review opens. Reviews of agents open without focus. */
export function revealReview(
  run: ReviewableRun,
  { panel, log }: { readonly panel: Pick<ReviewPanel, 'reveal'>; readonly log: Logger },
): void {
  const listening = new DisposableStore();
  const revealIfOpen = (): void => {
    const review = run.review();
    if (review === undefined) return;
    listening[Symbol.dispose]();
    panel
      .reveal(review, new AbortController().signal)
      .catch((error: unknown) => log.warn('failed to focus the review', { reason: String(error) }));
  };
  listening.add(run.onProgress(revealIfOpen));
  revealIfOpen();
  const end = (): void => listening[Symbol.dispose]();
  void run.result.then(end, end);
}
