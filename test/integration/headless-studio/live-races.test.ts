import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beforePlan } from '../../harness/before-plan.ts';
import { liveWorld } from '../../harness/live-world.ts';
import { until } from '../../harness/until.ts';

const service = 'game:GetService("ServerScriptService")';

async function racesWorld() {
  const both = await liveWorld();
  await both.save('Kit/A.luau', 'return 1\n');
  await both.save('Box/B.luau', 'return 2\n');
  await both.untilLua(`${service}:FindFirstChild("Box") and ${service}.Box:FindFirstChild("B") ~= nil`, true);
  await both.untilLua(`${service}:FindFirstChild("Kit") and ${service}.Kit:FindFirstChild("A") ~= nil`, true);
  return both;
}

for (const [what, change] of [
  ['rename', `${service}.Kit.A.Name = "C"`],
  ['move', `${service}.Kit.A.Parent = ${service}.Box`],
  ['new text', `${service}.Kit.A.Source = "return 3"`],
] as const)
  test(`refuses a ${what} from Studio when the project reads another name of the file before the plan`, async () => {
    await using both = await racesWorld();
    const { disk } = both.bridge;
    beforePlan(both.bridge.session(), () => {
      disk.delete('server/Kit/A.luau');
      disk.set('server/Kit/D.luau', 'return 1\n');
    });
    await both.lua(change);
    await until(() => both.needed.length > 0);
    assert.match(both.needed.join(), /it changed on disk and in Studio/);
    // After the refusal, Studio gets the name, and a move is then sent again.
    const modules = disk.paths().flatMap(path => /^server\/(?:Kit|Box)\/(.)\.luau$/.exec(path)?.[1] ?? []);
    assert.deepEqual(modules.toSorted(), ['B', 'D']);
    const texts = ['Kit', 'Box'].map(folder => disk.text(`server/${folder}/D.luau`));
    assert.ok(texts.includes('return 1\n'), texts.join());
  });

test('refuses a new instance of Studio when the project reads a file of its name before the plan', async () => {
  await using both = await racesWorld();
  const { disk } = both.bridge;
  beforePlan(both.bridge.session(), () => disk.set('server/Box/New.luau', 'return "disk"\n'));
  await both.lua(
    `local m = Instance.new("ModuleScript") m.Name = "New" m.Source = "return 0" m.Parent = ${service}.Box`,
  );
  await until(() => both.needed.length > 0);
  assert.match(both.needed.join(), /another instance with that name on disk/);
  const paths = disk.paths().filter(path => path.startsWith('server/Box/'));
  assert.deepEqual(paths, ['server/Box/B.luau', 'server/Box/New.luau']);
  assert.equal(disk.text('server/Box/New.luau'), 'return "disk"\n');
});
