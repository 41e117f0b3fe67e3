import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FromPlugin } from '../../../src/protocol/studio/stream.ts';
import { startPlace } from './start-place.ts';

/** Plays commands to the plugin over a place with a script, a part and something that only Studio has; answers its frames as sent. */
const CONVERSATION = `
local HttpService = game:GetService("HttpService")
local place = require("@test/place")
local scheduler = require("@headless/task")
local G = place.PATH
local ground = place.ground()
place.put(ground, "ModuleScript", "Main", { Source = "studio" })
place.put(ground, "Part", "Lamp", { Anchored = true, Size = Vector3.new(1, 2, 3) })
place.put(place.put(ground, "Folder", "Extra"), "Script", "Inside", { Source = "print(1)" })
local connection, replies = place.connect(place.onGround({
	{ class = "ModuleScript", name = "Main", props = { Source = { String = "disk" } } },
	{ class = "Part", name = "Lamp", props = { Size = { Vector3 = { math.huge, 1, 1 } }, Attributes = { Attributes = {} },
		Tags = { Tags = { "x" } } } },
	{ class = "Model", name = "New", props = { WorldPivotData = {} } },
}))
local main, lamp, extra = place.idAt(G .. "/Main"), place.idAt(G .. "/Lamp"), nil
local function step(command)
	connection.handle(command)
	for _ = 1, 50 do scheduler.step(scheduler.now() + 1 / 60) end
end
step({ type = "compare", requestId = "r1", overrides = { { id = main, direction = "push" } } })
for _, change in replies[#replies].changes do
	extra = if change.patchType == "Remove" then change.id else extra
end
step({ type = "read", requestId = "r2", compareId = "r1", ids = { main, lamp, extra } })
step({ type = "apply", requestId = "r3", compareId = "r1", runId = "run", decisions = {
	{ id = main, direction = "push" }, { id = extra, direction = "pull" }, { id = "unknown", direction = "push" },
} })
step({ type = "getScript", requestId = "r4", id = main, fromDraft = false })
step({ type = "getScript", requestId = "r5", id = lamp, fromDraft = false })
local frames = {}
for _, reply in replies do
	table.insert(frames, HttpService:JSONEncode(reply))
end
return frames`;

test('[W4] every frame of the plugin matches the schema of the bridge', async () => {
  const vm = await startPlace();
  const [frames] = vm.run(CONVERSATION) as unknown as [string[]];
  const parsed = frames.map(frame => FromPlugin.parse(JSON.parse(frame)));
  const final = new Map(
    parsed.flatMap(frame =>
      frame.type === 'received' || frame.type === 'roblox_log' || frame.type === 'childrenChanged'
        ? []
        : [[frame.requestId, frame] as const],
    ),
  );
  assert.deepEqual(
    Array.from(final, ([id, { type }]) => [id, type]),
    [
      ['r1', 'compared'],
      ['r2', 'instances'],
      ['r3', 'applied'],
      ['r4', 'script'],
      ['r5', 'failed'],
    ],
  );
  const compared = final.get('r1');
  assert.ok(compared?.type === 'compared');
  assert.deepEqual(
    compared.changes.map(({ patchType, name }) => `${patchType} ${name}`),
    ['Edit Main', 'Edit Lamp', 'Add New', 'Remove Extra'],
  );
  const lamp = compared.changes[1]?.properties;
  assert.deepEqual(lamp?.['Size']?.incoming, { Vector3: ['Infinity', 1, 1] });
  assert.deepEqual(lamp?.['Tags'], { current: { Tags: [] }, incoming: { Tags: ['x'] } });
  const applied = final.get('r3');
  assert.ok(applied?.type === 'applied');
  assert.deepEqual(
    applied.results.map(({ ok, code }) => [ok, code]),
    [
      [true, undefined],
      [true, undefined],
      [false, 'stale_id'],
    ],
  );
  const script = final.get('r4');
  assert.ok(script?.type === 'script');
  assert.equal(script.source, 'disk');
});

const TWICE = `
local HttpService = game:GetService("HttpService")
local place = require("@test/place")
local scheduler = require("@headless/task")
local main = place.put(place.ground(), "ModuleScript", "Main", { Source = "studio" })
local connection, replies = place.connect(place.onGround({
	{ class = "ModuleScript", name = "Main", props = { Source = { String = "disk" } } },
}))
local function step(command)
	connection.handle(command)
	for _ = 1, 50 do scheduler.step(scheduler.now() + 1 / 60) end
end
local push = { type = "apply", requestId = "r2", compareId = "r1", runId = "run", decisions = {
	{ id = place.idAt(place.PATH .. "/Main"), direction = "push" },
} }
step({ type = "compare", requestId = "r1" })
step(push)
main.Source = "typed since"
step(push)
local frames = {}
for _, reply in replies do
	table.insert(frames, HttpService:JSONEncode(reply))
end
return frames, main.Source`;

test('[R9] applies a repeated command once, and repeats its answer', async () => {
  const vm = await startPlace();
  const [frames, source] = vm.run(TWICE) as unknown as [string[], string];
  const applied = frames.map(frame => FromPlugin.parse(JSON.parse(frame))).filter(({ type }) => type === 'applied');
  assert.equal(applied.length, 2);
  assert.deepEqual(applied[0], applied[1]);
  assert.equal(source, 'typed since');
});
