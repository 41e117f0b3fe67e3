import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveWorld, MAIN } from '../../harness/live-world.ts';
import { englishLocalize } from '../../../src/review/review-strings.ts';
import { runTitle } from '../../../src/sync/vscode/runs/run-title.ts';
import { until } from '../../harness/until.ts';
import type { ReviewSurface } from '../../../src/ports/review-surface.ts';

const agreeing: ReviewSurface = {
  async show(review) {
    review.apply(review.snapshot().revision);
  },
};
type World = Awaited<ReturnType<typeof liveWorld>>;

const runs = ({ bridge }: World) => bridge.engine.history(100);
/** The newest entry of History, with the texts of each change before and after. */
async function newest(both: World) {
  const [run] = await runs(both);
  assert.ok(run !== undefined, 'nothing is recorded');
  const diffs = await both.bridge.engine.recordedDiffs(run.runId, undefined);
  return { run, diffs: diffs.map(({ side, path, before, after }) => [side, path, before, after]) };
}
const restore = async ({ bridge }: World): Promise<void> => {
  const [run] = await bridge.engine.history(1);
  const { result } = bridge.engine.start({
    mode: 'standard',
    overrides: [],
    requestedBy: 'test',
    restore: { runId: run?.runId ?? '', side: 'studio' },
  });
  const { status, summary } = await result;
  assert.equal(status, 'success', summary);
};

test('records the text that Live Sync replaces in Studio, and restores it', async () => {
  await using both = await liveWorld({}, { reviewSurface: agreeing });
  await both.save('Main.server.luau', 'print("saved")\n');
  await both.untilLua(MAIN, 'print("saved")\n');
  const { run, diffs } = await newest(both);
  assert.equal(run.requestedBy, 'Live Sync');
  assert.deepEqual(diffs, [['studio', 'ServerScriptService/Main.luau', 'print("same")\n', 'print("saved")\n']]);
  both.bridge.live.setMode('off');
  await restore(both);
  await both.untilLua(MAIN, 'print("same")\n');
  assert.equal(both.bridge.disk.text('server/Main.server.luau'), 'print("saved")\n', 'disk is not restored');
});

test('records the text before it is replaced, and replaces nothing that cannot be recorded', async () => {
  await using both = await liveWorld();
  const { journal } = both.bridge;
  const append = journal.append.bind(journal);
  journal.append = async () => {
    assert.deepEqual(await both.lua(`return ${MAIN}`), ['print("same")\n']);
    throw new Error('the disk is full');
  };
  await both.save('Main.server.luau', 'print("saved")\n');
  await until(() => both.needed.length > 0);
  assert.deepEqual(await both.lua(`return ${MAIN}`), ['print("same")\n']);
  journal.append = append;
});

test('records what Live Sync creates and removes in Studio, and a change of a property', async () => {
  await using both = await liveWorld({}, { reviewSurface: agreeing });
  await both.save('New.luau', 'return 1\n');
  await both.untilLua('game.ServerScriptService:FindFirstChild("New") ~= nil', true);
  assert.deepEqual((await newest(both)).diffs, [['studio', 'ServerScriptService/New.luau', '', 'return 1\n']]);
  await both.save('New.meta.json', '{ "properties": { "Tags": ["kit"] } }');
  await both.untilLua('game.ServerScriptService.New:HasTag("kit")', true);
  assert.match(String((await newest(both)).diffs[0]), /Tags = .*kit/);
  both.bridge.disk.delete('server/New.luau');
  await both.untilLua('game.ServerScriptService:FindFirstChild("New") == nil', true);
  assert.deepEqual((await newest(both)).diffs, [['studio', 'ServerScriptService/New', 'ModuleScript New\n', '']]);
  both.bridge.live.setMode('off');
  await restore(both);
  await both.untilLua('game.ServerScriptService.New.Source', 'return 1\n');
});

test('records what only Studio has of an instance that Live Sync removes, and restores it', async () => {
  await using both = await liveWorld({}, { reviewSurface: agreeing });
  await both.lua(
    'game.ServerScriptService.Main:SetAttribute("Note", "Studio only") game.ServerScriptService.Main.Disabled = true',
  );
  both.bridge.disk.delete('server/Main.server.luau');
  await both.untilLua('game.ServerScriptService:FindFirstChild("Main") == nil', true);
  both.bridge.live.setMode('off');
  await restore(both);
  await both.untilLua('game.ServerScriptService.Main:GetAttribute("Note")', 'Studio only');
  await both.untilLua('game.ServerScriptService.Main.Disabled', true);
});

test('says in History which change Studio did not make', async () => {
  await using both = await liveWorld();
  // The file changes before the watcher reports it.
  await both.lua(`${MAIN} = 'print("Studio")\\n'`);
  await both.save('Main.server.luau', 'print("disk")\n');
  await until(async () => (await runs(both)).some(({ changes }) => changes[0]?.outcome === 'failed'));
  assert.deepEqual(await both.lua(`return ${MAIN}`), ['print("Studio")\n']);
});

test('records one entry for an edit in Studio, and none for what Studio has already', async () => {
  await using both = await liveWorld();
  await both.lua(`${MAIN} = 'print("Studio")\\n'`);
  await both.untilText('server/Main.server.luau', 'print("Studio")\n');
  await both.lua(`local folder = Instance.new("Folder") folder.Name = "Kit" folder.Parent = game.ServerScriptService`);
  await until(() => both.written.length === 1);
  await both.lua('game.ServerScriptService.Main.Parent = game.ServerScriptService.Kit');
  await until(() => both.written.length === 2);
  await both.lua('game.ServerScriptService.Kit.Main.Name = "First"');
  await until(() => both.written.length === 3);
  await both.save('Other.server.luau', 'print("last")\n');
  await both.untilLua('game.ServerScriptService.Other.Source', 'print("last")\n');
  assert.deepEqual(
    (await runs(both)).map(({ changes }) => changes.map(({ path, choice }) => `${choice} ${path}`).join()).toReversed(),
    [
      'pull ServerScriptService/Main',
      'pull server/Kit/.gitkeep',
      'pull server/Kit/Main.server.luau,pull server/Main.server.luau',
      'pull server/Kit/First.server.luau,pull server/Kit/Main.server.luau',
      'push ServerScriptService/Other',
    ],
  );
});

test('records the texts that Studio receives when Live Sync starts again', async () => {
  await using both = await liveWorld();
  both.bridge.live.setMode('off');
  await both.save('Main.server.luau', 'print("meanwhile")\n');
  both.bridge.live.setMode(undefined);
  await both.untilLua(MAIN, 'print("meanwhile")\n');
  assert.deepEqual((await newest(both)).diffs, [
    ['studio', 'ServerScriptService/Main.luau', 'print("same")\n', 'print("meanwhile")\n'],
  ]);
});

test('records a script that was renamed in Studio as one file', async () => {
  await using both = await liveWorld({}, { reviewSurface: agreeing });
  await both.lua(`${MAIN.replace('.Source', '')}.Name = "Start"`);
  await both.untilText('server/Main.server.luau', undefined);
  await until(() => both.written.length > 0);
  const { run, diffs } = await newest(both);
  assert.equal(runTitle(run, englishLocalize), 'Main.server.luau renamed to Start.server.luau by Live Sync');
  assert.equal(run.summary, 'Rename to Start: 1 file written.');
  assert.deepEqual(diffs, [['disk', 'server/Start.server.luau', 'print("same")\n', 'print("same")\n']]);
});
