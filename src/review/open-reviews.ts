import { Emitter, type Event } from '../base/emitter.ts';
import type { ReviewControl } from '../ports/review-surface.ts';
import type { ReviewStatus } from '../protocol/review.ts';

/** The reviews of a window that wait for a person: of syncs with Studio, of restores and of Pluto files. */
export class OpenReviews implements Disposable {
  readonly #changed = new Emitter<void>();
  /** Oldest first. */
  readonly #open = new Map<ReviewControl, Disposable>();
  /** Fires when a review opens or is decided. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Follows the review until it is decided. May be called again. */
  add(review: ReviewControl): void {
    if (this.#open.has(review) || review.status().phase !== 'deciding') return;
    const follow = review.onDidChange(({ status }) => {
      if (status.phase === 'deciding') return;
      this.#open.delete(review);
      follow[Symbol.dispose]();
      this.#changed.fire();
    });
    this.#open.set(review, follow);
    this.#changed.fire();
  }

  /** The review that was opened last. */
  latest(): ReviewStatus | undefined {
    return Array.from(this.#open.keys()).at(-1)?.status();
  }

  [Symbol.dispose](): void {
    for (const follow of this.#open.values()) follow[Symbol.dispose]();
  }
}
