import { locateRipgrep } from '../ripgrep/ripgrep-locator.ts';
import { nodeGitRoots } from '../git-roots/node-git-roots.ts';
import { createNodeGitRoots, createNodeRootHost } from './node-root-host.ts';
import type { AllSettings } from '../../../ports/settings.ts';
import type { RootHost } from '../../ports/root-host.ts';
import { withRoots } from './root-variables.ts';

/**
 * Creates the host for roots outside VS Code. Roots are configured by settings or environment variables and searched with the ripgrep from
 * the settings, `ATLAS_RIPGREP` or the PATH.
 *
 * @param folders absolute; served if neither a setting nor a variable defines a root
 * @param settings `undefined` for the standalone docs server, which has only variables
 */
export async function createEnvironmentRootHost(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
  defaultCache: string | undefined,
  settings?: Pick<AllSettings, 'docsRoots' | 'ripgrepPath'>,
): Promise<RootHost> {
  return createNodeRootHost({
    environment: () => (settings === undefined ? env : withRoots(env, settings.docsRoots())),
    folders: () => folders.map(path => ({ name: '', path })),
    defaultCache,
    ripgrep: await locateRipgrep({ setting: settings?.ripgrepPath() ?? env['ATLAS_RIPGREP'], path: env['PATH'] }),
    gitRoots: createNodeGitRoots(async () => nodeGitRoots),
  });
}
