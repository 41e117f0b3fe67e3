import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { picture } from './harness/picture.ts';
import { reloadWindow } from './harness/reload-window.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

const PLACE = '<roblox version="4"><Item class="ServerScriptService" referent="A"></Item></roblox>';
const placeInStudio = { ServerScriptService: { className: 'ServerScriptService' } };

let dir = '';
let plugins = '';
let vscode: RunningVsCode;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-ws-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(join(dir, 'src/Boot.server.luau'), 'print(1)\n');
  writeFileSync(join(dir, 'place.rbxlx'), PLACE);
  // Studio's folder under Wine.
  const wine = join(dir, 'wine');
  const roblox = join(wine, 'drive_c/users/steamuser/AppData/Local/Roblox');
  plugins = join(roblox, 'Plugins');
  mkdirSync(roblox, { recursive: true });
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0 }, env: { WINEPREFIX: wine } });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});
const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const statusItem = (id: string): Promise<string> => vscode.page.locator(`.statusbar-item[id*="${id}"]`).innerText();
const dryRun = async (): Promise<SyncResult> => (await execute('atlas.syncDryRun')) as SyncResult;

test('Atlas Bridge: Open Place File in Headless Studio opens and connects a place', async () => {
  const place = join(dir, 'place.rbxlx');
  const opened = (await execute('atlas.openPlaceHeadless', place)) as { place: string; instances: number };
  assert.deepEqual(opened, { outcome: 'done', place, instances: 1 });
  await until('the place in the status bar', 20_000, async () =>
    /place/.test(await statusItem('atlas.status')) ? true : undefined,
  );
  assert.match(await statusItem('atlas.headless'), /place\.rbxlx/);
  const result = await dryRun();
  assert.equal(result.status, 'dryrun', result.summary);
  assert.deepEqual(
    result.changes.map(({ patchType, path }) => `${patchType} ${path}`),
    ['Add ServerScriptService/Boot'],
  );
});

test('asks which Studio to use when two are connected', async () => {
  const { studioUrl = '' } = await atlasExports(vscode);
  const hello = { placeName: 'Lobby', placeId: 42 };
  await using lobby = await connectFakeStudio(studioUrl, placeInStudio, hello, await vscode.studioKey());
  await until('two Studios in the status bar', 10_000, async () =>
    /2 Studios/.test(await statusItem('atlas.status')) ? true : undefined,
  );
  const running = dryRun();
  const row = vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Lobby' });
  await row.waitFor();
  assert.match(await row.innerText(), /studio-2, place 42/);
  await row.click();
  const result = await running;
  assert.deepEqual([result.status, result.studio], ['dryrun', 'studio-2']);
  assert.ok(lobby.studio.commands.some(({ type }) => type === 'compare'));
});

test('Atlas Bridge: Run Luau in Headless Studio shows return values, output and errors', async () => {
  assert.deepEqual(await execute('atlas.runLuauHeadless', "print('hi') return 1 + 1"), {
    outcome: 'done',
    said: ['2'],
    printed: ['hi'],
  });
  const wrong = (await execute('atlas.runLuauHeadless', "error('no such lever')")) as {
    outcome: string;
    said: string[];
  };
  assert.equal(wrong.outcome, 'failed');
  assert.match(wrong.said.join(), /no such lever/);
  const typed = execute('atlas.runLuauHeadless');
  const input = vscode.page.locator('.quick-input-widget input[type=text]');
  await input.waitFor();
  await input.fill('return game.Name');
  await input.press('Enter');
  assert.deepEqual(await typed, { outcome: 'done', said: ['place'], printed: [] });
});

test('cancels an endless chunk by closing headless Studio, after asking', async () => {
  const running = execute('atlas.runLuauHeadless', 'while true do end');
  const toast = vscode.page.locator('.notification-toast', { hasText: 'Luau is running in place.rbxlx' });
  await toast.getByRole('button', { name: 'Cancel' }).click();
  await vscode.page.getByRole('button', { name: 'Close Without Saving' }).click();
  const { outcome, error } = (await running) as { outcome: string; error: { code: string } };
  assert.deepEqual([outcome, error.code], ['failed', 'CANCELLED']);
  const notice = 'Cancelled: place.rbxlx was closed without saving.';
  await vscode.page.locator('.notification-toast', { hasText: notice }).waitFor();
  const again = (await execute('atlas.openPlaceHeadless', join(dir, 'place.rbxlx'))) as { outcome: string };
  assert.equal(again.outcome, 'done');
});

