import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toolCatalog } from '../../src/app/tool-catalog.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { ownPort } from '../harness/own-port.ts';
import { ownTheme, picture, pictureAsShown, systemLooks } from './harness/picture.ts';
import { readOnlyFolder } from './harness/read-only-folder.ts';
import { reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { toolCalls } from './harness/tool-calls.ts';
import { until } from './harness/until.ts';
import { pressEnterInPick } from './harness/palette.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const PLACE = '<roblox version="4"><Item class="ServerScriptService" referent="A"></Item></roblox>';

let dir = '';
let vscode: RunningVsCode;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-live-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(join(dir, 'src/.gitkeep'), '');
  writeFileSync(join(dir, 'place.rbxlx'), PLACE);
  vscode = await startVsCode({ hasChat: true, folder: dir, settings: { 'atlas.port': 0, 'atlas.rojoPort': null } });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});
const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const file = (name: string): string => join(dir, 'src', name);
const statusBar = (): Promise<string> => vscode.page.locator('.statusbar-item[id*="atlas.status"]').innerText();
const showsStatus = (wanted: RegExp): Promise<true> =>
  until<true>(`${wanted} in the status bar`, 20_000, async () => {
    const now = await statusBar();
    if (wanted.test(now)) return true;
    throw new Error(now);
  });
const create = (name: string): Promise<unknown> =>
  execute(
    'atlas.runLuauHeadless',
    `local new = Instance.new("ModuleScript") new.Name = "${name}" new.Source = "return '${name}'\\n"
    new.Parent = game:GetService("ServerScriptService")`,
  );
const sourceOf = async (path: string): Promise<unknown> => {
  const answer = (await execute('atlas.runLuauHeadless', `return game.${path}.Source`)) as { said: readonly unknown[] };
  return answer.said[0];
};
const notice = (text: string | RegExp) => listedNotice(vscode, text);
/** Presses Undo in a notice, and restores in the review. The only side that has changed is not asked for. */
const undo = async (text: string): Promise<void> => {
  const { page } = vscode;
  await (await notice(text)).getByRole('button', { name: 'Undo' }).click();
  await page.locator('.quick-input-title', { hasText: 'Restore: Choose Changes' }).waitFor();
  await pressEnterInPick(page);
  const review = reviewPage(page);
  await review.frame.getByRole('button', { name: 'Restore All' }).click();
  await review.apply();
  await review.frame.getByText('Restore completed successfully').waitFor();
  await execute('workbench.action.closeAllEditors');
};
/** The commands that the palette finds. */
const commandsFound = async (text: string): Promise<readonly string[]> => {
  await vscode.page.keyboard.press('F1');
  const input = vscode.page.locator('.quick-input-widget input[type="text"]').first();
  await input.fill(`>${text}`);
  const rows = vscode.page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  const found = await rows.evaluateAll(all => all.map(row => row.getAttribute('aria-label') ?? ''));
  await vscode.page.keyboard.press('Escape');
  return found.filter(label => label.includes('Atlas Bridge'));
};

test('[atlas.port] moves the bridge to the new port at once', async () => {
  const usesPort = (wanted: number): Promise<true> =>
    until<true>(`a bridge on port ${wanted}`, 20_000, async () => {
      const { studioUrl = 'none' } = await atlasExports(vscode);
      assert.equal(studioUrl, `http://127.0.0.1:${wanted}`);
      return true;
    });
  const first = await ownPort();
  await changeSettings(vscode, { 'atlas.port': first });
  await usesPort(first);
  // The first port is among those that the bridge tries for this one.
  await changeSettings(vscode, { 'atlas.port': first - 1 });
  await usesPort(first - 1);
});

test('[atlas.runLuauHeadless] appears with the other headless commands only while a place is open', async () => {
  const names = [
    'Run Luau in Headless Studio',
    'Save Headless Place',
    'Close Headless Studio',
    'Headless Studio Output',
  ];
  const found = async (): Promise<number> => {
    const all = await commandsFound('Atlas Bridge: Headless');
    return names.filter(name => all.some(label => label.includes(name))).length;
  };
  assert.equal(await found(), 0);
  await execute('atlas.openPlaceHeadless', join(dir, 'place.rbxlx'));
  await until('the commands', 20_000, async () => ((await found()) === names.length ? true : undefined));
});

