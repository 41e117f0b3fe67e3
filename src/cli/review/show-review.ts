import type { ReviewControl } from '../../ports/review-surface.ts';
import { englishStringsOf } from '../../review/english-strings.ts';
import type { SyncRun } from '../../sync/sync-engine.ts';
import { ReviewScreen } from './review-screen.ts';
import type { Terminal } from './terminal.ts';
import { safeTerminalLine } from '../../base/safe-text.ts';

/** Shows the review of `run` in the terminal while the run waits for a person. Resolves when the run has ended. */
export async function showReviews(run: SyncRun, terminal: Terminal): Promise<void> {
  let shown: Disposable | undefined;
  const follow = (): void => {
    const review = run.review();
    const isDeciding = review?.status().phase === 'deciding';
    if (review !== undefined && isDeciding) shown ??= showReview(review, terminal, () => run.cancel());
    else if (!isDeciding) {
      shown?.[Symbol.dispose]();
      shown = undefined;
    }
  };
  using _following = run.onProgress(follow);
  follow();
  try {
    await run.result;
  } finally {
    shown?.[Symbol.dispose]();
  }
}

/** @param cancel called for Ctrl+C */
function showReview(review: ReviewControl, terminal: Terminal, cancel: () => void): Disposable {
  const screen = new ReviewScreen(review, englishStringsOf(review.status()));
  const opened = terminal.open();
  const draw = (): void => {
    const { columns, rows } = opened.size();
    opened.draw(screen.lines(columns, rows).map(safeTerminalLine));
  };
  const watching = review.onDidChange(({ status }) => {
    if (status.phase === 'deciding') draw();
    else close();
  });
  const close = (): void => {
    watching[Symbol.dispose]();
    opened[Symbol.dispose]();
  };
  opened.onKey(key => {
    if (key === 'ctrl-c') return cancel();
    void screen.press(key).then(() => {
      if (review.status().phase === 'deciding') draw();
    });
  });
  opened.onResize(draw);
  draw();
  return { [Symbol.dispose]: close };
}
