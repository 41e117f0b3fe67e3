import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBridgeLifecycle, followBridge, followBridges } from '../../../src/vscode/bridge-lifecycle.ts';
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
/** A lifecycle with a running bridge. `built`: all bridges that it has started. */
async function runningLifecycle() {
  const built: ReturnType<typeof fakeBridge>[] = [];
  const lifecycle = createBridgeLifecycle(() => {
    const next = fakeBridge();
    built.push(next);
    return Promise.resolve(next.bridge);
  });
  await lifecycle.begin();
  return { lifecycle, built };
}
const slowAtTheSecondTime = (): (() => Promise<void>) => {
  let times = 0;
  return () => ((times += 1) === 1 ? Promise.resolve() : settle());
};

test('builds one bridge for many calls of begin', async () => {
  const { bridge } = fakeBridge();
  let built = 0;
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(((built += 1), bridge)));
  const states = await Promise.all([lifecycle.begin(), lifecycle.begin()]);
  await lifecycle.begin();
  assert.equal(built, 1);
  assert.deepEqual(new Set(states.map(state => state.kind)), new Set(['running']));
});

test('enters the failed state with a reason, and retries on the next begin', async () => {
  const { bridge } = fakeBridge();
  let tries = 0;
  const lifecycle = createBridgeLifecycle(() =>
    ++tries === 1 ? Promise.reject(new Error('the disk is on fire')) : Promise.resolve(bridge),
  );
  const failed = await lifecycle.begin();
  assert.ok(failed.kind === 'failed' && failed.error.message.includes('the disk is on fire'));
  assert.equal((await lifecycle.begin()).kind, 'running');
});

test('starts no bridge until the workspace is trusted', async () => {
  const { bridge } = fakeBridge();
  let trusted = false;
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(trusted ? bridge : ('restricted' as const)));
  assert.deepEqual(await lifecycle.begin(), { kind: 'idle', why: 'restricted' });
  trusted = true;
  assert.equal((await lifecycle.begin()).kind, 'running');
});

