import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../harness/default-settings.ts';
import { liveWorld, MAIN } from '../../harness/live-world.ts';
import { until } from '../../harness/until.ts';

test('knows the side that changed after Live Sync sent files to Studio', async () => {
  await using both = await liveWorld();
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
  await using both = await liveWorld();
  await both.lua(`${MAIN} = 'print("live")\\n'`);
  await both.untilLearned('Main', 'print("live")\n');
  both.bridge.live.setMode('off');
  await both.lua(`${MAIN} = 'print("Studio")\\n'`);
  assert.deepEqual(await both.reasons(), { Main: 'base_studio_moved' });
});

test('keeps the base of scripts that Live Sync did not change', async () => {
  await using both = await liveWorld();
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

test('keeps the base of a script when the first start of Live Sync leaves its difference to a person', async () => {
  await using both = await liveWorld({}, { settings: defaultSettings({ live: () => 'off' }) });
  assert.equal((await both.sync('standard')).status, 'empty');
  await both.save('Main.server.luau', 'print("disk")\n');
  both.bridge.live.setMode('twoWay');
  await until(() => both.needed.length > 0);
  both.bridge.live.setMode('off');
  assert.deepEqual(await both.reasons(), { Main: 'base_disk_moved' });
});

test('does not suggest an older text when the file returned to it before Studio did', async () => {
  await using both = await liveWorld();
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
  await using both = await liveWorld();
  await both.save('Main.server.luau', 'print("live")\n');
  await both.untilLearned('Main', 'print("live")\n');
  both.bridge.live.setMode('off');
  await both.save('Main.server.luau', 'print("meanwhile")\n');
  both.bridge.live.setMode(undefined);
  await both.untilLua(MAIN, 'print("meanwhile")\n');
  await both.untilLearned('Main', 'print("meanwhile")\n');
});