const pulled = ['First', 'Second', 'Third'];
const syncAll = async (direction: 'push' | 'pull', plan: string): Promise<void> => {
  const { call } = toolCalls(vsCodeAgent(vscode), toolCatalog);
  const changes = (await call('atlas_diff', {}))['changes'] as SyncResult['changes'];
  const synced = await call('atlas_sync', { overrides: changes.map(({ id }) => ({ id, direction })), plan });
  assert.equal(synced['status'], 'success', JSON.stringify(synced));
};

test('suggests a push for scripts edited on disk right after the pull that created them', async () => {
  for (const name of pulled) await create(name);
  await syncAll('pull', 'Pull 3 scripts, delete nothing');
  for (const name of pulled) writeFileSync(file(`${name}.luau`), "return 'edited'\n");
  const { changes } = (await execute('atlas.syncDryRun')) as SyncResult;
  await execute('workbench.action.closeAllEditors');
  assert.deepEqual(
    changes.map(({ path, patchType, defaultReason }) => [path.split('/').at(-1), patchType, defaultReason]),
    pulled.map(name => [name, 'Edit', 'base_disk_moved']),
  );
});

test('shows in a notice what an agent pushed, and restores Studio with its Undo', async () => {
  await execute('notifications.clearAll');
  await syncAll('push', 'Push 3 scripts, delete nothing');
  assert.equal(await sourceOf('ServerScriptService.First'), "return 'edited'\n");
  const text = '3 scripts pushed by';
  const shown = await notice(text);
  await picture(vscode.page, 'out/host-agent-notice.png');
  await shown.getByRole('button', { name: 'Show' }).click();
  await until('the diffs of the sync', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.startsWith('3 scripts pushed by')) ? true : undefined,
  );
  await picture(vscode.page, 'out/host-agent-diffs.png');
  // VS Code marks a file as renamed when its sides have two paths.
  await vscode.page.locator('.multiDiffEntry .status').first().waitFor({ state: 'attached' });
  assert.equal(await vscode.page.locator('.multiDiffEntry .status.renamed').count(), 0);
  await execute('workbench.action.closeAllEditors');
  await execute('notifications.clearAll');
  for (const name of pulled) writeFileSync(file(`${name}.luau`), "return 'again'\n");
  await syncAll('push', 'Push 3 scripts, delete nothing');
  await undo(text);
  for (const name of pulled)
    assert.equal(await sourceOf(`ServerScriptService.${name}`), "return 'edited'\n", 'what Studio had before');
  assert.equal(readFileSync(file('First.luau'), 'utf8'), "return 'again'\n", 'disk has no part in it');
  await syncAll('pull', 'Pull 3 scripts, delete nothing');
  await execute('notifications.clearAll');
});

test('[atlas.live] shows the direction and the last change of Live Sync in the status bar', async () => {
  await changeSettings(vscode, { 'atlas.live': 'diskToStudio' });
  await showsStatus(/place · Live →/);
  writeFileSync(file('Saved.luau'), 'return 1\n');
  await showsStatus(/Live → Saved/);
  await changeSettings(vscode, { 'atlas.live': 'twoWay' });
  await showsStatus(/Live ↔/);
  await create('Made');
  await showsStatus(/Live ↔ Made/);
  await until('the file', 20_000, async () => (existsSync(file('Made.luau')) ? true : undefined));
  assert.equal(readFileSync(file('Made.luau'), 'utf8'), "return 'Made'\n");
});

test('offers to undo what Live Sync created, in light, dark and high contrast', async () => {
  await execute('notifications.clearAll');
  await create('Extra');
  const text = 'Live Sync created files for ServerScriptService/Extra';
  const undoButton = (await notice(text)).getByRole('button', { name: 'Undo' });
  await undoButton.waitFor();
  await execute('atlas.history.focus');
  await vscode.page.locator('.monaco-list-row', { hasText: 'Extra.luau written by Live Sync' }).first().waitFor();
  const themes = [
    ['Default Light Modern', 'vs'],
    ['Default Dark Modern', 'vs-dark'],
    ['Default High Contrast', 'hc-black'],
  ] as const;
  for (const [theme, workbench] of themes) {
    await changeSettings(vscode, { ...ownTheme, 'workbench.colorTheme': theme });
    await vscode.page.locator(`.monaco-workbench.${workbench}`).waitFor();
    for (const width of [1440, 700]) {
      await vscode.page.setViewportSize({ width, height: 900 });
      await showsStatus(/Live ↔ Extra/);
      await pictureAsShown(vscode.page, `out/host-live-${workbench}-${width}.png`);
    }
  }
  await changeSettings(vscode, systemLooks);
  await vscode.page.setViewportSize({ width: 1440, height: 900 });
  await undoButton.click();
  // Nothing is undone before the changes are chosen and reviewed.
  await vscode.page.locator('.quick-input-title', { hasText: 'Restore: Choose Changes' }).waitFor();
  assert.ok(existsSync(file('Extra.luau')));
  await vscode.page.keyboard.press('Escape');
});

