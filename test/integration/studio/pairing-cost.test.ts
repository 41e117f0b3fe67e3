import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { nodePairingCrypto } from '../../../src/adapters/node/pairing-crypto.ts';
import { FakePlugin } from '../../harness/fake-plugin.ts';
import { testKey } from '../../harness/memory-studio-keys.ts';
import { proveKey, sessionHeaders } from '../../harness/prove-key.ts';
import { startBridge } from '../../harness/start-bridge.ts';

/** Pairs, reads a project of that size, and returns how often the bridge computed a code and compared one. */
async function costOfReading(instances: number): Promise<{ hmacs: number; comparisons: number; read: number }> {
  let [hmacs, comparisons] = [0, 0];
  const pairingCrypto = {
    ...nodePairingCrypto,
    hmac: (secret: string, text: string): string => ((hmacs += 1), nodePairingCrypto.hmac(secret, text)),
    isEqual: (a: string, b: string): boolean => ((comparisons += 1), nodePairingCrypto.isEqual(a, b)),
  };
  const children = Array.from({ length: instances }, (_, index) => ({ className: 'Part', name: `Part${index}` }));
  await using bridge = await startBridge(
    {
      'default.project.json': JSON.stringify({ name: 'Game', tree: { $className: 'Folder', $path: 'src' } }),
      'src/Parts.model.json': JSON.stringify({ className: 'Model', children }),
    },
    { pairingCrypto },
  );
  const socket = new WebSocket(`${bridge.studioUrl.replace('http', 'ws')}/api/mcp/stream`);
  await once(socket, 'open');
  await using plugin = new FakePlugin(bridge.studioUrl, sessionHeaders(await proveKey(socket, testKey)));
  await plugin.connect();
  socket.terminate();
  return { hmacs, comparisons, read: Object.keys(plugin.tree.instances).length };
}

test('pairing costs the same for each connection and request, however large the place is', async () => {
  const [small, large] = [await costOfReading(10), await costOfReading(9_000)];
  assert.deepEqual([small.read, large.read], [12, 9_002]);
  // One code for each role; one comparison of the proof, and one for each request.
  for (const { hmacs, comparisons } of [small, large]) {
    assert.equal(hmacs, 3);
    assert.ok(comparisons <= 3, `${comparisons}`);
  }
});
