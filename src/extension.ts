import { nodeClock } from './adapters/node/clock.ts';
import { TimeSlice } from './base/time-slice.ts';

/**
 * The entry point that VS Code loads. Imports the extension module by module, each in its own turn of the event loop, because one big
 * import would block the extension host for too long. Each import also loads its dependencies; the last one loads everything else.
 */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('vscode'),
  () => import('./protocol/sync.ts'),
  () => import('./base/globs/glob.ts'),
  () => import('./roblox/formats/rbxmx/read.ts'),
  () => import('./project/session/open-project-session.ts'),
  () => import('./adapters/git/git-client.ts'),
  () => import('./docs/retrieval.ts'),
  () => import('./app/tool-catalog.ts'),
  () => import('./mcp/server.ts'),
  () => import('./transport/mcp/endpoint.ts'),
  () => import('./app/app.ts'),
  () => import('./extension/start-bridge.ts'),
];
const slice = new TimeSlice(nodeClock);
for (const load of pieces) {
  await load();
  await slice.waitForNextTurn();
}

export const { activate, deactivate } = await import('./extension/activate.ts');
