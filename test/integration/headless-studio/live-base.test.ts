import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { MemoryBaseStore } from '../../harness/memory-base-store.ts';
import { testKey } from '../../harness/memory-studio-keys.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));
const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'server' } },
  }),
  'server/Main.server.luau': 'print("same")\n',
  'server/Other.server.luau': 'print("other")\n',
};
const SETUP = `
for name, source in { Main = 'print("same")\\n', Other = 'print("other")\\n' } do
  local script = Instance.new("Script") script.Name = name script.Source = source
  script.Parent = game:GetService("ServerScriptService")
end`;
const MAIN = 'game.ServerScriptService.Main.Source';

/** The bridge in a two-way live session with headless Studio, over a place that equals the files. */
async function world() {
  const bases = new MemoryBaseStore();
  const bridge = await startBridge(files, { settings: defaultSettings({ live: () => 'twoWay' }), bases });
  const studio = await startHeadlessStudio({ ...bundledFiles(), place, key: async () => testKey, log: memoryLog() });
  const lua = async (source: string): Promise<readonly unknown[]> => {
    const result = await studio.run(source);
    assert.ok(result.ok, result.ok ? '' : result.error.message);
    return result.values.map(value => value.json);
  };
  await lua(SETUP);
  studio.connect(Number(new URL(bridge.studioUrl).port));
  await until(() => bridge.live.state().kind === 'on');
  const sync = (mode: 'dryrun' | 'standard') =>
    bridge.engine.start({ mode, overrides: [], requestedBy: 'test' }).result;
  return {
    bridge,
    bases,
    lua,
    async untilLua(source: string, expected: unknown) {
      for (let found; found !== expected;) [found] = await lua(`task.wait() return ${source}`);
    },
    sync,
    /** The reason for the default of each change, by path. */
    async reasons() {
      const { changes } = await sync('dryrun');
      return Object.fromEntries(changes.map(({ path, defaultReason }) => [path.split('/').at(-1), defaultReason]));
    },
    async save(name: string, text: string) {
      bridge.disk.set(`server/${name}`, text);
      await bridge.session()?.refresh(new AbortController().signal);
    },
    /** Resolves when the base of a script has the text. */
    untilLearned: (name: string, text: string) =>
      until(async () => {
        const [states] = await Promise.all(bases.places().map(one => bases.load(one)));
        return states?.get(`ServerScriptService/${name}`)?.source === nodeHasher.gitBlob(Buffer.from(text));
      }),
    async [Symbol.asyncDispose]() {
      await studio[Symbol.asyncDispose]();
      await bridge[Symbol.asyncDispose]();
    },
  };
}

test('knows the side that changed after Live Sync sent files to Studio', async () => {
  await using both = await world();
  await both.save('Main.server.luau', 'print("live")\n');
  await both.save('New.luau', 'return 1\n');
  await both.untilLearned('Main', 'print("live")\n');
  await both.untilLearned('New', 'return 1\n');
  both.bridge.live.setMode('off');
  await both.save('Main.server.luau', 'print("disk")\n');
  await both.lua('game.ServerScriptService.New.Source = "return 2\\n"');
  assert.deepEqual(await both.reasons(), { Main: 'base_disk_moved', New: 'base_studio_moved' });
});

test('knows the side that changed after Live Sync wrote an edit from Studio', async () => {
  await using both = await world();
  await both.lua(`${MAIN} = 'print("live")\\n'`);
  await both.untilLearned('Main', 'print("live")\n');
  both.bridge.live.setMode('off');
  await both.lua(`${MAIN} = 'print("Studio")\\n'`);
  assert.deepEqual(await both.reasons(), { Main: 'base_studio_moved' });
});

test('keeps the base of scripts that Live Sync did not change', async () => {
  await using both = await world();
  both.bridge.live.setMode('off');
  assert.equal((await both.sync('standard')).status, 'empty');
  both.bridge.live.setMode(undefined);
  await until(() => both.bridge.live.state().kind === 'on');
  await both.lua(`${MAIN} = 'print("live")\\n'`);
  await both.untilLearned('Main', 'print("live")\n');
  both.bridge.live.setMode('off');
  await both.save('Other.server.luau', 'print("disk")\n');
  assert.deepEqual(await both.reasons(), { Other: 'base_disk_moved' });
});

test('does not suggest an older text when the file returned to it before Studio did', async () => {
  await using both = await world();
  both.bridge.live.setMode('off');
  await both.sync('standard');
  both.bridge.live.setMode(undefined);
  await until(() => both.bridge.live.state().kind === 'on');
  await both.save('Main.server.luau', 'print("live")\n');
  await both.untilLearned('Main', 'print("live")\n');
  both.bridge.live.setMode('off');
  await both.save('Main.server.luau', 'print("same")\n');
  assert.deepEqual(await both.reasons(), { Main: 'base_disk_moved' });
});

test('learns the texts that Studio receives when Live Sync starts again', async () => {
  await using both = await world();
  await both.save('Main.server.luau', 'print("live")\n');
  await both.untilLearned('Main', 'print("live")\n');
  both.bridge.live.setMode('off');
  await both.save('Main.server.luau', 'print("meanwhile")\n');
  both.bridge.live.setMode(undefined);
  await both.untilLua(MAIN, 'print("meanwhile")\n');
  await both.untilLearned('Main', 'print("meanwhile")\n');
});
