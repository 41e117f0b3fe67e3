import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { StudioDirectory } from '../studio/studio-link.ts';
import type { followReviewsInStudio } from '../sync/review/studio-window.ts';
import type { SyncEngine } from '../sync/sync-engine.ts';

/** Loads the part that shows reviews in the windows of Studio plugins. */
export type LoadStudioWindow = () => Promise<typeof followReviewsInStudio>;

/** Shows reviews in the windows of plugins. The code is loaded with the first plugin that has one, because most bridges start without any Studio. */
export function createStudioReviews(
  load: LoadStudioWindow | undefined,
  engine: Pick<SyncEngine, 'current' | 'onDidChange'>,
  studios: Pick<StudioDirectory, 'all' | 'onDidChange'>,
  deps: { readonly clock: Clock; readonly log: Logger },
): Disposable {
  let isDisposed = false;
  let following: Disposable | undefined;
  let isLoading = false;
  const start = async (): Promise<void> => {
    if (load === undefined || isLoading || !studios.all().some(({ review }) => review !== undefined)) return;
    isLoading = true;
    try {
      const follow = await load();
      if (!isDisposed) following = follow(engine, studios, deps);
    } catch (error) {
      // The next change of the Studios tries again.
      isLoading = false;
      deps.log.error('reviews cannot be shown in Studio', error);
    }
  };
  const watching = studios.onDidChange(() => void start());
  return {
    [Symbol.dispose]() {
      isDisposed = true;
      watching[Symbol.dispose]();
      following?.[Symbol.dispose]();
    },
  };
}
