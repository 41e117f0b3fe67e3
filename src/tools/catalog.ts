import type { Tool } from '../mcp/tool.ts';
import { getSnippet } from './docs/get-snippet.ts';
import { listDir } from './docs/list-dir.ts';
import { openFile } from './docs/open-file.ts';
import { repoStatus } from './docs/repo-status.ts';
import { repoSync } from './docs/repo-sync.ts';
import type { RepoToolDeps } from './docs/repo-tool-deps.ts';
import { rootsList } from './docs/roots-list.ts';
import { search } from './docs/search.ts';
import { smartSearch } from './docs/smart-search.ts';
import { atlasSync } from './sync/atlas-sync.ts';
import { getScript } from './sync/get-script.ts';
import { operationGet } from './sync/operation-get.ts';
import { operationWait } from './sync/operation-wait.ts';
import { syncHistory } from './sync/sync-history.ts';
import { syncRestore } from './sync/sync-restore.ts';
import type { SyncToolDeps } from './sync/sync-tool-deps.ts';

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
