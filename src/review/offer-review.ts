import type { Event } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReviewControl } from '../ports/review-surface.ts';
import { decideWithForms, type ShowForm } from './decide-with-forms.ts';
import { englishStringsOf } from './english-strings.ts';

/** A run that may wait for a person. */
export interface ReviewedRun {
  /** The review while a person decides. */
  review(): ReviewControl | undefined;
  readonly onProgress: Event<unknown>;
}

/** Editors whose windows show reviews themselves; a form would cover the buttons of the review. */
const EDITORS = /^(?:visual studio code|code-server|vscodium|cursor|windsurf)/i;
/** Time for a window of the editor to show the review. Without one, for example on the command line, the form follows. */
const WINDOW_MS = 5_000;

/**
 * Shows the review of `run` with the forms of a client as soon as the run waits for a person. Disposing closes an open form.
 *
 * @param onDismissed called when the person closed a form and no window shows the review
 */
export function offerReview(
  run: ReviewedRun,
  { ask, requestedBy, clock }: { readonly ask: ShowForm; readonly requestedBy: string; readonly clock: Clock },
  onDismissed: () => void,
): Disposable {
  const end = new AbortController();
  let hasStarted = false;
  const start = async (): Promise<void> => {
    const review = run.review();
    if (review === undefined || hasStarted || end.signal.aborted) return;
    hasStarted = true;
    if (EDITORS.test(requestedBy)) {
      await new Promise<void>(resolve => clock.after(WINDOW_MS, resolve));
      if (end.signal.aborted || review.shownIn() !== undefined) return;
    }
    try {
      const outcome = await decideWithForms(review, englishStringsOf(review.status()), ask, end.signal);
      if (outcome === 'dismissed' && review.shownIn() === undefined) onDismissed();
    } catch {
      // The client could not show the form; a window or another call still can.
      if (!end.signal.aborted && review.shownIn() === undefined) onDismissed();
    }
  };
  const listening = run.onProgress(() => void start());
  void start();
  return {
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      end.abort();
    },
  };
}
