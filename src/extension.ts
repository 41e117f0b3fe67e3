import { nodeClock } from './adapters/node/clock.ts';
import { TimeSlice } from './base/time-slice.ts';

/**
 * The entry point that VS Code loads. Imports the extension in small pieces, with turns of the event loop between them, because one big
 * import would block the extension host for too long. The build divides the program at these modules, and imports their files one by one.
 */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('vscode'),
  () => import('./protocol/announced-bridge.ts'),
  () => import('./protocol/sync-request.ts'),
  () => import('./protocol/sync-result.ts'),
  () => import('./base/globs/glob.ts'),
  () => import('./roblox/formats/rbxmx/read.ts'),
  () => import('./project/file-kinds/standard-file-kinds.ts'),
  () => import('./project/tree/project-tree.ts'),
  () => import('./project/writeback/plan-pulls.ts'),
  () => import('./project/session/open-project-session.ts'),
  () => import('./adapters/git/git-client.ts'),
  () => import('./docs/retrieval.ts'),
  () => import('./docs/tools/docs-toolset.ts'),
  () => import('./sync/tools/atlas-sync.ts'),
  () => import('./sync/tools/sync-history.ts'),
  () => import('./game-tests/tools/run-tests.ts'),
  () => import('./app/tool-catalog.ts'),
  () => import('./mcp/server.ts'),
  () => import('./transport/mcp/endpoint.ts'),
  () => import('./adapters/ws/socket-channel.ts'),
  () => import('./studio/write/studio-writer.ts'),
  () => import('./transport/studio/routes.ts'),
  () => import('./sync/run/apply.ts'),
  () => import('./sync/run/create-sync-engine.ts'),
  () => import('./studio/studio-directory.ts'),
  () => import('./app/app.ts'),
  () => import('./extension/start-bridge.ts'),
  () => import('./sync/vscode/views/register-views.ts'),
  () => import('./pluto/vscode/register-pluto.ts'),
  () => import('./extension/register-changes.ts'),
  () => import('./extension/register-project.ts'),
  () => import('./extension/register-machine.ts'),
  () => import('./docs/vscode/register-roots.ts'),
  () => import('./extension/activate.ts'),
];
const slice = new TimeSlice(nodeClock);
// Importing this file takes the first turn.
await slice.waitForNextTurn();
for (const load of pieces) {
  await load();
  await slice.waitForNextTurn();
}

export const { activate, deactivate } = await import('./extension/activate.ts');
