import { DisposableStore } from '../../base/disposable-store.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ReviewControl } from '../../ports/review-surface.ts';
import type { ReviewPanel } from './review-panel.ts';

/** A sync that a person decides about. */
interface ReviewableRun {
  readonly result: Promise<unknown>;
  readonly onProgress: Event<unknown>;
  review(): ReviewControl | undefined;
}

/** Whoever asked for a sync decides: its review gets the keyboard as soon as there is one. An agent's leaves it where it is. */
export function revealReview(
  run: ReviewableRun,
  { panel, log }: { readonly panel: Pick<ReviewPanel, 'reveal'>; readonly log: Logger },
): void {
  const listening = new DisposableStore();
  const look = (): void => {
    const review = run.review();
    if (review === undefined) return;
    listening[Symbol.dispose]();
    panel
      .reveal(review, new AbortController().signal)
      .catch((error: unknown) => log.warn('the review was not focused', { reason: String(error) }));
  };
  listening.add(run.onProgress(look));
  look();
  const end = (): void => listening[Symbol.dispose]();
  void run.result.then(end, end);
}