test('stops a bridge that was still starting, and starts none afterwards', async () => {
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

test('stops the old bridge before a restart builds the new one', async () => {
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

test('leaves one bridge after many concurrent restarts', async () => {
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

test('combines restarts requested during the start into one', async () => {
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

test('restarts only after the running sync has ended', async () => {
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

test('suspends the bridges of a window until it comes back', async () => {
  const { lifecycle, built } = await runningLifecycle();
  const returned = Promise.withResolvers<void>();
  const resumed = lifecycle.suspend(returned.promise);
  await settle();
  assert.deepEqual([lifecycle.state().kind, lifecycle.bridges().length, built[0]?.stops()], ['starting', 0, 1]);
  returned.resolve();
  assert.equal((await resumed).kind, 'running');
  assert.equal(built.length, 2);
});

test('keeps the bridge that a suspended window was asked for before it came back', async () => {
  const { lifecycle, built } = await runningLifecycle();
  const returned = Promise.withResolvers<void>();
  const resumed = lifecycle.suspend(returned.promise);
  await settle();
  await lifecycle.begin();
  returned.resolve();
  await resumed;
  assert.deepEqual(
    built.map(one => one.stops()),
    [1, 0],
  );
});

test('keeps the bridge of a restart that is faster than the end of the suspended bridges', async () => {
  const slow = Promise.withResolvers<void>();
  const first = fakeBridge(() => slow.promise);
  const second = fakeBridge();
  const waiting = [first, second, fakeBridge()];
  let built = 0;
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(waiting[built++]!.bridge));
  await lifecycle.begin();
  const returned = Promise.withResolvers<void>();
  const resumed = lifecycle.suspend(returned.promise);
  await settle();
  await lifecycle.restart();
  slow.resolve();
  returned.resolve();
  await resumed;
  assert.deepEqual([built, second.stops(), lifecycle.bridges().length], [2, 0, 1]);
});

/** A run that ends when `end` is called; `cancels` counts the requests to end it before. */
function busyBridge() {
  const { bridge, stops } = fakeBridge();
  const ended = Promise.withResolvers<void>();
  let cancels = 0;
  let run: object | undefined = { result: ended.promise, cancel: () => (cancels += 1) };
  return {
    bridge: Object.assign(bridge, { engine: { current: () => run } }) as unknown as ServedBridge,
    stops,
    cancels: () => cancels,
    end() {
      run = undefined;
      ended.resolve();
    },
  };
}

test('suspends a bridge only when its run has ended, which may be writing', async () => {
  const busy = busyBridge();
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(busy.bridge));
  await lifecycle.begin();
  void lifecycle.suspend(new Promise(() => {}));
  await settle();
  assert.deepEqual([busy.stops(), busy.cancels()], [0, 1], 'a review ends, and writes are completed');
  busy.end();
  await settle();
  assert.equal(busy.stops(), 1);
});

test('keeps the bridge of a window that comes back while its run is writing', async () => {
  const busy = busyBridge();
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(busy.bridge));
  await lifecycle.begin();
  const returned = Promise.withResolvers<void>();
  const suspended = lifecycle.suspend(returned.promise);
  await settle();
  returned.resolve();
  await settle();
  busy.end();
  assert.equal((await suspended).kind, 'running');
  assert.equal(busy.stops(), 0);
});

test('starts no bridge for a suspended window that was closed', async () => {
  let built = 0;
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(((built += 1), fakeBridge().bridge)));
  await lifecycle.begin();
  const returned = Promise.withResolvers<void>();
  const resumed = lifecycle.suspend(returned.promise);
  await settle();
  await lifecycle.stop();
  returned.resolve();
  await resumed;
  assert.equal(built, 1);
});

test('enters the failed state without rejecting when a bridge fails to stop', async () => {
  const { bridge } = fakeBridge(() => Promise.reject(new Error('its file cannot be removed')));
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(bridge));
  await lifecycle.begin();
  const state = await lifecycle.restart();
  assert.ok(state.kind === 'failed' && state.error.message.includes('its file cannot be removed'));
});

test('notifies listeners of every state in order', async () => {
  const { bridge } = fakeBridge();
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(bridge));
  const heard: string[] = [];
  lifecycle.onDidChange(state => heard.push(state.kind));
  await lifecycle.begin();
  assert.deepEqual(heard, ['starting', 'running']);
});

test('calls followers with the current and every later state, and disposes what a state owns', async () => {
  const { bridge } = fakeBridge();
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(bridge));
  const events: string[] = [];
  const following = followBridge(lifecycle, ({ kind }, alive) => {
    events.push(kind);
    alive.defer(() => events.push(`${kind} ends`));
  });
  await lifecycle.begin();
  following[Symbol.dispose]();
  await lifecycle.restart();
  assert.deepEqual(events, ['starting', 'starting ends', 'starting', 'starting ends', 'running', 'running ends']);
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

test('keeps all bridges running while another one becomes active', async () => {
  const [first, second] = [fakeBridge(), fakeBridge()];
  const activated: ServedBridge[] = [];
  const lifecycle = createBridgeLifecycle(
    () => Promise.resolve(first.bridge),
    bridge => activated.push(bridge),
  );
  await lifecycle.begin();
  const active: unknown[] = [];
  lifecycle.onDidChange(state => active.push(state.kind === 'running' && state.bridge));
  await lifecycle.add(() => Promise.resolve(second.bridge));
  assert.deepEqual(lifecycle.bridges(), [first.bridge, second.bridge]);
  lifecycle.activate(second.bridge);
  lifecycle.activate(second.bridge);
  assert.deepEqual([active, activated], [[second.bridge], [second.bridge]]);
  await lifecycle.remove(second.bridge);
  assert.deepEqual([first.stops(), second.stops()], [0, 0]);
  await lifecycle.remove(first.bridge);
  assert.deepEqual([first.stops(), lifecycle.bridges()], [1, [second.bridge]]);
  lifecycle.activate(first.bridge);
  assert.equal(active.length, 1);
});

test('stops every bridge on a restart, also one that is still starting', async () => {
  const [first, second, late] = [fakeBridge(), fakeBridge(), fakeBridge()];
  const made = [first, fakeBridge()];
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(made.shift()!.bridge));
  await lifecycle.begin();
  await lifecycle.add(() => Promise.resolve(second.bridge));
  const ready = Promise.withResolvers<ServedBridge>();
  const adding = lifecycle.add(() => ready.promise);
  const restarted = lifecycle.restart();
  await settle();
  assert.equal(await lifecycle.add(() => Promise.reject(new Error('never called'))), undefined);
  ready.resolve(late.bridge);
  await adding;
  await restarted;
  assert.deepEqual([first.stops(), second.stops(), late.stops()], [1, 1, 1]);
  assert.equal(lifecycle.bridges().length, 1);
});

test('follows each bridge from its start to its end', async () => {
  const [first, second] = [fakeBridge(), fakeBridge()];
  const lifecycle = createBridgeLifecycle(() => Promise.resolve(first.bridge));
  const alive = new Set<ServedBridge>();
  using _following = followBridges(lifecycle, (bridge, own) => {
    alive.add(bridge);
    own.defer(() => alive.delete(bridge));
  });
  await lifecycle.begin();
  await lifecycle.add(() => Promise.resolve(second.bridge));
  assert.deepEqual(alive, new Set([first.bridge, second.bridge]));
  lifecycle.activate(second.bridge);
  await lifecycle.remove(first.bridge);
  assert.deepEqual(alive, new Set([second.bridge]));
  await lifecycle.stop();
  assert.deepEqual(alive, new Set());
});

/** A lifecycle whose first bridge is reported up to the first pause when this resolves. */
async function reportedInParts() {
  const [first, second] = [fakeBridge().bridge, fakeBridge().bridge];
  const turn = Promise.withResolvers<void>();
  const lifecycle = createBridgeLifecycle(
    () => Promise.resolve(first),
    undefined,
    async work => {
      for (const _ of work) await turn.promise;
    },
  );
  const events: unknown[] = [];
  lifecycle.onDidChangeBridges(() => events.push('bridges'));
  for (const name of ['a', 'b'])
    lifecycle.onDidChange(state => events.push(state.kind === 'running' ? [name, state.bridge] : state.kind));
  const beginning = lifecycle.begin();
  await settle();
  return { lifecycle, events, first, second, beginning, turn };
}

test('[P6] pauses after each listener of the first bridge', async () => {
  const { lifecycle, events, first, beginning, turn } = await reportedInParts();
  assert.deepEqual(events, ['starting', 'starting', 'bridges']);
  assert.deepEqual(lifecycle.state(), { kind: 'running', bridge: first }, 'as the list of bridges says');
  turn.resolve();
  await beginning;
  assert.deepEqual(events.slice(3), [
    ['a', first],
    ['b', first],
  ]);
});

test('reports only the second bridge when it becomes active before all listeners know the first', async () => {
  const { lifecycle, events, second, beginning, turn } = await reportedInParts();
  await lifecycle.add(() => Promise.resolve(second));
  lifecycle.activate(second);
  turn.resolve();
  assert.deepEqual(await beginning, { kind: 'running', bridge: second });
  assert.deepEqual(events.slice(3), ['bridges', ['a', second], ['b', second]]);
});
