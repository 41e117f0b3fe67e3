import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBridgeLifecycle, followBridge } from '../../../src/vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../../src/vscode/served-bridge.ts';
import { settle } from '../../harness/settle.ts';

function fakeBridge(stopping: () => Promise<void> = () => Promise.resolve()): {
  bridge: ServedBridge;
  stops: () => number;
} {
  let stops = 0;
  const bridge = { stop: () => ((stops += 1), stopping()), engine: { current: () => undefined } };
  return { bridge: bridge as unknown as ServedBridge, stops: () => stops };
}
const slowAtTheSecondTime = (): (() => Promise<void>) => {
  let times = 0;
  return () => ((times += 1) === 1 ? Promise.resolve() : settle());
};

test('however often it is begun, one bridge is built', async () => {
  const { bridge } = fakeBridge();
  let built = 0;
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(((built += 1), bridge)));
  const states = await Promise.all([lifecycle.begin(), lifecycle.begin()]);
  await lifecycle.begin();
  assert.equal(built, 1);
  assert.deepEqual(new Set(states.map(state => state.kind)), new Set(['running']));
});

test('a failure is a state with its reason, and the next begin tries again', async () => {
  const { bridge } = fakeBridge();
  let tries = 0;
  const lifecycle = createBridgeLifecycle(() =>
    ++tries === 1 ? Promise.reject(new Error('the disk is on fire')) : Promise.resolve(bridge),
  );
  const failed = await lifecycle.begin();
  assert.ok(failed.kind === 'failed' && failed.error.message.includes('the disk is on fire'));
  assert.equal((await lifecycle.begin()).kind, 'running');
});

test('without trust there is no bridge until it is granted', async () => {
  const { bridge } = fakeBridge();
  let trusted = false;
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(trusted ? bridge : ('restricted' as const)));
  assert.deepEqual(await lifecycle.begin(), { kind: 'idle', why: 'restricted' });
  trusted = true;
  assert.equal((await lifecycle.begin()).kind, 'running');
});

test('stopping while it starts stops what comes of it, and nothing begins afterwards', async () => {
  const { bridge, stops } = fakeBridge();
  const ready = Promise.withResolvers<ServedBridge>();
  const lifecycle = createBridgeLifecycle(() => ready.promise);
  const beginning = lifecycle.begin();
  const stopped = lifecycle.stop();
  ready.resolve(bridge);
  await Promise.all([beginning, stopped]);
  assert.ok(stops() >= 1);
  await lifecycle.begin();
  assert.notEqual(lifecycle.state().kind, 'starting');
});

test('a restart ends the old bridge before it builds the new one', async () => {
  const first = fakeBridge();
  const second = fakeBridge();
  const made = [first, second];
  const lifecycle = createBridgeLifecycle(() => {
    const next = made.shift();
    if (next === second) assert.equal(first.stops(), 1);
    return Promise.resolve(next!.bridge);
  });
  await lifecycle.begin();
  await lifecycle.restart();
  const state = lifecycle.state();
  assert.ok(state.kind === 'running' && state.bridge === second.bridge);
});

test('however many restarts are asked for at once, one bridge is left', async () => {
  const built: ReturnType<typeof fakeBridge>[] = [];
  const lifecycle = createBridgeLifecycle(() => {
    const next = fakeBridge(built.length === 0 ? slowAtTheSecondTime() : undefined);
    built.push(next);
    return Promise.resolve(next.bridge);
  });
  await lifecycle.begin();
  await Promise.all([lifecycle.restart(), lifecycle.restart()]);
  const state = lifecycle.state();
  const left = built.filter(one => one.stops() === 0).map(one => one.bridge);
  assert.deepEqual(left, [state.kind === 'running' ? state.bridge : undefined]);
});

test('restarts that are asked for while it starts are one, which begins after them', async () => {
  const first = fakeBridge();
  const second = fakeBridge();
  const made = [first, second];
  const ready = Promise.withResolvers<void>();
  const lifecycle = createBridgeLifecycle(async () => {
    const next = made.shift();
    assert.ok(next, 'two are enough');
    await ready.promise;
    return next.bridge;
  });
  const asked = [lifecycle.begin(), lifecycle.restartWhenFree(), lifecycle.restartWhenFree()];
  ready.resolve();
  await Promise.all(asked);
  const state = lifecycle.state();
  assert.ok(state.kind === 'running' && state.bridge === second.bridge);
  assert.deepEqual([first.stops(), second.stops()], [1, 0]);
});

test('a sync that runs is not cut off: the restart comes when it has ended', async () => {
  const { bridge, stops } = fakeBridge();
  const ended = Promise.withResolvers<void>();
  let run: { readonly result: Promise<void> } | undefined = { result: ended.promise };
  const busy = Object.assign(bridge, { engine: { current: () => run } });
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(busy));
  await lifecycle.begin();
  const restarted = lifecycle.restartWhenFree();
  await settle();
  assert.equal(stops(), 0);
  run = undefined;
  ended.resolve();
  await restarted;
  assert.equal(stops(), 1);
});

test('a bridge that does not stop is a failure like any other, and rejects nobody', async () => {
  const { bridge } = fakeBridge(() => Promise.reject(new Error('its file cannot be removed')));
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(bridge));
  await lifecycle.begin();
  const state = await lifecycle.restart();
  assert.ok(state.kind === 'failed' && state.error.message.includes('its file cannot be removed'));
});

test('whoever listens hears every state in its order', async () => {
  const { bridge } = fakeBridge();
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(bridge));
  const heard: string[] = [];
  lifecycle.onDidChange(state => heard.push(state.kind));
  await lifecycle.begin();
  assert.deepEqual(heard, ['starting', 'running']);
});

test('whoever follows sees each state, the present one first, and what is kept for one ends with it', async () => {
  const { bridge } = fakeBridge();
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(bridge));
  const told: string[] = [];
  const following = followBridge(lifecycle, ({ kind }, alive) => {
    told.push(kind);
    alive.defer(() => told.push(`${kind} ends`));
  });
  await lifecycle.begin();
  following[Symbol.dispose]();
  await lifecycle.restart();
  assert.deepEqual(told, ['starting', 'starting ends', 'starting', 'starting ends', 'running', 'running ends']);
});

test('never reports a bridge as running that was stopped while it started', async () => {
  const { bridge, stops } = fakeBridge();
  const ready = Promise.withResolvers<ServedBridge>();
  const lifecycle = createBridgeLifecycle(() => ready.promise);
  const states: string[] = [];
  lifecycle.onDidChange(({ kind }) => states.push(kind));
  const beginning = lifecycle.begin();
  const stopped = lifecycle.stop();
  ready.resolve(bridge);
  await Promise.all([beginning, stopped]);
  assert.ok(!states.includes('running'));
  assert.equal(stops(), 1);
});
