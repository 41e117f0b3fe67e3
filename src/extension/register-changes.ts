import { nodeClock } from '../adapters/node/clock.ts';
import { registerViews } from '../sync/vscode/views/register-views.ts';
import type { ForwardedPort } from '../vscode/forwarded-port.ts';
import { createPendingChanges, type WindowPendingChanges } from '../vscode/pending-changes.ts';
import type { OpenReviews } from '../review/open-reviews.ts';
import type { ReviewEditors } from '../review/vscode/review-editors.ts';
import { createSettings } from '../vscode/settings.ts';
import { createStatusBar } from '../vscode/status-bar.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { followPendingChanges } from '../sync/pending-changes.ts';
import type { SharedParts } from './shared-parts.ts';

/** Registers the pending changes and everything that shows them: status bar, views and Explorer badges. */
export function registerChanges(
  { context, lifecycle, served, unserved, log, schedule, showLog }: SharedParts,
  editors: Pick<ReviewEditors, 'open'>,
  port: ForwardedPort,
  reviews: OpenReviews,
): Disposable & { readonly pending: WindowPendingChanges } {
  const store = new DisposableStore();
  const pending = store.add(
    createPendingChanges(
      lifecycle,
      bridge =>
        followPendingChanges({
          engine: bridge.engine,
          studios: bridge.studios,
          session: () => bridge.session(),
          onDidChangeProject: bridge.onDidChangeProject,
          clock: nodeClock,
          log,
        }),
      () => createSettings(served.root()).changesAutoCompare(),
    ),
  );
  schedule(() => store.add(createStatusBar(lifecycle, unserved, pending, reviews)));
  store.add(
    registerViews({
      lifecycle,
      schedule,
      pending,
      editors,
      folder: served.root,
      projectFolder: served.projectFolder,
      unserved,
      port,
      showBadges: () => createSettings(served.root()).explorerBadges(),
      state: context.workspaceState,
      log: log.child('changes'),
      showLog,
    }),
  );
  return { pending, [Symbol.dispose]: () => store[Symbol.dispose]() };
}
