import { Emitter, type Event } from '../../../base/emitter.ts';
import type { GitRoots } from '../../../ports/git-roots.ts';

/** The same git roots, which say when a sync begins and when it has ended, whoever asked for it. */
export function announcedGitRoots(gitRoots: GitRoots): {
  readonly gitRoots: GitRoots;
  readonly onDidSync: Event<void>;
} {
  const synced = new Emitter<void>();
  return {
    onDidSync: synced.event,
    gitRoots: {
      status: (...args) => gitRoots.status(...args),
      async sync(root, policy, request, progress, signal) {
        // The lock, by which others see that a sync is on its way, is taken on the way to a later step.
        const told = (step: string): void => {
          progress(step);
          synced.fire();
        };
        try {
          return await gitRoots.sync(root, policy, request, told, signal);
        } finally {
          synced.fire();
        }
      },
    },
  };
}
