import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { nodeGitRoots } from '../../src/docs/adapters/git-roots/node-git-roots.ts';
import { nodeRootCheckouts } from '../../src/docs/adapters/files/node-root-checkouts.ts';
import { nodeRootFiles } from '../../src/docs/adapters/files/node-root-files.ts';
import { createRipgrepSearch } from '../../src/docs/adapters/ripgrep/ripgrep.ts';
import { retrievalOfHost } from '../../src/docs/retrieval.ts';
import type { Retrieval } from '../../src/docs/retrieval.ts';
import type { RootHost } from '../../src/docs/ports/root-host.ts';

/** A host of roots on disk, configured by `environment`; no variables, no roots. */
export function rootHost(
  environment: Readonly<Record<string, string | undefined>> = {},
  changed: Partial<RootHost> = {},
): RootHost {
  return {
    environment: () => environment,
    folders: async () => [],
    defaultCache: undefined,
    checkouts: nodeRootCheckouts,
    files: nodeRootFiles,
    gitRoots: nodeGitRoots,
    ripgrep: createRipgrepSearch(rgPath),
    ...changed,
  };
}

export const retrievalOver = (
  environment: Readonly<Record<string, string | undefined>>,
  changed: Partial<RootHost> = {},
): Retrieval => retrievalOfHost(rootHost(environment, changed), nodeClock);

/** Variables for roots below `folder`: ids by namespace, each in the folder with its id as name. */
export function rootVariables(
  folder: string,
  ids: Readonly<Partial<Record<'docs' | 'code' | 'harness', readonly string[]>>>,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [namespace, list] of Object.entries(ids)) {
    variables[`${namespace.toUpperCase()}_ROOTS`] = list.join(',');
    for (const id of list) variables[`ROOT_${id.toUpperCase().replaceAll('-', '_')}_PATH`] = join(folder, id);
  }
  return variables;
}
