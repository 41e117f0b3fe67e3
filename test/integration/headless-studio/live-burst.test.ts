import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../harness/default-settings.ts';
import { startHeadlessWorld } from '../../harness/headless-world.ts';
import { until } from '../../harness/until.ts';
import { formatSentence } from '../../../src/base/sentence.ts';

const SCRIPTS = 40;
const SAVES = 60;
const LINES = 600;
const numbers = Array.from({ length: SCRIPTS }, (_, index) => index);
const text = (save: number): string => `-- ${save}\n${'local value = 1\n'.repeat(LINES)}`;
const files = {
  'default.project.json': JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'server' } },
  }),
  ...Object.fromEntries(numbers.map(index => [`server/S${index}.luau`, text(0)])),
};

test('syncs bursts of saves without a false conflict', { timeout: 120_000 }, async () => {
  await using both = await startHeadlessWorld(
    files,
    `for index = 0, ${SCRIPTS - 1} do
      local script = Instance.new("ModuleScript")
      script.Name = "S" .. index
      script.Source = "-- 0\\n" .. string.rep("local value = 1\\n", ${LINES})
      script.Parent = game.ServerScriptService
    end`,
    { settings: defaultSettings({ live: () => 'twoWay' }) },
  );
  const { bridge } = both;
  const problems: string[] = [];
  bridge.live.onDidNeedSync(reason => problems.push(formatSentence(reason)));
  await until(() => bridge.live.state().kind === 'on');
  const session = bridge.session() ?? assert.fail();
  for (let save = 1; save <= SAVES; save += 1) {
    const revision = session.revision();
    for (const index of numbers) bridge.disk.set(`server/S${index}.luau`, text(save));
    await until(() => session.revision() > revision);
  }
  const isLast = `local count = 0
    for _, script in game.ServerScriptService:GetChildren() do
      if string.sub(script.Source, 1, 6) == "-- ${SAVES}\\n" then count += 1 end
    end
    task.wait(0.5)
    return count`;
  for (let count: unknown; count !== SCRIPTS; [count] = await both.lua(isLast));
  assert.deepEqual(problems, []);
});
