import { createHash } from 'node:crypto';

/** A tool that the bridge can serve. `listing` is its entry in `tools/list`. */
export interface CatalogEntry {
  readonly toolset: 'sync' | 'tests' | 'docs' | 'pluto';
  readonly listing: object;
}

/** The parts of the workspace that toolsets work with. The docs toolset works in every folder. */
export interface WorkspaceUse {
  readonly hasProject: boolean;
  readonly hasPluto: boolean;
}

export interface ToolsetOffer {
  /** The URL path after `/mcp`. */
  readonly path: string;
  /** Changes whenever a tool is added, removed or described differently. */
  readonly version: string;
}

/**
 * Selects the toolsets that are useful in the workspace.
 *
 * @param release version of the extension
 * @param projects the names of several projects, which the tools list
 */
export function toolsetOffer(
  catalog: readonly CatalogEntry[],
  use: WorkspaceUse,
  release: string,
  projects: readonly string[] = [],
): ToolsetOffer {
  const isUseful = { sync: use.hasProject, tests: use.hasProject, docs: true, pluto: use.hasPluto };
  const offered = catalog.filter(({ toolset }) => isUseful[toolset]);
  const listings = offered.map(({ listing }) => listing);
  const hash = createHash('sha256').update(JSON.stringify([projects, listings]));
  const toolsets = new Set(offered.map(({ toolset }) => toolset));
  return {
    path: offered.length === catalog.length ? '' : `/${[...toolsets].join('+')}`,
    version: `${release}+${hash.digest('hex').slice(0, 12)}`,
  };
}
