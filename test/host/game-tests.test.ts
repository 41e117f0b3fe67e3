import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

let dir = '';
let vscode: RunningVsCode;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-game-tests-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Harbor', tree }));
  writeFileSync(
    join(dir, 'src/Sum.spec.luau'),
    `return function()
  describe("sum", function()
    it("adds", function() expect(1 + 1).to.equal(2) end)
    it("fails", function() expect(1 + 1).to.equal(3) end)
    for _, name in { "computed" } do it(name, function() end) end
  end)
end
`,
  );
  writeFileSync(join(dir, 'src/Loop.test.luau'), 'return function() while true do end end\n');
  vscode = await startVsCode({
    folder: dir,
    settings: { 'atlas.port': 0, 'testing.automaticallyOpenTestResults': 'neverOpen' },
  });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

/** The texts of the rows of the Testing view, as screen readers read them. */
const rows = (): Promise<readonly string[]> =>
  vscode.page
    .locator('.test-explorer .monaco-list-row')
    .evaluateAll(found => found.map(row => row.getAttribute('aria-label') ?? ''));

const untilRow = (wanted: RegExp, ms = 30_000): Promise<string> =>
  until(`a row like ${String(wanted)}`, ms, async () => (await rows()).find(row => wanted.test(row)));

test('cancels tests that run', async () => {
  // The view exists as soon as the extension has found the first test file.
  await until('the Testing view', 60_000, async () => {
    await vscode.driver.call('execute', { command: 'workbench.view.testing.focus', args: [] });
    return (await rows()).some(row => row.includes('src/Sum.spec.luau')) ? true : undefined;
  });
  const running = vscode.driver.call('execute', { command: 'testing.runAll', args: [] });
  await vscode.page.locator('.codicon-testing-cancel-icon').first().waitFor();
  await vscode.driver.call('execute', { command: 'testing.cancelRun', args: [] });
  await running;
  const loop = (await rows()).filter(row => row.includes('Loop.test.luau'));
  assert.equal(loop.length, 1);
  assert.doesNotMatch(loop[0] ?? '', /failed/i, 'it ended before its time limit');
});

test('lists the tests of the game with their positions, runs them and shows failures at their lines', async () => {
  // A click expands the row.
  const rowOf = (text: string) => vscode.page.locator('.test-explorer .monaco-list-row', { hasText: text });
  await rowOf('Sum.spec.luau').click();
  await rowOf('sum').last().click();
  await untilRow(/^fails/);
  await vscode.driver.call('execute', { command: 'testing.runAll', args: [] });
  await untilRow(/^fails.*failed/i, 60_000);
  await untilRow(/^adds.*passed/i);
  await untilRow(/^computed.*passed/i);
  await untilRow(/Loop.*failed/i, 60_000);
});
