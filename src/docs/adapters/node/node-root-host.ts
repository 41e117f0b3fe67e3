import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ifFound } from '../../../base/errno.ts';
import { nodeRootCheckouts } from '../files/node-root-checkouts.ts';
import { nodeRootFiles } from '../files/node-root-files.ts';
import { type AnnouncedGitRoots, announcedGitRoots } from '../git-roots/announced-git-roots.ts';
import { nodeGitRoots } from '../git-roots/node-git-roots.ts';
import { createRipgrepSearch } from '../ripgrep/ripgrep.ts';
import type { RootHost } from '../../ports/root-host.ts';

export interface NodeRootHostOptions {
  readonly environment: RootHost['environment'];
  /** The folders that are served when no variable names a root, as they are now. `path` is absolute. */
  folders(): readonly { readonly name: string; readonly path: string }[];
  readonly defaultCache: string | undefined;
  /** The ripgrep program, absolute; without one the files are walked. */
  readonly ripgrep: string | undefined;
  readonly gitRoots: AnnouncedGitRoots;
}

/** The roots on this machine's disk. */
export const createNodeRootHost = (options: NodeRootHostOptions): RootHost => ({
  environment: options.environment,
  folders: () =>
    Promise.all(
      options.folders().map(async ({ name, path }) => ({
        name: name === '' ? basename(path) : name,
        path,
        hasDocs: (await ifFound(lstat(join(path, 'docs'))))?.isDirectory() === true,
      })),
    ),
  defaultCache: options.defaultCache,
  checkouts: nodeRootCheckouts,
  files: nodeRootFiles,
  gitRoots: options.gitRoots.gitRoots,
  onDidSync: options.gitRoots.onDidSync,
  ripgrep: options.ripgrep === undefined ? undefined : createRipgrepSearch(options.ripgrep),
});

/** The git roots of this machine, which announce each sync. */
export const createNodeGitRoots = (): AnnouncedGitRoots => announcedGitRoots(nodeGitRoots);
