import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { nodeRootCheckouts } from '../files/node-root-checkouts.ts';
import { nodeRootFiles } from '../files/node-root-files.ts';
import { type ObservableGitRoots, observeGitRoots } from '../git-roots/observable-git-roots.ts';
import { createRipgrepSearch } from '../ripgrep/ripgrep.ts';
import type { GitRoots } from '../../ports/git-roots.ts';
import type { RootHost } from '../../ports/root-host.ts';

export interface NodeRootHostOptions {
  readonly environment: RootHost['environment'];
  /** Returns the folders that are served if no variable defines a root. `path` is absolute. */
  folders(): readonly { readonly name: string; readonly path: string }[];
  readonly defaultCache: string | undefined;
  /** Absolute path of ripgrep; without it, the built-in search is used. */
  readonly ripgrep: string | undefined;
  readonly gitRoots: ObservableGitRoots;
}

/** Creates the host for roots on the local disk. */
export const createNodeRootHost = (options: NodeRootHostOptions): RootHost => ({
  environment: options.environment,
  folders: () =>
    Promise.all(
      options.folders().map(async ({ name, path }) => ({
        name: name === '' ? basename(path) : name,
        path,
        // A folder that cannot be read is an error of its root alone.
        hasDocs: await lstat(join(path, 'docs')).then(
          found => found.isDirectory(),
          () => false,
        ),
      })),
    ),
  defaultCache: options.defaultCache,
  checkouts: nodeRootCheckouts,
  files: nodeRootFiles,
  gitRoots: options.gitRoots.gitRoots,
  onDidSync: options.gitRoots.onDidSync,
  ripgrep: options.ripgrep === undefined ? undefined : createRipgrepSearch(options.ripgrep),
});

/**
 * Creates git roots that fire events for each sync.
 *
 * @param load loads the implementation at the first call, because most windows have no git root
 */
export const createNodeGitRoots = (load: () => Promise<GitRoots>): ObservableGitRoots =>
  observeGitRoots({
    status: async (...args) => (await load()).status(...args),
    sync: async (...args) => (await load()).sync(...args),
  });
