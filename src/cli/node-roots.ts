import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { announcedGitRoots } from '../docs/adapters/git-roots/announced-git-roots.ts';
import { nodeGitRoots } from '../docs/adapters/git-roots/node-git-roots.ts';
import { nodeRootCheckouts } from '../docs/adapters/files/node-root-checkouts.ts';
import { nodeRootFiles } from '../docs/adapters/files/node-root-files.ts';
import { createRipgrepSearch } from '../docs/adapters/ripgrep/ripgrep.ts';
import { locateRipgrep } from '../docs/adapters/ripgrep/ripgrep-locator.ts';
import type { RootHost } from '../docs/ports/root-host.ts';

/**
 * Creates the host of the roots without VS Code: environment variables, and the ripgrep of `ATLAS_RIPGREP` or the PATH.
 *
 * @param folders absolute folders; used when no variable names a root
 */
export async function nodeRoots(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
  defaultCache: string | undefined,
): Promise<RootHost> {
  const program = await locateRipgrep({ setting: env['ATLAS_RIPGREP'], path: env['PATH'] });
  const syncs = announcedGitRoots(nodeGitRoots);
  return {
    environment: () => env,
    folders: () =>
      folders.map(path => ({
        name: basename(path),
        path,
        hasDocs: lstatSync(join(path, 'docs'), { throwIfNoEntry: false })?.isDirectory() ?? false,
      })),
    defaultCache,
    checkouts: nodeRootCheckouts,
    files: nodeRootFiles,
    gitRoots: syncs.gitRoots,
    onDidSync: syncs.onDidSync,
    ripgrep: program === undefined ? undefined : createRipgrepSearch(program),
  };
}
