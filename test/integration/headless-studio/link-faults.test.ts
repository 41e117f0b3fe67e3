import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import type { SyncResult } from '../../../src/protocol/sync-result.ts';
import { cutSync } from '../../harness/cut-sync.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { pairedKey } from '../../harness/memory-studio-keys.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { StudioProxy } from '../../harness/studio-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { until } from '../../harness/until.ts';
import { formatSentence } from '../../../src/base/sentence.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
  }),
  'src/': '',
};
/** Resets both sides to the initial state. */
const RESET = `
local service = game:GetService("ServerScriptService")
service:ClearAllChildren()
for name, source in { Pushed = "pushed, Studio", Pulled = "pulled, Studio", Extra = "extra, Studio" } do
  local script = Instance.new("ModuleScript") script.Name = name script.Source = source script.Parent = service
end`;
const CONTENT = `
local all = {}
for _, one in game:GetService("ServerScriptService"):GetChildren() do table.insert(all, one.Name .. " = " .. one.Source) end
table.sort(all) return table.concat(all, "; ")`;
const SYNCED = 'Extra = extra, Studio; New = new, disk; Pulled = pulled, Studio; Pushed = pushed, disk';

let ends: AsyncDisposableStack;
let bridge: TestBridge;
let proxy: StudioProxy;
let studio: HeadlessStudio;
let place = '';

/** A Studio over the place that connects through the proxy. */
async function openStudio(): Promise<void> {
  studio = ends.use(
    await startHeadlessStudio({ ...bundledFiles(), place, key: async () => pairedKey, log: memoryLog() }),
  );
  studio.connect(proxy.port, '127.0.0.1');
}

before(async () => {
  ends = new AsyncDisposableStack();
  const folder = ends.use(await tempFolder());
  place = join(folder.path, 'place.rbxlx');
  await writeFile(place, '<roblox version="4"><Item class="ServerScriptService" referent="A"></Item></roblox>');
  // No test here is about time limits, and a busy machine may be slow.
  bridge = ends.use(await startBridge(files, { settings: defaultSettings({ timeoutMultiplier: () => 20 }) }));
  proxy = ends.use(await StudioProxy.start(bridge.studioUrl));
  await openStudio();
});
after(() => ends.disposeAsync());

async function lua(source: string): Promise<unknown> {
  const result = await studio.run(source);
  assert.ok(result.ok, result.ok ? '' : result.error.message);
  return result.values[0]?.json;
}

async function reset(): Promise<void> {
  for (const path of bridge.disk.paths()) if (path.startsWith('src/') && path !== 'src/') bridge.disk.delete(path);
  for (const name of ['Pushed', 'Pulled', 'New']) bridge.disk.set(`src/${name}.luau`, `${name.toLowerCase()}, disk`);
  await lua(RESET);
  await until(() => bridge.studios.all()[0]?.isOpen() === true);
}

const sync = (cutAt = 0): Promise<SyncResult> => cutSync(bridge, proxy, /Pulled|Extra/, cutAt);

async function assertInSync(): Promise<void> {
  assert.equal(await lua(CONTENT), SYNCED);
  const onDisk = bridge.disk.paths().filter(path => path.endsWith('.luau'));
  const texts = onDisk.map(path => `${path.slice(4, -5)} = ${bridge.disk.text(path)}`);
  assert.equal(texts.toSorted().join('; '), SYNCED);
}

test('[D23] loses and duplicates nothing when the connection is cut at any message of a sync', async t => {
  await reset();
  assert.equal((await sync()).status, 'success');
  await assertInSync();
  const conversation = [...proxy.passed];
  assert.deepEqual(
    conversation.filter(type => type.startsWith('toStudio')),
    ['toStudio: compare', 'toStudio: read', 'toStudio: apply'],
  );
  for (const [index, message] of conversation.entries())
    await t.test(`message ${index + 1}, ${message}`, async () => {
      await reset();
      const [before] = bridge.studios.all();
      const cut = await sync(index + 1);
      assert.equal(cut.status, 'disconnected');
      assert.equal(bridge.engine.current(), undefined);
      await until(() => bridge.studios.all().some(one => one.epoch !== before?.epoch));
      assert.equal(bridge.studios.all()[0]?.handle, before?.handle, 'the same Studio is back');
      const again = await sync();
      assert.ok(again.status === 'success' || again.status === 'empty', again.summary);
      await assertInSync();
    });
});

