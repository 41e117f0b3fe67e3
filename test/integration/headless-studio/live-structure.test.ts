import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewSurface } from '../../../src/ports/review-surface.ts';
import { liveWorld } from '../../harness/live-world.ts';
import { projectPath } from '../../harness/project-world.ts';
import { until } from '../../harness/until.ts';

const create = (className: string, name: string, rest = '') =>
  `local new = Instance.new("${className}") new.Name = "${name}" ${rest} new.Parent = game:GetService("ServerScriptService")`;
const NEW = 'game.ServerScriptService.New.Source';

test('[live-structure] creates the file of a script created in Studio, and keeps both in sync', async () => {
  await using both = await liveWorld();
  await both.lua(create('ModuleScript', 'New', 'new.Source = "return 1\\n"'));
  await both.untilText('server/New.luau', 'return 1\n');
  await both.untilLearned('New', 'return 1\n');
  await both.lua(`${NEW} = "return 2\\n"`);
  await both.untilText('server/New.luau', 'return 2\n');
  await both.save('New.luau', 'return 3\n');
  await both.untilLua(NEW, 'return 3\n');
  await both.untilLearned('New', 'return 3\n');
  assert.deepEqual([both.needed, both.written], [[], ['ServerScriptService/New']]);
  both.bridge.live.setMode('off');
  await both.lua(`${NEW} = "return 4\\n"`);
  assert.deepEqual(await both.reasons(), { New: 'base_studio_moved' });
});

test('creates the files of a folder with everything in it, as one entry that can be restored', async () => {
  const reviewSurface: ReviewSurface = {
    async show(review) {
      review.apply(review.snapshot().revision);
    },
  };
  await using both = await liveWorld({}, { reviewSurface });
  await both.lua(`${create('Folder', 'Kit')}
    for _, name in { "A", "B" } do
      local script = Instance.new("ModuleScript") script.Name = name script.Source = name script.Parent = new
    end`);
  await both.untilText('server/Kit/A.luau', 'A');
  await both.untilText('server/Kit/B.luau', 'B');
  await until(() => both.written.length > 0);
  assert.deepEqual([both.needed, both.written], [[], ['ServerScriptService/Kit']]);
  assert.equal((await both.sync('dryrun')).status, 'empty');
  const [entry, ...others] = await both.bridge.engine.history(10);
  assert.deepEqual([entry?.requestedBy, others], ['Live Sync', []]);
  assert.equal(entry?.place.name, 'New Folder Kit');
  both.bridge.live.setMode('off');
  const restore = { runId: entry?.runId ?? '', side: 'disk' } as const;
  const run = both.bridge.engine.start({ mode: 'standard', overrides: [], requestedBy: 'test', restore });
  assert.equal((await run.result).status, 'success');
  assert.equal(await both.bridge.disk.stat(projectPath('server/Kit')), undefined);
});

for (const mode of ['twoWay', 'off'] as const)
  test(`says in the review of a restore whether Studio follows: Live Sync ${mode}`, async () => {
    const warnings: (readonly string[])[] = [];
    const reviewSurface: ReviewSurface = {
      async show(review) {
        warnings.push(review.snapshot().warnings);
        review.apply(review.snapshot().revision);
      },
    };
    await using both = await liveWorld({}, { reviewSurface });
    await both.lua(create('Folder', 'Kit'));
    await until(() => both.written.length > 0);
    const [entry] = await both.bridge.engine.history(1);
    both.bridge.live.setMode(mode);
    const restore = { runId: entry?.runId ?? '', side: 'disk' } as const;
    await both.bridge.engine.start({ mode: 'standard', overrides: [], requestedBy: 'test', restore }).result;
    const follows = 'Live Sync is on, so Studio gets every change of this restore too, including deletions.';
    assert.deepEqual(warnings, [mode === 'off' ? [] : [follows]]);
    const kit = 'game.ServerScriptService:FindFirstChild("Kit") == nil';
    await both.untilLua(kit, mode !== 'off');
  });

