import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBridgeLife, followBridge } from '../../../../src/adapters/vscode/bridge-life.ts';
import type { ServedBridge } from '../../../../src/adapters/vscode/served-bridge.ts';

function fakeBridge(): { bridge: ServedBridge; stops: () => number } {
  let stops = 0;
  const bridge = { stop: () => Promise.resolve(void (stops += 1)) };
  return { bridge: bridge as unknown as ServedBridge, stops: () => stops };
}

test('however often it is begun, one bridge is built', async () => {
  const { bridge } = fakeBridge();
  let built = 0;
  const life = createBridgeLife(() => Promise.resolve(((built += 1), bridge)));
  const states = await Promise.all([life.begin(), life.begin()]);
  await life.begin();
  assert.equal(built, 1);
  assert.deepEqual(new Set(states.map(state => state.kind)), new Set(['running']));
});

test('a failure is a state with its reason, and the next begin tries again', async () => {
  const { bridge } = fakeBridge();
  let tries = 0;
  const life = createBridgeLife(() =>
    ++tries === 1 ? Promise.reject(new Error('the disk is on fire')) : Promise.resolve(bridge),
  );
  const failed = await life.begin();
  assert.ok(failed.kind === 'failed' && failed.error.message.includes('the disk is on fire'));
  assert.equal((await life.begin()).kind, 'running');
});

test('without trust there is no bridge until it is granted', async () => {
  const { bridge } = fakeBridge();
  let trusted = false;
  const life = createBridgeLife(() => Promise.resolve(trusted ? bridge : ('restricted' as const)));
  assert.deepEqual(await life.begin(), { kind: 'idle', why: 'restricted' });
  trusted = true;
  assert.equal((await life.begin()).kind, 'running');
});

test('stopping while it starts stops what comes of it, and nothing begins afterwards', async () => {
  const { bridge, stops } = fakeBridge();
  const ready = Promise.withResolvers<ServedBridge>();
  const life = createBridgeLife(() => ready.promise);
  const beginning = life.begin();
  const stopped = life.stop();
  ready.resolve(bridge);
  await Promise.all([beginning, stopped]);
  assert.ok(stops() >= 1);
  await life.begin();
  assert.notEqual(life.state().kind, 'starting');
});

test('a restart ends the old bridge before it builds the new one', async () => {
  const first = fakeBridge();
  const second = fakeBridge();
  const made = [first, second];
  const life = createBridgeLife(() => {
    const next = made.shift();
    if (next === second) assert.equal(first.stops(), 1);
    return Promise.resolve(next!.bridge);
  });
  await life.begin();
  await life.restart();
  const state = life.state();
  assert.ok(state.kind === 'running' && state.bridge === second.bridge);
});

test('whoever listens hears every state in its order', async () => {
  const { bridge } = fakeBridge();
  const life = createBridgeLife(() => Promise.resolve(bridge));
  const heard: string[] = [];
  life.onDidChange(state => heard.push(state.kind));
  await life.begin();
  assert.deepEqual(heard, ['starting', 'running']);
});

test('whoever follows sees each state, the present one first, and what is kept for one ends with it', async () => {
  const { bridge } = fakeBridge();
  const life = createBridgeLife(() => Promise.resolve(bridge));
  const told: string[] = [];
  const following = followBridge(life, ({ kind }, alive) => {
    told.push(kind);
    alive.defer(() => told.push(`${kind} ends`));
  });
  await life.begin();
  following[Symbol.dispose]();
  await life.restart();
  assert.deepEqual(told, ['starting', 'starting ends', 'starting', 'starting ends', 'running', 'running ends']);
});
