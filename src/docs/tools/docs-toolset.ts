import type { DefinedTool } from '../../mcp/tool.ts';
import { getSnippet } from './get-snippet.ts';
import { listDir } from './list-dir.ts';
import { openFile } from './open-file.ts';
import { repoStatus } from './repo-status.ts';
import { repoSync } from './repo-sync.ts';
import type { RepoToolDeps } from './repo-tool-deps.ts';
import { rootsList } from './roots-list.ts';
import { search } from './search.ts';
import { smartSearch } from './smart-search.ts';

export type DocsToolsetDeps = RepoToolDeps;

/** The tools of the docs toolset, in the order in which agents see them. */
export const docsTools: readonly DefinedTool<DocsToolsetDeps>[] = [
  listDir,
  openFile,
  getSnippet,
  search,
  smartSearch,
  rootsList,
  repoStatus,
  repoSync,
];
