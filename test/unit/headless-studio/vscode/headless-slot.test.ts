import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBridgeLifecycle } from '../../../../src/vscode/bridge-lifecycle.ts';
import { createHeadlessSlot } from '../../../../src/headless-studio/vscode/headless-slot.ts';
import type { PlaceStudio } from '../../../../src/headless-studio/vscode/place-studio.ts';
import type { ServedBridge } from '../../../../src/vscode/served-bridge.ts';
import { Emitter } from '../../../../src/base/emitter.ts';

function world() {
  const made: ReturnType<typeof fakeStudio>[] = [];
  let port = 1000;
  const lifecycle = createBridgeLifecycle(() => {
    port += 1;
    const bridge = { studioUrl: `http://127.0.0.1:${port}`, stop: () => Promise.resolve() };
    return Promise.resolve(bridge as unknown as ServedBridge);
  });
  const slot = createHeadlessSlot(lifecycle, place => {
    const one = fakeStudio(place);
    made.push(one);
    return Promise.resolve(one.studio);
  });
  return { lifecycle, slot, made };
}

function fakeStudio(place: string) {
  const statuses = new Emitter<string>();
  const { promise: terminated, resolve } = Promise.withResolvers<{ kind: string; reason: string }>();
  const ports: number[] = [];
  let closed = 0;
  const studio: PlaceStudio = {
    instances: 3,
    onLog: new Emitter<{ level: string; message: string }>().event,
    onStatus: statuses.event,
    status: () => 'disconnected',
    connect: port => void ports.push(port),
    run: () => Promise.resolve({ ok: true, values: [], printed: [] }),
    format: () => Promise.resolve(new Uint8Array()),
    terminated,
    [Symbol.asyncDispose]: () => Promise.resolve(void (closed += 1)),
  };
  return {
    place,
    studio,
    ports,
    statuses,
    end: (reason: string) => resolve({ kind: 'failed', reason }),
    closed: () => closed,
  };
}

test('connects an opened place to the bridge, and reconnects when the bridge moves', async () => {
  const { lifecycle, slot, made } = world();
  await lifecycle.begin();
  await slot.open('/a.rbxl');
  await lifecycle.restart();
  assert.deepEqual(made[0]?.ports, [1001, 1002]);
});

test('keeps the connection of the open place when another project becomes active', async () => {
  const { lifecycle, slot, made } = world();
  await lifecycle.begin();
  await slot.open('/a.rbxl');
  const other = { studioUrl: 'http://127.0.0.1:2000', stop: () => Promise.resolve() } as unknown as ServedBridge;
  await lifecycle.add(() => Promise.resolve(other));
  lifecycle.activate(other);
  assert.deepEqual(made[0]?.ports, [1001]);
  await lifecycle.restart();
  assert.deepEqual(made[0]?.ports, [1001, 1002]);
});

test('keeps one place open at a time', async () => {
  const { slot, made } = world();
  await slot.open('/a.rbxl');
  await slot.open('/b.rbxl');
  assert.equal(slot.current()?.place, '/b.rbxl');
  assert.deepEqual(
    made.map(one => one.closed()),
    [1, 0],
  );
  await Promise.all([slot.open('/c.rbxl'), slot.open('/d.rbxl')]);
  assert.equal(slot.current()?.place, '/d.rbxl');
  assert.deepEqual(
    made.map(one => one.closed()),
    [1, 1, 1, 0],
  );
});

test('leaves a released place open when the window closes', async () => {
  const { slot, made } = world();
  await slot.open('/a.rbxl');
  const released = slot.release();
  slot[Symbol.dispose]();
  assert.equal(released?.place, '/a.rbxl');
  assert.equal(slot.current(), undefined);
  assert.equal(made[0]?.closed(), 0);
});

test('reports a Studio that ends unexpectedly, but not one that is closed', async () => {
  const { slot, made } = world();
  const failures: string[] = [];
  slot.onDidFail(reason => failures.push(reason));
  await slot.open('/a.rbxl');
  made[0]?.end('out of memory');
  await made[0]?.studio.terminated;
  assert.deepEqual(failures, ['out of memory']);
  assert.equal(slot.current(), undefined);
  await slot.open('/b.rbxl');
  await slot.close();
  made[1]?.end('it was stopped');
  await made[1]?.studio.terminated;
  assert.deepEqual(failures, ['out of memory']);
});

test('closes its Studio with the window, even one that is still opening', async () => {
  const { slot, made } = world();
  const opening = slot.open('/a.rbxl');
  slot[Symbol.dispose]();
  await opening.catch(() => undefined);
  assert.equal(made[0]?.closed(), 1);
  assert.equal(slot.current(), undefined);
});
