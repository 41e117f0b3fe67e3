import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SyncInput, SyncResult } from '../../../src/protocol/sync.ts';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const place = fileURLToPath(new URL('../../fixtures/places/baseplate-566/xml.rbxlx', import.meta.url));
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

/** The bridge over a small project, and headless Studio over a real place, in which Main is another one than on disk. */
async function world(): Promise<{ bridge: TestBridge; studio: HeadlessStudio } & AsyncDisposable> {
  const bridge = await startBridge(files);
  const port = Number(new URL(bridge.studioUrl).port);
  const studio = await startHeadlessStudio({ ...bundledFiles(), place, log: memoryLog() });
  await lua(
    studio,
    `local main = Instance.new("Script") main.Name = "Main" main.Source = "print('in Studio')"
    main.Parent = game:GetService("ServerScriptService")
    local extra = Instance.new("ModuleScript") extra.Name = "Extra" extra.Source = "return 'extra'"
    extra.Parent = game:GetService("ReplicatedStorage")`,
  );
  studio.connect(port);
  await until(() => bridge.studios.all().length > 0);
  return {
    bridge,
    studio,
    async [Symbol.asyncDispose]() {
      await studio[Symbol.asyncDispose]();
      await bridge[Symbol.asyncDispose]();
    },
  };
}

async function lua(studio: HeadlessStudio, source: string): Promise<readonly unknown[]> {
  const result = await studio.run(source);
  assert.ok(result.ok, result.ok ? '' : result.error.message);
  return result.values.map(value => value.json);
}

function sync(bridge: TestBridge, input: Partial<SyncInput>): Promise<SyncResult> {
  return bridge.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test', ...input }).result;
}

test('the plugin in headless Studio compares the place with the project', async () => {
  await using both = await world();
  const result = await sync(both.bridge, { mode: 'dryrun' });
  assert.equal(result.status, 'dryrun', JSON.stringify(result.error));
  assert.deepEqual(result.changes.map(change => `${change.patchType} ${change.path}`).toSorted(), [
    'Add ReplicatedStorage/Config',
    'Add ReplicatedStorage/Deep',
    'Add ReplicatedStorage/Deep/Inner',
    'Edit ServerScriptService/Main',
    'Remove ReplicatedStorage/Extra',
  ]);
});

test('pushes change the place and pulls change the files, and then both sides are the same', async () => {
  await using both = await world();
  const dry = await sync(both.bridge, { mode: 'dryrun' });
  const overrides = dry.changes.map(change => ({
    id: change.id,
    direction: change.patchType === 'Remove' ? ('pull' as const) : ('push' as const),
    ...(change.studioHash === undefined ? {} : { studioHash: change.studioHash }),
  }));
  const result = await sync(both.bridge, { mode: 'fastfail', overrides });
  assert.equal(result.status, 'success', JSON.stringify(result, null, 1));
  assert.deepEqual(
    await lua(
      both.studio,
      `return game.ServerScriptService.Main.Source, game.ReplicatedStorage.Config.Source,
        game.ReplicatedStorage.Deep.ClassName, game.ReplicatedStorage.Deep.Inner.Source`,
    ),
    ['print("on disk")\n', 'return { speed = 16 }\n', 'Folder', 'return "inner"\n'],
  );
  assert.equal(both.bridge.disk.text('shared/Extra.luau'), "return 'extra'");
  assert.equal((await sync(both.bridge, { mode: 'dryrun' })).status, 'empty');
});

test('Studio killed in the middle leaves a bridge that says so', async () => {
  await using both = await world();
  await both.studio.kill();
  await until(() => both.bridge.studios.all().length === 0);
  assert.equal((await sync(both.bridge, { mode: 'dryrun' })).status, 'not_connected');
});
