import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { picture } from './harness/picture.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { type TestingView, testingView } from './harness/testing-view.ts';
import { until } from './harness/until.ts';

let dir = '';
let vscode: RunningVsCode;
let view: TestingView;
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
    it("fails", function()
      local sum = 1 + 1
      expect(sum).to.equal(3)
    end)
    for _, name in { "computed" } do it(name, function() end) end
  end)
end
`,
  );
  writeFileSync(join(dir, 'src/Loop.test.luau'), 'return function() print("looping") while true do end end\n');
  vscode = await startVsCode({
    folder: dir,
    settings: { 'atlas.port': 0, 'testing.automaticallyOpenTestResults': 'neverOpen' },
  });
  view = testingView(vscode);
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const execute = (command: string) => vscode.driver.call('execute', { command, args: [] });

test('lists the tests of the game, and opens one at its line', async () => {
  // The view exists as soon as the extension has found the first test file.
  await until('the Testing view', 60_000, async () => {
    await vscode.driver.call('execute', { command: 'workbench.view.testing.focus', args: [] });
    return (await view.rows()).some(row => row.includes('src/Sum.spec.luau')) ? true : undefined;
  });
  await view.expand('Sum.spec.luau', /^sum\b/);
  await view.expand('sum', /^fails/);
  await view.open('fails', 'src/Sum.spec.luau', 4);
});

test('runs one selected test alone, and shows its failure at the line of the expectation', async () => {
  await view.run('fails', /^fails.*(?:queued|running|failed)/i);
  await view.untilRow(/^fails.*failed/i, 60_000);
  assert.doesNotMatch((await view.rows()).join('\n'), /^(?:adds|computed).*(?:passed|failed)/im, 'only this test ran');
  const widget = vscode.page.locator('.test-error-content-widget', {
    hasText: 'expected 2 (number) to equal 3 (number)',
  });
  await widget.waitFor();
  const line = vscode.page.locator('.view-line', { hasText: 'expect(sum).to.equal(3)' });
  await until('the failure on the line of the expectation', 10_000, async () => {
    const [shown, wanted] = [await widget.boundingBox(), await line.boundingBox()];
    return shown && wanted && Math.abs(shown.y - wanted.y) < wanted.height / 2 ? true : undefined;
  });
  await picture(vscode.page, 'out/host-testing-failure.png');
});

test('cancels tests that run', async () => {
  const running = vscode.driver.call('execute', { command: 'testing.runAll', args: [] });
  await vscode.page.locator('.codicon-testing-cancel-icon').first().waitFor();
  await vscode.driver.call('execute', { command: 'testing.cancelRun', args: [] });
  await running;
  const loop = (await view.rows()).filter(row => row.includes('Loop.test.luau'));
  assert.equal(loop.length, 1);
  assert.doesNotMatch(loop[0] ?? '', /failed/i, 'it ended before its time limit');
});

test('runs all tests, with computed names and one that never ends', async () => {
  await execute('testing.runAll');
  await view.untilRow(/^adds.*passed/i, 60_000);
  await view.untilRow(/^computed.*passed/i);
  await view.untilRow(/Loop.*failed/i, 60_000);
  await execute('testing.showMostRecentOutput');
  await vscode.page.locator('.xterm-rows', { hasText: 'looping' }).first().waitFor();
  await picture(vscode.page, 'out/host-testing-output.png');
});
