import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveWorld } from '../../harness/live-world.ts';
import { until } from '../../harness/until.ts';

const service = 'game:GetService("ServerScriptService")';
const create = (name: string, source: string): string =>
  `local new = Instance.new("ModuleScript") new.Name = "${name}" new.Source = "${source}" new.Parent = ${service}`;
/** A world in which Live Sync was off during `work`. */
async function afterGap(work: (both: Awaited<ReturnType<typeof liveWorld>>) => Promise<void>) {
  const both = await liveWorld();
  both.bridge.live.setMode('off');
  await work(both);
  both.bridge.live.setMode('twoWay');
  return both;
}

test('creates on the other side what was created while Live Sync was not connected', async () => {
  await using both = await afterGap(async gap => {
    await gap.save('Kit/FromDisk.luau', 'return "disk"\n');
    await gap.lua(create('FromStudio', 'return 1'));
  });
  await both.untilText('server/FromStudio.luau', 'return 1');
  await both.untilLua(`${service}:FindFirstChild("Kit") and ${service}.Kit:FindFirstChild("FromDisk") ~= nil`, true);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  await both.lua(`${service}.FromStudio.Source = "return 2"  ${service}.Kit.FromDisk.Source = "return 3"`);
  await both.untilText('server/FromStudio.luau', 'return 2');
  await both.untilText('server/Kit/FromDisk.luau', 'return 3');
  assert.deepEqual(both.needed, []);
  const titles = (await both.bridge.engine.history(10)).map(({ requestedBy }) => requestedBy);
  assert.ok(titles.length >= 2 && titles.every(title => title === 'Live Sync'), titles.join());
});

test('renames and moves on disk what was renamed and moved in Studio while Live Sync was not connected', async () => {
  await using both = await liveWorld();
  await both.lua(create('Mover', 'return 1'));
  await both.untilText('server/Mover.luau', 'return 1');
  both.bridge.live.setMode('off');
  await both.lua(
    `${service}.Other.Name = "NewName"  local kit = Instance.new("Folder") kit.Name = "Kit" kit.Parent = ${service} ${service}.Mover.Parent = kit`,
  );
  both.bridge.live.setMode('twoWay');
  await both.untilText('server/Kit/Mover.luau', 'return 1');
  await both.untilText('server/NewName.server.luau', 'print("other")\n');
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  assert.deepEqual(both.needed, []);
  assert.deepEqual(
    ['server/Mover.luau', 'server/Other.server.luau'].map(path => both.bridge.disk.text(path)),
    [undefined, undefined],
  );
});

test('asks a person what to do with a file that was removed meanwhile, and with new files beside it', async () => {
  await using both = await afterGap(async gap => {
    gap.bridge.disk.delete('server/Other.server.luau');
    await gap.save('Moved.server.luau', 'print("other, moved")\n');
    await gap.lua(create('FromStudio', 'return 1'));
  });
  await both.untilText('server/FromStudio.luau', 'return 1');
  await until(() => both.needed.length > 0);
  assert.deepEqual(both.needed, [
    '2 instances differ between disk and Studio: ServerScriptService/Other was removed on disk',
  ]);
  await both.untilLua(`${service}:FindFirstChild("Other") ~= nil and ${service}:FindFirstChild("Moved") == nil`, true);
});

test('asks a person what to do with an instance that was removed in Studio meanwhile', async () => {
  await using both = await afterGap(async gap => {
    await gap.lua(`${service}.Other:Destroy()`);
    await gap.save('FromDisk.luau', 'return "disk"\n');
  });
  await both.untilLua(`${service}:FindFirstChild("FromDisk") ~= nil`, true);
  await until(() => both.needed.length > 0);
  assert.deepEqual(both.needed, [
    '1 instance differs between disk and Studio: ServerScriptService/Other was removed in Studio',
  ]);
  assert.equal(both.bridge.disk.text('server/Other.server.luau'), 'print("other")\n');
});

test('gives no reason for a difference that the person has left undecided before', async () => {
  await using both = await liveWorld();
  both.bridge.live.setMode('off');
  await both.lua(`${service}.Other:Destroy()`);
  both.bridge.live.setMode('twoWay');
  await until(() => both.needed.length === 1);
  both.bridge.live.setMode('off');
  both.bridge.live.setMode('twoWay');
  await until(() => both.needed.length === 2);
  assert.equal(both.needed[1], '1 instance differs between disk and Studio');
  assert.equal(both.bridge.disk.text('server/Other.server.luau'), 'print("other")\n');
});

test('asks a person when both sides created a script of one name with different texts', async () => {
  await using both = await afterGap(async gap => {
    await gap.save('New.luau', 'return "disk"\n');
    await gap.lua(create('New', 'return 1'));
  });
  await until(() => both.needed.length > 0);
  assert.deepEqual(both.needed, ['1 instance differs between disk and Studio']);
  assert.deepEqual(
    [both.bridge.disk.text('server/New.luau'), await both.lua(`return ${service}.New.Source`)],
    ['return "disk"\n', ['return 1']],
  );
});

for (const moment of ['the file exists', 'the bridge has answered'])
  test(`asks a person about a new script whose file was deleted after Live Sync ended when ${moment}`, async () => {
    await using both = await liveWorld();
    await both.lua(create('New', 'return 1'));
    await both.untilText('server/New.luau', 'return 1');
    if (moment === 'the bridge has answered') await until(() => both.written.length > 0);
    both.bridge.live.setMode('off');
    both.bridge.disk.delete('server/New.luau');
    // A file whose deletion is noticed after Live Sync has compared both sides is a change like any other.
    await both.bridge.session()?.refresh(new AbortController().signal);
    both.bridge.live.setMode('twoWay');
    await until(() => both.needed.length > 0 || both.written.length > 1);
    both.bridge.live.setMode('off');
    both.bridge.live.setMode('twoWay');
    await until(() => both.needed.length > 1 || both.written.length > 1);
    assert.equal(both.bridge.disk.text('server/New.luau'), undefined);
    const [asked, askedAgain] = both.needed;
    // The ended session may have answered that it could not read its file.
    assert.match(
      asked ?? '',
      /New: disk no longer has its file$|^1 instance differs.*(?:New was removed on disk|Studio)$/,
    );
    assert.equal(askedAgain, '1 instance differs between disk and Studio');
    assert.deepEqual(await both.lua(`return ${service}.New.Source`), ['return 1']);
  });

test('creates a new script again under a name that was removed from both sides', async () => {
  await using both = await liveWorld();
  const isIn = `${service}:FindFirstChild("New") ~= nil`;
  await both.lua(create('New', 'return 1'));
  await both.untilText('server/New.luau', 'return 1');
  await until(() => both.written.length > 0);
  both.bridge.disk.delete('server/New.luau');
  await both.untilLua(isIn, false);
  await both.lua(create('New', 'return 2'));
  await both.untilText('server/New.luau', 'return 2');
  assert.deepEqual(both.needed, []);
});
