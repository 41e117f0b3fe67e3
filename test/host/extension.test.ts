import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { runFromPalette } from './harness/palette.ts';
import { picture } from './harness/picture.ts';
import { reloadWindow } from './harness/reload-window.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds'];
const project = { $className: 'DataModel', ServerScriptService: { Main: { $path: 'src/Main.server.luau' } } };
let dir = '';
let vscode: RunningVsCode;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-ws-'));
  mkdirSync(join(dir, 'src'));
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree: project }));
  writeFileSync(join(dir, 'src/Main.server.luau'), 'print("disk")\n');
  vscode = await startVsCode({ hasChat: true, folder: dir, settings: { 'atlas.port': 0, 'atlas.rojoPort': null } });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});
const statusText = (): Promise<string> => vscode.page.locator('.statusbar-item[id*="atlas.status"]').innerText();

test('[W2] [P6] activates in less than 50 ms, in parts, in a workspace with a project file', async t => {
  let { activation } = await atlasExports(vscode);
  t.diagnostic(`activate() took ${JSON.stringify(activation)}`);
  // On a busy machine, a part includes work of other programs.
  for (let again = 0; again < 2 && activation.heldMs >= 50; again += 1) {
    await reloadWindow(vscode);
    ({ activation } = await atlasExports(vscode));
    t.diagnostic(`activate() took ${JSON.stringify(activation)} after a reload`);
  }
  assert.ok(activation.heldMs > 0 && activation.heldMs < 50, JSON.stringify(activation));
  assert.ok(activation.longestMs < activation.heldMs, JSON.stringify(activation));
});

test('[W2] offers the tools of the bridge to the agents of VS Code', async () => {
  const agent = vsCodeAgent(vscode);
  for (const name of ['atlas_sync', 'get_script', 'operation_wait'])
    assert.match(await agent.tool(name), /^mcp_.*atlas/);
});

test('[W9] [B1] shows that it waits for Studio, and a sync explains the next step', async () => {
  const waiting = await until('the bridge running', 20_000, async () => {
    const now = await atlasExports(vscode);
    return now.state === 'running' ? now : undefined;
  });
  assert.match(waiting.status, /waiting for Studio/);
  assert.ok((await statusText()).includes(waiting.status), await statusText());

  const agent = vsCodeAgent(vscode);
  const answer = agent.invoke('atlas_sync', { mode: 'dryrun' });
  assert.match(await agent.allow(), /Run/);
  const result = JSON.parse((await answer)[0] ?? '') as { status: string; error: { hint: string } };
  assert.equal(result.status, 'not_connected');
  assert.match(result.error.hint, /press Connect/);
});

test('[W9] lists the commands in the palette and runs them', async () => {
  const commands = await vscode.driver.call('commands', {});
  for (const command of ['atlas.sync', 'atlas.syncDryRun', 'atlas.reviewChanges', 'atlas.showLog'])
    assert.ok(commands.includes(command), command);

  const { studioUrl } = await atlasExports(vscode);
  assert.ok(studioUrl !== undefined);
  await using studio = await connectFakeStudio(
    studioUrl,
    {
      ServerScriptService: { className: 'ServerScriptService' },
      'ServerScriptService/Main': { className: 'Script', source: 'print("studio")\n' },
    },
    { placeName: 'Baseplate', capabilities },
    await vscode.studioKey(),
  );
  await until('the status bar naming the place', 10_000, async () =>
    (await statusText()).includes('Baseplate') ? true : undefined,
  );
  assert.match((await atlasExports(vscode)).status, /Baseplate/);

  await runFromPalette(vscode.page, 'Atlas Bridge: Sync (Dry Run)');
  await until('the report of the dry run', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.includes('Dry run')) ? true : undefined,
  );
  assert.ok(
    studio.studio.commands.some(({ type }) => type === 'compare'),
    'Studio was asked',
  );
  assert.ok(!studio.studio.commands.some(({ type }) => type === 'apply'), 'a dry run applies nothing');
});

test('[W9] Atlas Bridge: Show Log shows the log without the token', async () => {
  await vscode.driver.call('execute', { command: 'atlas.showLog', args: [] });
  const log = vscode.page.locator('.output-view-content, .panel .view-lines').first();
  const text = await until('the log naming the connection', 15_000, async () => {
    const shown = (await log.innerText()).replaceAll('\u00a0', ' ');
    return shown.includes('Studio connected') ? shown : undefined;
  });
  // Only visible lines are in the DOM; the log opens at its end.
  assert.match(text, /bridge listens/);
  assert.doesNotMatch(text, /Bearer/);
});

test('shows the README on its page, with the descriptions of its pictures', async () => {
  const { page, driver } = vscode;
  const execute = (command: string, ...args: readonly unknown[]) => driver.call('execute', { command, args });
  await execute('workbench.view.extensions');
  const row = page
    .locator('.extensions-list .monaco-list-row')
    .filter({ hasText: 'Keep the files of a Roblox game' })
    .first();
  await row.dblclick();
  const readme = await until('the README on the page of the extension', 30_000, async () => {
    for (const frame of page.frames())
      if ((await frame.locator('h2', { hasText: 'Sync your first change' }).count()) > 0) return frame;
    return undefined;
  });
  // VS Code shows only pictures from the web there, and the description of any other.
  const described = readme.locator('img[alt^="The review in VS Code"]');
  assert.equal(await described.count(), 1);
  const src = (await described.getAttribute('src')) ?? '';
  assert.match(src, /^(?:https:.*)?$/, 'VS Code can show pictures of the package: use them');
  await picture(page, 'out/host-extension-page.png');
  await execute('workbench.action.closeAllEditors');
});

test('[W9] shows in the status bar when Studio disconnects', async () => {
  await until('the status bar noticing', 10_000, async () =>
    /waiting for Studio/.test(await statusText()) ? true : undefined,
  );
  assert.match((await atlasExports(vscode)).status, /waiting for Studio/);
});
