import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import type { LiveMode } from '../../../src/ports/settings.ts';
import { connectHeadless } from '../../harness/connect-headless.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'server' } },
  }),
  'server/Main.server.luau': 'print("same")\n',
  'server/Lamp.model.json': JSON.stringify({ className: 'Part', properties: { Size: [1, 2, 3] } }),
};
const SETUP = `
local service = game:GetService("ServerScriptService")
local main = Instance.new("Script") main.Name = "Main" main.Source = 'print("same")\\n' main.Parent = service
local lamp = Instance.new("Part") lamp.Name = "Lamp" lamp.Size = Vector3.new(1, 2, 3) lamp.Parent = service`;
const MAIN = 'game.ServerScriptService.Main.Source';

interface World extends AsyncDisposable {
  readonly bridge: TestBridge;
  readonly studio: HeadlessStudio;
  readonly lua: (source: string) => Promise<readonly unknown[]>;
  /** Waits until the chunk returns `expected`. */
  readonly untilLua: (source: string, expected: unknown) => Promise<void>;
}

/** The bridge, and headless Studio over a place that equals the files, in a live session. */
async function world(mode: LiveMode, review?: { shown: number }): Promise<World> {
  const reviewSurface = review && {
    async show() {
      review.shown += 1;
    },
  };
  const settings = defaultSettings({ live: () => mode });
  const bridge = await startBridge(files, { settings, ...(reviewSurface && { reviewSurface }) });
  const { studio, lua, untilLua } = await connectHeadless(bridge, SETUP);
  if (mode !== 'off') await until(() => bridge.live.state().kind === 'on');
  return {
    bridge,
    studio,
    lua,
    untilLua,
    async [Symbol.asyncDispose]() {
      await studio[Symbol.asyncDispose]();
      await bridge[Symbol.asyncDispose]();
    },
  };
}

test('updates scripts, creates instances and removes instances in Studio when files change', async () => {
  await using both = await world('diskToStudio');
  both.bridge.disk.set('server/Main.server.luau', 'print("saved")\n');
  await both.untilLua(MAIN, 'print("saved")\n');
  both.bridge.disk.set('server/New.luau', 'return 1');
  await both.untilLua('game.ServerScriptService:FindFirstChild("New") ~= nil', true);
  both.bridge.disk.delete('server/New.luau');
  await both.untilLua('game.ServerScriptService:FindFirstChild("New") == nil', true);
});

test('[D22] writes an edit in Studio to its file, and does not send it back', async () => {
  await using both = await world('twoWay');
  await both.lua(`${MAIN} = 'print("from Studio")\\n' game.ServerScriptService.Lamp.Size = Vector3.new(4, 5, 6)`);
  await until(() => both.bridge.disk.text('server/Main.server.luau') === 'print("from Studio")\n');
  await until(() => both.bridge.disk.text('server/Lamp.model.json')?.includes('4') === true);
  both.bridge.disk.set('server/Main.server.luau', 'print("and back")\n');
  await both.untilLua(MAIN, 'print("and back")\n');
  assert.equal(both.bridge.disk.text('server/Main.server.luau'), 'print("and back")\n');
});

test('[S3] [D5] asks a person and overwrites neither side when both sides were edited', async () => {
  const review = { shown: 0 };
  await using both = await world('twoWay', review);
  // The file changes before the watcher reports it.
  await both.lua(`${MAIN} = 'print("Studio")\\n'`);
  both.bridge.disk.set('server/Main.server.luau', 'print("disk")\n');
  await until(() => review.shown > 0);
  assert.equal(both.bridge.disk.text('server/Main.server.luau'), 'print("disk")\n');
  assert.deepEqual(await both.lua(`return ${MAIN}`), ['print("Studio")\n']);
  const rows = both.bridge.engine.current()?.review()?.snapshot().rows ?? [];
  assert.deepEqual(
    rows.map(row => row.path),
    ['ServerScriptService/Main'],
  );
});

test('[D26] does not delete the file of a script that leaves its parent for a moment', async () => {
  await using both = await world('twoWay');
  await both.lua('local main = game.ServerScriptService.Main main.Parent = nil main.Parent = game.ServerScriptService');
  await both.lua(`${MAIN} = 'print("after")\\n'`);
  await until(() => both.bridge.disk.text('server/Main.server.luau') === 'print("after")\n');
  const result = await both.bridge.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' }).result;
  assert.equal(result.status, 'empty');
});

test('runs a sync while a live session is open', async () => {
  await using both = await world('twoWay');
  const result = await both.bridge.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' }).result;
  assert.equal(result.status, 'empty');
  await both.lua(`${MAIN} = 'print("later")\\n'`);
  await until(() => both.bridge.disk.text('server/Main.server.luau') === 'print("later")\n');
});

test('starts and stops Live Sync from the editor, and syncs nothing while it is off', async () => {
  await using both = await world('off');
  await until(() => both.bridge.studios.all().length > 0);
  assert.equal(both.bridge.live.state().kind, 'off');
  both.bridge.disk.set('server/Main.server.luau', 'print("saved")\n');
  await both.bridge.session()!.refresh(new AbortController().signal);
  assert.deepEqual(await both.lua(`return ${MAIN}`), ['print("same")\n']);
  both.bridge.disk.set('server/Main.server.luau', 'print("same")\n');
  await both.bridge.session()!.refresh(new AbortController().signal);
  both.bridge.live.setMode('diskToStudio');
  await until(() => both.bridge.live.state().kind === 'on');
  both.bridge.disk.set('server/Main.server.luau', 'print("on")\n');
  await both.untilLua(MAIN, 'print("on")\n');
  both.bridge.live.setMode(undefined);
  assert.equal(both.bridge.live.state().kind, 'off');
});
