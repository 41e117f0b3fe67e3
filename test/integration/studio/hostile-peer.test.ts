import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchTurns } from '../../../scripts/bench/project/longest-turn.ts';
import type { HostPorts } from '../../../src/app/app.ts';
import { attackBridge, type HostilePeer } from '../../harness/hostile-peer.ts';
import { testKey } from '../../harness/memory-studio-keys.ts';
import { allowUnpaired, startBridge } from '../../harness/start-bridge.ts';

const peers: readonly (readonly [string, HostilePeer, Partial<HostPorts>])[] = [
  ['unpaired', {}, {}],
  ['paired', { key: testKey }, {}],
  ['allowed', { isLive: true }, allowUnpaired()],
];
for (const [kind, peer, ports] of peers)
  test(`[P6] stays responsive and within its memory while a peer (${kind}) sends what stops programs`, async t => {
    await using bridge = await startBridge(
      {
        'default.project.json': JSON.stringify({ name: 'Game', tree: { $className: 'DataModel' } }),
      },
      ports,
    );
    const port = Number(new URL(bridge.studioUrl).port);
    const before = process.memoryUsage().rss;
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const turns = watchTurns();
    await attackBridge(port, peer);
    const { longest, tooLong } = turns.end();
    clearInterval(sampling);
    const figures = `longest turn ${Math.round(longest.cpuMs)} ms (${Math.round(longest.gcMs)} ms garbage collection), ${tooLong} over 20 ms, ${Math.round((most - before) / 1024 / 1024)} MB`;
    t.diagnostic(figures);
    // 20 ms on an idle machine; without slices, single turns take 200 ms to 30 s.
    assert.ok(longest.cpuMs - longest.gcMs < 100, figures);
    // Includes the copies that the peer's thread holds.
    assert.ok(most - before < 1500 * 1024 * 1024, figures);
    assert.equal((await bridge.studioGet('/api/rojo')).status, 200);
  });
