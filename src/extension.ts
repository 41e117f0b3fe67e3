import { nodeClock } from './adapters/node/clock.ts';
import { TimeSlice } from './base/time-slice.ts';

/**
 * The entry point that VS Code loads. Loads the extension in pieces, each in its own turn of the event loop, because loading all of it
 * at once would block the extension host for too long. A piece loads its missing dependencies with it; the rest comes with the last.
 */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('vscode'),
  () => import('./protocol/sync.ts'),
  () => import('./roblox/formats/yaml.ts'),
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
  await slice.nextTurn();
}

export const { activate, deactivate } = await import('./extension/activate.ts');
