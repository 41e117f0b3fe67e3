import { locateRipgrep } from '../ripgrep/ripgrep-locator.ts';
import { createNodeGitRoots, createNodeRootHost } from './node-root-host.ts';
import type { RootHost } from '../../ports/root-host.ts';

/**
 * Creates the host for roots outside VS Code. Roots are configured by environment variables and searched with the ripgrep from
 * `ATLAS_RIPGREP` or the PATH.
 *
 * @param folders absolute; served if no variable defines a root
 */
export async function createEnvironmentRootHost(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
  defaultCache: string | undefined,
): Promise<RootHost> {
  return createNodeRootHost({
    environment: () => env,
    folders: () => folders.map(path => ({ name: '', path })),
    defaultCache,
    ripgrep: await locateRipgrep({ setting: env['ATLAS_RIPGREP'], path: env['PATH'] }),
    gitRoots: createNodeGitRoots(),
  });
}
