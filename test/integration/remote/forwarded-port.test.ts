import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { pairedKey } from '../../harness/memory-studio-keys.ts';
import { startBridge } from '../../harness/start-bridge.ts';

/** Forwards a local port to the port of a URL, as `ssh -L`, VS Code and WSL do. */
async function forwardedFrom(url: string) {
  const relay = createServer(near => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  return { url: `http://localhost:${port}`, [Symbol.dispose]: () => void relay.close() };
}

test('Studio reaches a remote bridge through a forwarded port with another number', async () => {
  await using bridge = await startBridge({
    'default.project.json': JSON.stringify({
      name: 'game',
      tree: { $className: 'DataModel', ServerScriptService: { Boot: { $path: 'boot.server.luau' } } },
    }),
    'boot.server.luau': 'print(1)\n',
  });
  using forwarded = await forwardedFrom(bridge.studioUrl);
  await using studio = await connectFakeStudio(
    forwarded.url,
    { ServerScriptService: { className: 'ServerScriptService' } },
    { placeName: 'Harbor' },
    pairedKey,
  );
  await using agent = await connectClient(`${forwarded.url}/mcp`, bridge.token);
  const { answer: looked } = await callTool(agent.client, 'atlas_sync', { mode: 'dryrun' });
  const [change] = looked['changes'] as readonly { readonly id: string }[];
  const { answer } = await callTool(agent.client, 'atlas_sync', { overrides: [{ id: change?.id, direction: 'push' }] });
  assert.equal(answer['status'], 'success', JSON.stringify(answer));
  assert.equal(studio.studio.source('ServerScriptService/Boot'), 'print(1)\n');
});