/**
 * Edits disk, Studio, disk, Studio, then creates a script in Studio and on disk, each after the other side has the last change. Message `cutAt`
 * is lost, and the connection with it.
 */
async function liveStory(cutAt: number): Promise<readonly string[]> {
  await reset();
  for (const name of ['Pulled', 'New', 'Made'])
    if (bridge.disk.text(`src/${name}.luau`) !== undefined) bridge.disk.delete(`src/${name}.luau`);
  const service = 'game:GetService("ServerScriptService")';
  await lua(`${service}:ClearAllChildren()
    local script = Instance.new("ModuleScript") script.Name = "Pushed" script.Source = "pushed, disk" script.Parent = ${service}`);
  // A sync learns that both sides have removed the scripts of the last story. Otherwise a person is asked whether a new one comes back.
  const { status } = await bridge.engine.start({ mode: 'fastfail', overrides: [], requestedBy: 'test' }).result;
  assert.equal(status, 'empty');
  const untilStudio = (text: string): Promise<void> =>
    until(async () => (await lua(`return ${service}.Pushed.Source`)) === text);
  const untilDisk = (text: string): Promise<void> => until(() => bridge.disk.text('src/Pushed.luau') === text);
  proxy.passed.length = 0;
  proxy.cutAt = cutAt;
  bridge.live.setMode('twoWay');
  try {
    await until(() => bridge.live.state().kind === 'on');
    bridge.disk.set('src/Pushed.luau', 'disk 1');
    await untilStudio('disk 1');
    await lua(`${service}.Pushed.Source = "Studio 1"`);
    await untilDisk('Studio 1');
    bridge.disk.set('src/Pushed.luau', 'disk 2');
    await untilStudio('disk 2');
    await lua(`${service}.Pushed.Source = "Studio 2"`);
    await untilDisk('Studio 2');
    await lua(
      `local made = Instance.new("ModuleScript") made.Name = "Made" made.Source = "Studio" made.Parent = ${service}`,
    );
    await until(() => bridge.disk.text('src/Made.luau') === 'Studio');
    await lua(`${service}.Made.Source = "Studio, edited"`);
    await until(() => bridge.disk.text('src/Made.luau') === 'Studio, edited');
    bridge.disk.set('src/New.luau', 'disk');
    await until(async () => (await lua(CONTENT)) === 'Made = Studio, edited; New = disk; Pushed = Studio 2');
    // The last message arrives after the edit that it confirms.
    await until(() => proxy.passed.length >= cutAt);
    return proxy.passed.filter(type => type.includes(': live'));
  } finally {
    proxy.cutAt = 0;
    bridge.live.setMode('off');
  }
}

test('delivers every edit and new script once when the connection is cut at any message of a live session', async t => {
  const needed: string[] = [];
  using _needed = bridge.live.onDidNeedSync(reason => needed.push(formatSentence(reason)));
  const conversation = await liveStory(0);
  assert.ok(conversation.length >= 8, conversation.join(', '));
  for (const [index, message] of conversation.entries())
    await t.test(`message ${index + 1}, ${message}`, async () => {
      const epoch = bridge.studios.all()[0]?.epoch;
      await liveStory(index + 1);
      await until(() => bridge.studios.all().some(one => one.epoch !== epoch));
    });
  assert.deepEqual(needed, []);
});

test('reads frames and responses that arrive slowly and in pieces', async () => {
  await reset();
  proxy.pieceBytes = 7;
  try {
    assert.equal((await sync()).status, 'success');
    await assertInSync();
  } finally {
    proxy.pieceBytes = undefined;
  }
});

test('writes only confirmed changes to disk when Studio closes during the apply', async () => {
  await reset();
  const unhook = bridge.engine.onDidChange(() => {
    if (bridge.engine.current()?.phase() !== 'applying') return;
    unhook[Symbol.dispose]();
    void studio.kill();
  });
  const result = await sync();
  assert.ok(['disconnected', 'success'].includes(result.status), result.summary);
  if (result.status === 'disconnected') {
    assert.equal(bridge.disk.text('src/Pulled.luau'), 'pulled, disk');
    assert.equal(bridge.disk.text('src/Extra.luau'), undefined);
    // If it was closed before it got the command, nothing has an outcome.
    for (const { outcome } of result.changes)
      assert.ok(outcome === undefined || /unknown|failed/.test(outcome), outcome);
  }
  assert.equal(bridge.engine.current(), undefined);
  // The other tests run in any order, and need a Studio.
  await until(() => bridge.studios.all().length === 0);
  await openStudio();
});
