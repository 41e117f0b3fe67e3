import { Emitter, type Event } from '../../../base/emitter.ts';
import type { GitRoots } from '../../ports/git-roots.ts';

export interface ObservableGitRoots {
  readonly gitRoots: GitRoots;
  /** Fires at each step of a sync, after which `status` may be different. */
  readonly onDidStep: Event<void>;
  /** Fires when a sync has ended, successfully or not. */
  readonly onDidSync: Event<void>;
}

/** Wraps git roots so that every sync fires events, no matter who started it. */
export function observeGitRoots(gitRoots: GitRoots): ObservableGitRoots {
  const stepped = new Emitter<void>();
  const synced = new Emitter<void>();
  return {
    onDidStep: stepped.event,
    onDidSync: synced.event,
    gitRoots: {
      status: (...args) => gitRoots.status(...args),
      async sync(root, policy, request, progress, signal) {
        const reportStep = (step: string): void => {
          progress(step);
          stepped.fire();
        };
        try {
          return await gitRoots.sync(root, policy, request, reportStep, signal);
        } finally {
          synced.fire();
        }
      },
    },
  };
}
