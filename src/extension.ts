/**
 * What VS Code loads: the extension in pieces, each in a turn of its own, because all of it at once holds the extension host up for
 * longer than others should wait. A piece brings with it what it needs and is not there yet; what no piece brings comes with the last.
 */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('vscode'),
  () => import('./protocol/sync.ts'),
  () => import('./roblox/formats/yaml.ts'),
  () => import('./project/session/open-project-session.ts'),
  () => import('./adapters/git/simple-git-client.ts'),
  () => import('./docs/retrieval.ts'),
  () => import('./app/tool-catalog.ts'),
  () => import('./mcp/server.ts'),
  () => import('./transport/mcp/endpoint.ts'),
  () => import('./app/app.ts'),
  () => import('./extension/start-bridge.ts'),
];
for (const load of pieces) {
  await load();
  await new Promise(resolve => setImmediate(resolve));
}

export const { activate, deactivate } = await import('./extension/activate.ts');
