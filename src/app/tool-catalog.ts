import type { DefinedTool } from '../mcp/tool.ts';
import { docsTools, type DocsToolsetDeps } from '../docs/tools/docs-toolset.ts';
import { atlasDiff } from '../sync/tools/atlas-diff.ts';
import { atlasSync } from '../sync/tools/atlas-sync.ts';
import { getMerge } from '../sync/tools/get-merge.ts';
import { getScript } from '../sync/tools/get-script.ts';
import { operationGet } from '../sync/tools/operation-get.ts';
import { operationWait } from '../sync/tools/operation-wait.ts';
import { syncHistory } from '../sync/tools/sync-history.ts';
import { syncRestore } from '../sync/tools/sync-restore.ts';
import { type GameTestToolDeps, runTests } from '../game-tests/tools/run-tests.ts';
import type { SyncToolDeps } from '../sync/tools/sync-tool-deps.ts';

export type ToolDeps = SyncToolDeps & GameTestToolDeps & DocsToolsetDeps;

/** Every tool, in the order in which agents see them. */
export const toolCatalog: readonly DefinedTool<ToolDeps>[] = [
  atlasDiff,
  atlasSync,
  getScript,
  getMerge,
  operationGet,
  operationWait,
  syncHistory,
  syncRestore,
  runTests,
  ...docsTools,
];

/** Represents the tools of the pluto toolset in a catalog, because that toolset is loaded later. */
export const plutoEntry = { toolset: 'pluto', listing: { name: 'pluto' } } as const;
