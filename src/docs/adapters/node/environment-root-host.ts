import { locateRipgrep } from '../ripgrep/ripgrep-locator.ts';
import { createNodeGitRoots, createNodeRootHost } from './node-root-host.ts';
import type { RootHost } from '../../ports/root-host.ts';

/**
 * The roots outside VS Code: configured by the variables of the process, searched with the ripgrep that `ATLAS_RIPGREP` names or the
 * PATH has.
 *
 * @param folders absolute; served when no variable names a root
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