test('offers a place that was open when the window was reloaded, with its unsaved changes', async () => {
  const chunk = (luau: string) => execute('atlas.runLuauHeadless', luau) as Promise<{ said: readonly string[] }>;
  await chunk('local folder = Instance.new("Folder") folder.Name = "Unsaved" folder.Parent = workspace');
  await reloadWindow(vscode);
  const notice = await listedNotice(vscode, 'place.rbxlx was open in headless Studio when this window closed');
  await picture(vscode.page, 'out/host-kept-place.png');
  await notice.getByRole('button', { name: 'Open Again' }).click();
  await until('the place in the status bar', 30_000, async () =>
    /place\.rbxlx/.test(await statusItem('atlas.headless')) ? true : undefined,
  );
  const { said } = await chunk('return workspace.Unsaved.Name, game.Name');
  assert.deepEqual(said, ['Unsaved', 'place']);
  await execute('notifications.clearAll');
});

test('saves the place on request and asks before closing it', async () => {
  const file = join(dir, 'saved.rbxl');
  assert.deepEqual(await execute('atlas.savePlaceHeadless', file), { outcome: 'done', file });
  assert.equal(readFileSync(file).subarray(0, 8).toString('latin1'), '<roblox!');
  const closing = execute('atlas.closePlaceHeadless');
  await vscode.page.getByRole('button', { name: 'Close Without Saving' }).click();
  assert.deepEqual(await closing, { outcome: 'done' });
  assert.deepEqual(await execute('atlas.closePlaceHeadless'), { outcome: 'already' });
  await until('the bridge without a Studio', 10_000, async () =>
    /waiting for Studio/.test(await statusItem('atlas.status')) ? true : undefined,
  );
});

test('[P1] lists the previous version of a place file in History when it replaces that file', async () => {
  const place = join(dir, 'place.rbxlx');
  assert.equal(((await execute('atlas.openPlaceHeadless', place)) as { outcome: string }).outcome, 'done');
  const file = join(dir, 'mine.rbxlx');
  writeFileSync(file, 'the work of a person');
  assert.deepEqual(await execute('atlas.savePlaceHeadless', file), { outcome: 'done', file });
  assert.match(readFileSync(file, 'utf8'), /^<roblox/);
  await listedNotice(vscode, 'mine.rbxlx was saved. The previous version is in History.');
  await execute('notifications.hideList');
  await execute('atlas.history.focus');
  await vscode.page.locator('.monaco-list-row', { hasText: 'mine.rbxlx written by headless' }).first().waitFor();
  const closing = execute('atlas.closePlaceHeadless');
  await vscode.page.getByRole('button', { name: 'Close Without Saving' }).click();
  await closing;
});

test('installs the Studio plugin into the Plugins folder and removes only that file', async () => {
  const file = join(plugins, 'AtlasBridge.rbxmx');
  const installed = (await execute('atlas.installStudioPlugin')) as { changed: readonly string[] };
  assert.deepEqual(installed.changed, [file]);
  assert.match(readFileSync(file, 'utf8'), /^<roblox/);
  const again = await execute('atlas.installStudioPlugin');
  assert.deepEqual(again, { outcome: 'already', changed: [], current: [file] });

  writeFileSync(join(plugins, 'Another.rbxmx'), 'foreign plugin');
  const removed = (await execute('atlas.removeStudioPlugin')) as { changed: readonly string[] };
  assert.deepEqual(removed.changed, [file]);
  assert.deepEqual(readdirSync(plugins), ['Another.rbxmx']);
});

test('neither replaces nor removes a foreign plugin file', async () => {
  const file = join(plugins, 'AtlasBridge.rbxmx');
  writeFileSync(file, 'foreign plugin');
  const { outcome, error } = (await execute('atlas.installStudioPlugin')) as {
    outcome: string;
    error: { hint: string };
  };
  assert.equal(outcome, 'failed');
  assert.notEqual(error.hint, '');
  await execute('atlas.removeStudioPlugin');
  assert.ok(existsSync(file));
  assert.equal(readFileSync(file, 'utf8'), 'foreign plugin');
});