test('creates the file of a large model created in Studio', async () => {
  await using both = await liveWorld();
  await both.lua(
    create(
      'Model',
      'Large',
      `for index = 1, 900 do
        local part = Instance.new("Part") part.Name = "Part" .. index part.Size = Vector3.new(index, 2, 3)
        part.CFrame = CFrame.new(index, 0, 0) part.Color = Color3.new(0, 1, index / 900) part.Parent = new
      end`,
    ),
  );
  await until(() => both.written.length > 0);
  assert.deepEqual([both.needed, both.written], [[], ['ServerScriptService/Large']]);
  assert.match(both.bridge.disk.text('server/Large.model.json') ?? '', /Part900/);
});

test('writes what was edited in a new script before the bridge knew it', async () => {
  await using both = await liveWorld();
  await both.lua(`${create('ModuleScript', 'New', 'new.Source = "1"')}
    for step = 2, 20 do task.wait(0.05) new.Source = tostring(step) end`);
  await both.untilText('server/New.luau', '20');
  await until(() => both.written.length > 0);
  assert.deepEqual([both.needed, both.written], [[], ['ServerScriptService/New']]);
});

test('creates the files of instances that were created below a new one', async () => {
  await using both = await liveWorld();
  await both.lua(`${create('Folder', 'Kit')}
    for step = 1, 10 do
      task.wait(0.05)
      local script = Instance.new("ModuleScript") script.Name = "S" .. step script.Source = "x" script.Parent = new
    end`);
  await both.untilText('server/Kit/S10.luau', 'x');
  await both.untilText('server/Kit/S5.luau', 'x');
  assert.deepEqual(both.needed, []);
});

test('asks a person when Live Sync would delete, or cannot distinguish two instances', async () => {
  await using both = await liveWorld();
  await both.lua('game.ServerScriptService.Other:Destroy()');
  await until(() => both.needed.length === 1);
  await both.lua(create('ModuleScript', 'Main'));
  await until(() => both.needed.length === 2);
  assert.equal(both.bridge.disk.text('server/Other.server.luau'), 'print("other")\n');
  assert.deepEqual(both.needed, [
    'Other was removed in Studio',
    'ServerScriptService.Main was created in Studio, but its parent has two children named Main',
  ]);
});

test('leaves instances in Studio that the syncback rules of the project exclude', async () => {
  await using both = await liveWorld({ syncbackRules: { ignoreTrees: ['ServerScriptService/Kit'] } });
  await both.lua(create('Folder', 'Kit'));
  await both.lua(create('ModuleScript', 'New', 'new.Source = "1"'));
  await both.untilText('server/New.luau', '1');
  await until(() => both.written.length > 0);
  assert.deepEqual([both.needed, both.written], [[], ['ServerScriptService/New']]);
});

test('renames the files of an instance that was renamed in Studio, with everything in it', async () => {
  await using both = await liveWorld();
  await both.lua(`${create('Folder', 'Kit')}
    local script = Instance.new("ModuleScript") script.Name = "A" script.Source = "1" script.Parent = new`);
  await both.untilText('server/Kit/A.luau', '1');
  await both.untilLua('game.ServerScriptService:FindFirstChild("Kit") ~= nil', true);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  await both.lua('game.ServerScriptService.Kit.Name = "Tools" game.ServerScriptService.Main.Name = "Start"');
  await both.untilText('server/Tools/A.luau', '1');
  await both.untilText('server/Start.server.luau', 'print("same")\n');
  await both.untilText('server/Kit/A.luau', undefined);
  await both.untilText('server/Main.server.luau', undefined);
  // Both names stay in sync.
  await both.lua('game.ServerScriptService.Tools.A.Source = "2"');
  await both.untilText('server/Tools/A.luau', '2');
  await both.save('Start.server.luau', 'print("disk")\n');
  await both.untilLua('game.ServerScriptService.Start.Source', 'print("disk")\n');
  assert.deepEqual(both.needed, []);
});

