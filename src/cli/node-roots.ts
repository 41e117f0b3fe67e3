import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { announcedGitRoots } from '../adapters/git-roots/announced-git-roots.ts';
import { nodeGitRoots } from '../adapters/git-roots/node-git-roots.ts';
import { nodeRootCheckouts } from '../adapters/roots/node-root-checkouts.ts';
import { nodeRootFiles } from '../adapters/roots/node-root-files.ts';
import { createRipgrepSearch } from '../adapters/search/ripgrep.ts';
import { locateRipgrep } from '../adapters/search/ripgrep-locator.ts';
import type { RootHost } from '../ports/root-host.ts';

/**
 * The roots where there is no VS Code: the variables of the process, and the ripgrep that `ATLAS_RIPGREP` names or the PATH has.
 *
 * @param folders absolute; served when no variable names a root
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
