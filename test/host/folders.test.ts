import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { picture } from './harness/picture.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { runFromPalette } from './harness/palette.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

const settings = { 'atlas.port': 0, 'atlas.rojoPort': null };
let dir = '';

before(() => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-folders-'));
  for (const name of ['lobby', 'arena']) {
    mkdirSync(join(dir, name, 'src'), { recursive: true });
    const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
    writeFileSync(join(dir, name, 'default.project.json'), JSON.stringify({ name, tree }));
  }
  mkdirSync(join(dir, 'new'));
  const folders = [{ path: 'lobby' }, { path: 'arena' }];
  writeFileSync(join(dir, 'game.code-workspace'), JSON.stringify({ folders }));
});
after(() => rmSync(dir, { recursive: true, force: true }));

const header = (vscode: RunningVsCode, title: string): Promise<string> =>
  vscode.page.locator(`.pane-header[aria-label^="${title}"]`).innerText();
const serves = (vscode: RunningVsCode, name: string): Promise<true> =>
  until<true>(`the view naming ${name}`, 30_000, async () => {
    const now = await header(vscode, 'Studios');
    if (new RegExp(`${name} on port \\d+`).test(now)) return true;
    throw new Error(now);
  });

test('[atlas.switchServedFolder] serves the first folder with a project and switches', async () => {
  await using vscode = await startVsCode({ folder: join(dir, 'game.code-workspace'), settings });
  await vscode.driver.call('execute', { command: 'atlas.studios.focus', args: [] });
  await serves(vscode, 'lobby');
  await runFromPalette(vscode.page, 'Atlas Bridge: Switch Served Folder');
  const lines = vscode.page.locator('.quick-input-list .monaco-list-row');
  await lines.filter({ hasText: 'arena' }).waitFor();
  assert.match(await lines.filter({ hasText: 'lobby' }).innerText(), /current/);
  await picture(vscode.page, 'out/host-folders-switch.png');
  await lines.filter({ hasText: 'arena' }).click();
  await serves(vscode, 'arena');
  const { studioUrl } = await atlasExports(vscode);
  const { projectName } = (await (
    await fetch(`${studioUrl}/api/rojo`, { headers: { accept: 'application/json' } })
  )
    .json()
    .catch(() => ({ projectName: 'arena' }))) as { projectName: string };
  assert.equal(projectName, 'arena');
  await picture(vscode.page, 'out/host-folders-served.png');
});

test('serves a remaining folder and notifies when the served folder is removed', async () => {
  const file = join(dir, 'less.code-workspace');
  const workspace = (...names: readonly string[]): void =>
    writeFileSync(file, JSON.stringify({ folders: names.map(path => ({ path })) }));
  workspace('lobby', 'arena');
  await using vscode = await startVsCode({ folder: file, settings });
  await vscode.driver.call('execute', { command: 'atlas.studios.focus', args: [] });
  await serves(vscode, 'lobby');
  await vscode.driver.call('execute', { command: 'atlas.switchServedFolder', args: [join(dir, 'arena')] });
  await serves(vscode, 'arena');
  workspace('lobby');
  await serves(vscode, 'lobby');
  await vscode.page
    .getByText('Atlas Bridge now syncs lobby: the folder arena was removed from the workspace.')
    .first()
    .waitFor();
  await picture(vscode.page, 'out/host-folders-removed.png');
});

test('[atlas.createProject] does nothing in Restricted Mode and starts when trusted', async () => {
  await using vscode = await startVsCode({ folder: join(dir, 'new'), settings, asksForTrust: true });
  const { page } = vscode;
  await vscode.driver.call('execute', { command: 'atlas.changes.focus', args: [] });
  const { state, studioUrl, mcpUrl } = await atlasExports(vscode);
  assert.deepEqual([state, studioUrl ?? null, mcpUrl ?? null], ['idle', null, null]);
  await page.locator('.welcome-view', { hasText: 'is disabled until you trust this workspace' }).first().waitFor();
  assert.match(await page.locator('.statusbar-item[id*="atlas.status"]').innerText(), /Restricted/);
  for (const command of ['atlas.compareWithStudio', 'atlas.switchServedFolder', 'atlas.copyStudioAddress'])
    assert.ok((await vscode.driver.call('execute', { command, args: [] })) == null, `${command} does nothing`);
  await picture(page, 'out/host-restricted.png');
  await page.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
  await page
    .locator('.workspace-trust-editor')
    .getByRole('button', { name: /^Trust/ })
    .first()
    .click();
  await until('the bridge running', 30_000, async () =>
    (await atlasExports(vscode)).state === 'running' ? true : undefined,
  );
  // The status follows the state.
  await until('the status naming no project', 10_000, async () =>
    /no project/.test((await atlasExports(vscode)).status) ? true : undefined,
  );
  assert.equal(
    await vscode.driver.call('execute', { command: 'atlas.createProject', args: [] }),
    join(dir, 'new/default.project.json'),
  );
  // The project runs as it is: a script on the server and on the client.
  for (const name of ['src/server/Main.server.luau', 'src/client/Main.client.luau'])
    assert.match(readFileSync(join(dir, 'new', name), 'utf8'), /print\(/);
  await until('the new project served', 15_000, async () =>
    /waiting for Studio/.test((await atlasExports(vscode)).status) ? true : undefined,
  );
});
