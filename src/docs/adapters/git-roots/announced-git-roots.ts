import { Emitter, type Event } from '../../../base/emitter.ts';
import type { GitRoots } from '../../ports/git-roots.ts';

export interface AnnouncedGitRoots {
  readonly gitRoots: GitRoots;
  /** A sync has come to its next step: from one of them on, others see that it is on its way. */
  readonly onDidStep: Event<void>;
  /** A sync has ended, well or not. */
  readonly onDidSync: Event<void>;
}

/** The same git roots, which say how their syncs go, whoever asked for them. */
export function announcedGitRoots(gitRoots: GitRoots): AnnouncedGitRoots {
  const stepped = new Emitter<void>();
  const synced = new Emitter<void>();
  return {
    onDidStep: stepped.event,
    onDidSync: synced.event,
    gitRoots: {
      status: (...args) => gitRoots.status(...args),
      async sync(root, policy, request, progress, signal) {
        const told = (step: string): void => {
          progress(step);
          stepped.fire();
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
