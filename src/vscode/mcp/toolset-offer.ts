import { createHash } from 'node:crypto';

/** A tool that the bridge can serve. `listing` is all that an agent is told of it. */
export interface CatalogueEntry {
  readonly toolset: 'sync' | 'docs' | 'pluto';
  readonly listing: object;
}

/** What there is in the workspace that a toolset is for. Folders to search are always there. */
export interface WorkspaceUse {
  readonly hasProject: boolean;
  readonly hasPluto: boolean;
}

export interface ToolsetOffer {
  /** Follows `/mcp`. */
  readonly path: string;
  /** Another one whenever a tool is added, taken away or described otherwise. */
  readonly version: string;
}

/** The toolsets that the workspace has use for, as VS Code is told of them. @param release version of the extension */
export function toolsetOffer(catalogue: readonly CatalogueEntry[], use: WorkspaceUse, release: string): ToolsetOffer {
  const isOfUse = { sync: use.hasProject, docs: true, pluto: use.hasPluto };
  const offered = catalogue.filter(({ toolset }) => isOfUse[toolset]);
  const hash = createHash('sha256').update(JSON.stringify(offered.map(({ listing }) => listing)));
  const toolsets = new Set(offered.map(({ toolset }) => toolset));
  return {
    path: offered.length === catalogue.length ? '' : `/${[...toolsets].join('+')}`,
    version: `${release}+${hash.digest('hex').slice(0, 12)}`,
  };
}
