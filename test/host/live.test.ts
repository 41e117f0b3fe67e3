import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { ownPort } from './harness/own-port.ts';
import { picture } from './harness/picture.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

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
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'atlas.rojoPort': null } });
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
  const portOf = async (): Promise<string> => {
    const { studioUrl = 'http://127.0.0.1:0' } = await atlasExports(vscode);
    return new URL(studioUrl).port;
  };
  const first = await ownPort();
  changeSettings(vscode, { 'atlas.port': first });
  await until('the first port', 20_000, async () => ((await portOf()) === String(first) ? true : undefined));
  // The first port is among those that the bridge tries for this one.
  changeSettings(vscode, { 'atlas.port': first - 1 });
  await until('the second port', 20_000, async () => ((await portOf()) === String(first - 1) ? true : undefined));
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

test('[atlas.live] shows the direction and the last change of Live Sync in the status bar', async () => {
  changeSettings(vscode, { 'atlas.live': 'diskToStudio' });
  await showsStatus(/place · Live →/);
  writeFileSync(file('Saved.luau'), 'return 1\n');
  await showsStatus(/Live → Saved/);
  changeSettings(vscode, { 'atlas.live': 'twoWay' });
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
  await vscode.page.locator('.notification-toast', { hasText: text }).waitFor();
  // Toasts hide after some seconds; the list keeps them.
  await execute('notifications.showList');
  const undo = vscode.page
    .locator('.notifications-center .notification-list-item', { hasText: text })
    .getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await execute('atlas.history.focus');
  await vscode.page.locator('.monaco-list-row', { hasText: '1 file written by Live Sync' }).first().waitFor();
  const themes = [
    ['Default Light Modern', 'vs'],
    ['Default Dark Modern', 'vs-dark'],
    ['Default High Contrast', 'hc-black'],
  ] as const;
  for (const [theme, workbench] of themes) {
    changeSettings(vscode, { 'workbench.colorTheme': theme });
    await vscode.page.locator(`.monaco-workbench.${workbench}`).waitFor();
    for (const width of [1440, 700]) {
      await vscode.page.setViewportSize({ width, height: 900 });
      await showsStatus(/Live ↔ Extra/);
      await picture(vscode.page, `out/host-live-${workbench}-${width}.png`);
    }
  }
  await vscode.page.setViewportSize({ width: 1440, height: 900 });
  await undo.click();
  // Nothing is undone before the side is chosen and reviewed.
  await vscode.page.locator('.quick-input-title', { hasText: 'Restore: Choose a Side' }).waitFor();
  assert.ok(existsSync(file('Extra.luau')));
  await vscode.page.keyboard.press('Escape');
});