test('creates a script with the name that another one had before it was renamed', async () => {
  await using both = await liveWorld();
  await both.lua(
    `game.ServerScriptService.Main.Name = "Old" ${create('Script', 'Main', 'new.Source = "print(\\"new\\")\\n"')}`,
  );
  await both.untilText('server/Main.server.luau', 'print("new")\n');
  await both.untilText('server/Old.server.luau', 'print("same")\n');
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  assert.deepEqual(both.needed, []);
});

test('asks a person when the new name exists on disk', async () => {
  await using both = await liveWorld();
  await both.save('Taken.luau', 'return 1\n');
  await both.untilLua('game.ServerScriptService:FindFirstChild("Taken") ~= nil', true);
  await both.lua('game.ServerScriptService.Main.Name = "Taken"');
  await until(() => both.needed.length > 0);
  assert.equal(both.bridge.disk.text('server/Main.server.luau'), 'print("same")\n');
  assert.deepEqual(both.needed, [
    'ServerScriptService.Taken was renamed in Studio, but its parent has two children named Taken',
  ]);
});

test('sends a file to the instance that a sync has renamed, not to the one that it has removed', async () => {
  await using both = await liveWorld();
  const { disk, engine } = both.bridge;
  disk.delete('server/Main.server.luau');
  disk.set('server/New.server.luau', 'print("same")\n');
  await both.lua(create('Script', 'New', 'new.Source = "print(\\"Studio\\")\\n"'));
  const { changes } = await both.sync('dryrun');
  const overrides = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  assert.equal((await engine.start({ mode: 'fastfail', overrides, requestedBy: 'test' }).result).status, 'success');
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  await both.save('New.server.luau', 'print("later")\n');
  await both.untilLua(NEW, 'print("later")\n');
  await both.lua(`${NEW} = "print(1)\\n"`);
  await both.untilText('server/New.server.luau', 'print(1)\n');
});

test('knows the side that changed after Live Sync renamed a script', async () => {
  await using both = await liveWorld();
  await both.lua('game.ServerScriptService.Main.Source = "1"');
  await both.untilLearned('Main', '1');
  await both.lua('game.ServerScriptService.Main.Name = "Start"');
  await both.untilLearned('Start', '1');
  both.bridge.live.setMode('off');
  await both.lua('game.ServerScriptService.Start.Source = "2"');
  assert.deepEqual(await both.reasons(), { Start: 'base_studio_moved' });
});

for (const [direction, text] of [
  ['pull', 'print("studio")\n'],
  ['push', 'print("disk")\n'],
] as const)
  test(`syncs a script again after a person decided its difference with a ${direction}`, async () => {
    const reviewSurface: ReviewSurface = {
      async show(review) {
        review.choose(
          review.snapshot().rows.map(({ id }) => id),
          direction,
        );
        review.apply(review.snapshot().revision);
      },
    };
    await using both = await liveWorld({}, { reviewSurface });
    both.bridge.live.setMode('off');
    assert.equal((await both.sync('dryrun')).status, 'empty');
    await both.save('Main.server.luau', 'print("disk")\n');
    await both.lua('game.ServerScriptService.Main.Source = "print(\\"studio\\")\\n"');
    both.bridge.live.setMode('twoWay');
    // The review that Live Sync starts decides.
    await until(() => both.needed.length > 0);
    await both.untilText('server/Main.server.luau', text);
    await both.untilLua(`game.ServerScriptService.Main.Source == ${JSON.stringify(text)}`, true);
    await until(() => both.bridge.engine.current() === undefined);
    assert.equal((await both.sync('dryrun')).status, 'empty');
    await both.lua('game.ServerScriptService.Main.Name = "Again"');
    await both.untilText('server/Again.server.luau', text);
    await both.untilText('server/Main.server.luau', undefined);
    assert.deepEqual(both.needed, ['1 instance differs between disk and Studio']);
  });
