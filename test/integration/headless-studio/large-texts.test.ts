import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHeadlessWorld } from '../../harness/headless-world.ts';

const SCRIPTS = 60;
/** More than one reply to a read has room for. */
const PULLED = 45;
const KILOBYTES = 100;
const numbers = Array.from({ length: SCRIPTS }, (_, index) => index);
const text = (side: string, index: number): string =>
  `-- ${side} ${index}\n${'local value = 1\n'.repeat(KILOBYTES * 64)}`;
const project = JSON.stringify({
  name: 'Game',
  tree: { $className: 'DataModel', ServerScriptService: { $path: 'server' } },
});
const files = {
  'default.project.json': project,
  ...Object.fromEntries(numbers.map(index => [`server/S${index}.server.luau`, text('disk', index)])),
};

test('pushes 60 scripts of 100 KB, each with one answer, and pulls them again', { timeout: 120_000 }, async () => {
  await using both = await startHeadlessWorld(
    files,
    `local lines = string.rep("local value = 1\\n", ${KILOBYTES * 64})
    for index = 0, ${SCRIPTS - 1} do
      local script = Instance.new("Script")
      script.Name = "S" .. index
      script.Source = "-- Studio " .. index .. "\\n" .. lines
      script.Parent = game:GetService("ServerScriptService")
    end`,
  );
  const pushed = await both.decide();
  assert.equal(pushed.status, 'success', JSON.stringify(pushed.error));
  assert.equal(pushed.changes.filter(({ outcome }) => outcome === 'applied').length, SCRIPTS);
  await both.lua(
    `for index = 0, ${PULLED - 1} do
      local script = game:GetService("ServerScriptService")["S" .. index]
      script.Source = string.gsub(script.Source, "disk", "edited", 1)
    end`,
  );
  const pulled = await both.decide(() => ({ direction: 'pull' }));
  assert.equal(pulled.status, 'success', JSON.stringify(pulled.error));
  for (const index of numbers.slice(0, PULLED))
    assert.equal(both.bridge.disk.text(`server/S${index}.server.luau`), text('edited', index));
});
