import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewSurface } from '../../../src/ports/review-surface.ts';
import type { SyncResult } from '../../../src/protocol/sync-result.ts';
import { type HeadlessWorld, startHeadlessWorld } from '../../harness/headless-world.ts';

const lamp = (transparency: number): string =>
  JSON.stringify({ className: 'Part', properties: { Transparency: transparency, Size: [4, 1, 2] } });
const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: {
      $className: 'DataModel',
      ReplicatedStorage: { $path: 'shared' },
      ServerScriptService: { $path: 'server' },
    },
  }),
  'shared/Lamp.model.json': lamp(0.3),
  'server/Main.server.luau': 'print("on disk")\n',
};

/** Applies every review. */
const agreeing: ReviewSurface = {
  async show(review) {
    review.apply(review.snapshot().revision);
  },
};

const world = (): Promise<HeadlessWorld> =>
  startHeadlessWorld(
    files,
    `local storage = game:GetService("ReplicatedStorage")
    local main = Instance.new("Script") main.Name = "Main" main.Source = "print('in Studio')"
    main.Parent = game:GetService("ServerScriptService")
    local lamp = Instance.new("Part") lamp.Name = "Lamp" lamp.Transparency = 0.5 lamp.Size = Vector3.new(4, 1, 2) lamp.Parent = storage
    local box = Instance.new("Folder") box.Name = "Box" box.Parent = storage
    local ball = Instance.new("Part") ball.Name = "Ball" ball.Size = Vector3.new(1, 2.5, 3) ball.Color = Color3.new(1, 0, 0)
    ball:SetAttribute("Weight", 7) ball:AddTag("round") ball.Parent = box
    local inner = Instance.new("ModuleScript") inner.Name = "Inner" inner.Source = "return 'inner'" inner.Parent = ball`,
    { reviewSurface: agreeing },
  );

async function pushAll(both: HeadlessWorld): Promise<SyncResult> {
  const { changes } = await both.sync();
  const overrides = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  const result = await both.sync({ mode: 'fastfail', overrides });
  assert.equal(result.status, 'success', result.summary);
  return result;
}

test('restores all values of an instance that a push removed', async () => {
  await using both = await world();
  const { runId } = await pushAll(both);
  assert.deepEqual(await both.lua('return game.ReplicatedStorage:FindFirstChild("Box") == nil'), [true]);
  const result = await both.sync({ mode: 'manual', restore: { runId, side: 'studio' } });
  assert.equal(result.status, 'success', JSON.stringify(result, null, 1));
  const [source, transparency, size, color, weight, isRound, inner] =
    await both.lua(`local ball = game.ReplicatedStorage.Box.Ball
    return game.ServerScriptService.Main.Source, math.round(game.ReplicatedStorage.Lamp.Transparency * 10), tostring(ball.Size),
      tostring(ball.Color), ball:GetAttribute("Weight"), ball:HasTag("round"), ball.Inner.Source`);
  assert.deepEqual(
    [source, transparency, size, color, weight, isRound, inner],
    ["print('in Studio')", 5, '1, 2.5, 3', '1, 0, 0', 7, true, "return 'inner'"],
  );
  assert.equal(both.bridge.disk.text('shared/Lamp.model.json'), lamp(0.3));
});

test('[P1] keeps a later text in Studio when a push of a property is restored', async () => {
  await using both = await world();
  const setEnabled = (value: boolean): void =>
    both.bridge.disk.set('server/Main.meta.json', JSON.stringify({ properties: { Enabled: value } }));
  setEnabled(false);
  await pushAll(both);
  setEnabled(true);
  const { runId } = await pushAll(both);
  await both.lua('game.ServerScriptService.Main.Source = "print(\'later\')"');
  const result = await both.sync({ mode: 'manual', restore: { runId, side: 'studio' } });
  assert.equal(result.status, 'success', result.summary);
  const values = await both.lua('local main = game.ServerScriptService.Main return main.Enabled, main.Source');
  assert.deepEqual(values, [false, "print('later')"]);
});

test('suggests by the last common version, also for floats that Studio rounds', async () => {
  await using both = await world();
  await pushAll(both);
  assert.equal((await both.sync({ mode: 'standard' })).status, 'empty');
  both.bridge.disk.set('shared/Lamp.model.json', lamp(0.7));
  const [moved] = (await both.sync()).changes;
  assert.deepEqual([moved?.defaultSelection, moved?.defaultReason], ['push', 'base_disk_moved']);
  await both.lua('game.ReplicatedStorage.Lamp.Transparency = 0.1');
  const [torn] = (await both.sync()).changes;
  assert.deepEqual([torn?.defaultSelection, torn?.defaultReason], [null, 'base_both_moved']);
  both.bridge.disk.set('shared/Lamp.model.json', lamp(0.3));
  const [other] = (await both.sync()).changes;
  assert.deepEqual([other?.defaultSelection, other?.defaultReason], ['pull', 'base_studio_moved']);
});

test('reads a script before the first comparison', async () => {
  await using both = await world();
  const { source, fsPath, isDraft } = await both.bridge.engine.readScript(
    { fsPath: 'server/Main.server.luau', fromDraft: false },
    new AbortController().signal,
  );
  assert.deepEqual([source, fsPath, isDraft], ["print('in Studio')", 'server/Main.server.luau', false]);
});
