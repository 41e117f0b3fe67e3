import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopDeletedProjects } from '../../../src/vscode/stop-deleted-projects.ts';
import { createBridgeLifecycle } from '../../../src/vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../../src/vscode/served-bridge.ts';
import { settle } from '../../harness/settle.ts';

interface FakeBridge {
  readonly bridge: ServedBridge;
  stops: number;
  run: { readonly result: Promise<void> } | undefined;
  unsaved: readonly string[];
}

function fakeBridge(key: string, root: string): FakeBridge {
  const fake = { stops: 0, run: undefined, unsaved: [] } as unknown as {
    -readonly [K in keyof FakeBridge]: FakeBridge[K];
  };
  fake.bridge = {
    location: { key, label: key, root: { toString: () => root } },
    engine: { current: () => fake.run },
    pluto: () => ({ unsaved: { paths: () => fake.unsaved } }),
    stop: () => ((fake.stops += 1), Promise.resolve()),
  } as unknown as ServedBridge;
  return fake;
}

/** A window that shows `active`, and two other projects in the given folders. */
async function openWindow(...roots: readonly [string, string, string]) {
  const [active, second, third] = [
    fakeBridge('active', roots[0]),
    fakeBridge('second', roots[1]),
    fakeBridge('third', roots[2]),
  ];
  const again = fakeBridge('active', roots[0]);
  const firsts = [active, again];
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(firsts.shift()!.bridge));
  await lifecycle.begin();
  for (const { bridge } of [second, third]) await lifecycle.add(() => Promise.resolve(bridge));
  let asked = 0;
  const look = (...gone: readonly string[]): Promise<void> =>
    stopDeletedProjects(
      lifecycle,
      key => Promise.resolve(!gone.includes(key)),
      () => (asked += 1),
    );
  return { active, second, third, again, lifecycle, look, asked: () => asked };
}

test('stops a project whose file was deleted, and no other', async () => {
  const window = await openWindow('a', 'b', 'a');
  await window.look('second');
  assert.deepEqual([window.active.stops, window.second.stops, window.third.stops], [0, 1, 0]);
  await window.look('third');
  assert.deepEqual(window.lifecycle.bridges(), [window.active.bridge]);
});

test('keeps the active project when its file was deleted, until another one becomes active', async () => {
  const window = await openWindow('a', 'b', 'c');
  await window.look('active');
  assert.equal(window.active.stops, 0);
  window.lifecycle.activate(window.second.bridge);
  await window.look('active');
  assert.deepEqual([window.active.stops, window.second.stops], [1, 0]);
});

test('stops a deleted project after its sync, not during it', async () => {
  const window = await openWindow('a', 'b', 'c');
  const ended = Promise.withResolvers<void>();
  window.second.run = { result: ended.promise };
  await window.look('second');
  assert.deepEqual([window.second.stops, window.asked()], [0, 0]);
  window.second.run = undefined;
  ended.resolve();
  await settle();
  assert.equal(window.asked(), 1);
  await window.look('second');
  assert.equal(window.second.stops, 1);
});

test('restarts the others of a folder whose Pluto modules belong to a deleted project', async () => {
  const window = await openWindow('a', 'b', 'b');
  window.second.unsaved = ['main.pluto'];
  await window.look('second');
  await settle();
  assert.deepEqual([window.second.stops, window.third.stops], [0, 0]);
  window.second.unsaved = [];
  await window.look('second');
  await settle();
  assert.deepEqual([window.active.stops, window.second.stops, window.third.stops], [1, 1, 1]);
  assert.deepEqual(window.lifecycle.bridges(), [window.again.bridge]);
});
