import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HeadlessWorld, startHeadlessWorld } from '../../harness/headless-world.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: {
      $className: 'DataModel',
      ReplicatedStorage: { $path: 'shared' },
      ServerScriptService: { $path: 'server' },
    },
  }),
  'shared/Config.luau': 'return { speed = 16 }\n',
  'shared/Deep/Inner.luau': 'return "inner"\n',
  'server/Main.server.luau': 'print("on disk")\n',
};

/** The bridge over a small project, and headless Studio over a real place whose Main differs from disk. */
const world = (): Promise<HeadlessWorld> =>
  startHeadlessWorld(
    files,
    `local main = Instance.new("Script") main.Name = "Main" main.Source = "print('in Studio')"
    main.Parent = game:GetService("ServerScriptService")
    local extra = Instance.new("ModuleScript") extra.Name = "Extra" extra.Source = "return 'extra'"
    extra.Parent = game:GetService("ReplicatedStorage")`,
  );

test('compares the place with the project in headless Studio', async () => {
  await using both = await world();
  const result = await both.sync();
  assert.equal(result.status, 'dryrun', JSON.stringify(result.error));
  assert.deepEqual(result.changes.map(change => `${change.patchType} ${change.path}`).toSorted(), [
    'Add ReplicatedStorage/Config',
    'Add ReplicatedStorage/Deep',
    'Add ReplicatedStorage/Deep/Inner',
    'Edit ServerScriptService/Main',
    'Remove ReplicatedStorage/Extra',
  ]);
});

test('pushes to the place and pulls to the files until both sides are equal', async () => {
  await using both = await world();
  const dry = await both.sync();
  const overrides = dry.changes.map(change => ({
    id: change.id,
    direction: change.patchType === 'Remove' ? ('pull' as const) : ('push' as const),
    ...(change.studioHash === undefined ? {} : { studioHash: change.studioHash }),
  }));
  const result = await both.sync({ mode: 'fastfail', overrides });
  assert.equal(result.status, 'success', JSON.stringify(result, null, 1));
  assert.deepEqual(
    await both.lua(
      `return game.ServerScriptService.Main.Source, game.ReplicatedStorage.Config.Source,
        game.ReplicatedStorage.Deep.ClassName, game.ReplicatedStorage.Deep.Inner.Source`,
    ),
    ['print("on disk")\n', 'return { speed = 16 }\n', 'Folder', 'return "inner"\n'],
  );
  assert.equal(both.bridge.disk.text('shared/Extra.luau'), "return 'extra'");
  assert.equal((await both.sync()).status, 'empty');
});

test('reports the disconnect when Studio is killed during a run', async () => {
  await using both = await world();
  await both.studio.kill();
  await until(() => both.bridge.studios.all().length === 0);
  assert.equal((await both.sync()).status, 'not_connected');
});