test("removes the files that Live Sync created with the notice's Undo", async () => {
  await execute('notifications.clearAll');
  await create('Unwanted');
  await undo('Live Sync created files for ServerScriptService/Unwanted');
  assert.equal(existsSync(file('Unwanted.luau')), false);
  assert.ok(existsSync(file('Extra.luau')), 'what was not undone stays');
});

test('[atlas.live] moves the file of a script moved in Studio, and moves it back with Undo', async () => {
  await execute('notifications.clearAll');
  await execute(
    'atlas.runLuauHeadless',
    `local folder = Instance.new("Folder") folder.Name = "Kit" folder.Parent = game:GetService("ServerScriptService")`,
  );
  await until('the folder', 20_000, async () => (existsSync(join(dir, 'src/Kit')) ? true : undefined));
  await execute(
    'atlas.runLuauHeadless',
    'game.ServerScriptService:WaitForChild("Made").Parent = game.ServerScriptService.Kit',
  );
  // The new file is written before the old one is removed.
  await until('the moved file', 20_000, async () =>
    existsSync(file('Kit/Made.luau')) && !existsSync(file('Made.luau')) ? true : undefined,
  );
  assert.equal(readFileSync(file('Kit/Made.luau'), 'utf8'), "return 'Made'\n");
  const text = 'Live Sync moved the files to ServerScriptService/Kit/Made, as in Studio.';
  await notice(text);
  await picture(vscode.page, 'out/host-live-moved.png');
  await undo(text);
  assert.equal(readFileSync(file('Made.luau'), 'utf8'), "return 'Made'\n");
  assert.equal(existsSync(file('Kit/Made.luau')), false);
});

test('says why an edit from Studio was not written, and keeps both sides', async t => {
  await execute('notifications.clearAll');
  await execute('workbench.action.closeAllEditors');
  const locked = readOnlyFolder(join(dir, 'src'));
  if (typeof locked === 'string') return t.skip(locked);
  {
    using _ = locked;
    await execute('atlas.runLuauHeadless', 'game.ServerScriptService.Made.Source = "return 2\\n"');
    await notice(/Live Sync needs your decision: ServerScriptService\/Made: src\/Made\.luau could not be written: /);
    await picture(vscode.page, 'out/host-live-not-written.png');
    // Only Studio changed, so the review suggests a pull, which cannot be written either.
    const review = reviewPage(vscode.page);
    await review.shown();
    assert.equal(await review.chosen('ServerScriptService/Made'), 'pull');
    await review.apply();
    await review.frame.getByText('Failed · src/Made.luau could not be written: permission denied').first().waitFor();
    assert.equal(readFileSync(file('Made.luau'), 'utf8'), "return 'Made'\n");
    assert.equal(await sourceOf('ServerScriptService.Made'), 'return 2\n');
  }
  await execute('workbench.action.closeAllEditors');
  await syncAll('pull', 'Pull 1 script, delete nothing');
  assert.equal(readFileSync(file('Made.luau'), 'utf8'), 'return 2\n');
});

test('refuses to move a file with unsaved edits, and says so', async () => {
  await vscode.driver.call('show', { uri: `file://${file('Extra.luau')}` });
  await vscode.driver.call('edit', { before: 'return', after: 'return -- mine\n ' });
  await execute(
    'atlas.runLuauHeadless',
    'game.ServerScriptService.Extra.Parent = game.ServerScriptService:WaitForChild("Kit")',
  );
  await showsStatus(/needs your decision/);
  await notice('src/Extra.luau has unsaved edits in the editor');
  await picture(vscode.page, 'out/host-live-unsaved.png');
  assert.equal(existsSync(file('Kit/Extra.luau')), false);
  assert.match(await vscode.driver.call('documentText', { path: file('Extra.luau') }), /-- mine/);
});
