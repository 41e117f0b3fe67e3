import type { Tool } from '../mcp/tool.ts';
import { getSnippet } from '../docs/tools/get-snippet.ts';
import { listDir } from '../docs/tools/list-dir.ts';
import { openFile } from '../docs/tools/open-file.ts';
import { repoStatus } from '../docs/tools/repo-status.ts';
import { repoSync } from '../docs/tools/repo-sync.ts';
import type { RepoToolDeps } from '../docs/tools/repo-tool-deps.ts';
import { rootsList } from '../docs/tools/roots-list.ts';
import { search } from '../docs/tools/search.ts';
import { smartSearch } from '../docs/tools/smart-search.ts';
import { atlasSync } from '../sync/tools/atlas-sync.ts';
import { getScript } from '../sync/tools/get-script.ts';
import { operationGet } from '../sync/tools/operation-get.ts';
import { operationWait } from '../sync/tools/operation-wait.ts';
import { syncHistory } from '../sync/tools/sync-history.ts';
import { syncRestore } from '../sync/tools/sync-restore.ts';
import type { SyncToolDeps } from '../sync/tools/sync-tool-deps.ts';

export type ToolDeps = SyncToolDeps & RepoToolDeps;

/** The docs toolset, in the order in which agents see it. */
export const docsTools: readonly Tool<RepoToolDeps>[] = [
  listDir,
  openFile,
  getSnippet,
  search,
  smartSearch,
  rootsList,
  repoStatus,
  repoSync,
];

/** Every tool, in the order in which agents see them. */
export const toolCatalog: readonly Tool<ToolDeps>[] = [
  atlasSync,
  getScript,
  operationGet,
  operationWait,
  syncHistory,
  syncRestore,
  ...docsTools,
];

/** Stands for the pluto toolset where it is not loaded: its tools change with the release, and with nothing else. */
export const plutoEntry = { toolset: 'pluto', listing: { name: 'pluto' } } as const;
