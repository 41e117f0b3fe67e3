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

/** What an agent is told of the docs toolset alone. */
export const docsInstructions = `The docs toolset reads folders of documentation, code and test harnesses, called roots. roots_list says which there are; scope chooses among them, and without it all are meant. Find your way with smart_search, find an exact text with search, then read with get_snippet or open_file. Every hit names root, path and line: cite them. Hidden and ignored files are left out. repo_status says how git roots stand; repo_sync alone touches the network, and only when it is called.`;

/** What an agent is told when it connects, before it sees a tool. */
export const instructions = `Atlas Bridge keeps two sides of one Roblox game in step: disk (the project files) and Studio (the place that is open in Roblox Studio). push means that disk wins and Studio is changed; pull means that Studio wins and files are changed.

Edit the files on disk, then call atlas_sync. It reports per change what really happened, and never overwrites work that it was not told about: when both sides changed, read Studio's text with get_script, merge, and sync again with an override that quotes studioHash. When the status is review_pending, a person is deciding: call operation_wait.

${docsInstructions}`;
