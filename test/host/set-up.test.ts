import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { plainL10n } from '../../scripts/review-page/plain-l10n.ts';
import type { DoctorFinding } from '../../src/setup/vscode/doctor.ts';
import { formatFinding } from '../../src/setup/vscode/finding-text.ts';
import type { RemoveSetUpResult, SetUpResult } from '../../src/setup/vscode/set-up-commands.ts';
import { connectFakeStudio, type ConnectedStudio } from '../harness/connect-fake-studio.ts';
import { callTool } from '../harness/mcp-client.ts';
import { picture, walkthroughPicture } from './harness/picture.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { shownImage } from './harness/shown-image.ts';
import { uncovered } from './harness/uncovered.ts';
import { until } from './harness/until.ts';
import { viewFindings } from './harness/view-findings.ts';
import { walkQuickPick } from './harness/view-keys.ts';

let dir = '';
let game = '';
let plugin = '';
let launcher = '';
let vscode: RunningVsCode;
let studio: ConnectedStudio | undefined;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-set-up-'));
  game = join(dir, 'game');
  const home = join(dir, 'home');
  mkdirSync(join(game, 'src'), { recursive: true });
  mkdirSync(join(home, '.cursor'), { recursive: true });
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(game, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(join(game, 'src/Boot.server.luau'), 'print(1)\n');
  const roblox = join(dir, 'wine/drive_c/users/steamuser/AppData/Local/Roblox');
  mkdirSync(roblox, { recursive: true });
  plugin = join(roblox, 'Plugins/AtlasBridge.rbxmx');
  const state = join(home, '.local/state');
  launcher = join(state, 'atlas-bridge/bin/atlas-bridge');
  vscode = await startVsCode({
    hasChat: true,
    folder: game,
    settings: { 'atlas.port': 0 },
    env: { HOME: home, XDG_STATE_HOME: state, WINEPREFIX: join(dir, 'wine') },
  });
});
after(async () => {
  await studio?.[Symbol.asyncDispose]();
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const execute = <T>(command: string, ...args: readonly unknown[]): Promise<T> =>
  vscode.driver.call('execute', { command, args }) as Promise<T>;
const doctor = (): Promise<readonly DoctorFinding[]> => execute('atlas.doctor', { quiet: true });
const stateOf = async (id: string): Promise<string | undefined> => (await doctor()).find(one => one.id === id)?.state;
const step = (title: string) => vscode.page.locator('.getting-started-step', { hasText: title });
const isDone = (title: string) =>
  until(`"${title}" done`, 15_000, async () =>
    (await step(title).locator('.codicon-getting-started-step-checked, .complete').count()) > 0 ? true : undefined,
  );

/** The box of the words at the start of a text, which the element may cut. */
const boxOfWords = (text: Locator, words: string): Promise<Record<'left' | 'right' | 'top' | 'bottom', number>> =>
  text.evaluate((element, count) => {
    interface Range {
      setStart(node: unknown, at: number): void;
      setEnd(node: unknown, at: number): void;
      getBoundingClientRect(): Record<'left' | 'right' | 'top' | 'bottom', number>;
    }
    const page = globalThis as unknown as {
      document: { createRange(): Range; createTreeWalker(root: unknown, shown: number): { nextNode(): unknown } };
    };
    const first = page.document.createTreeWalker(element, 4).nextNode();
    const range = page.document.createRange();
    range.setStart(first, 0);
    range.setEnd(first, count);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return { left, right, top, bottom };
  }, words.length);

test('syncs the first change from a fresh profile in three actions and completes each step', async t => {
  await execute('workbench.action.openWalkthrough', 'atlas-bridge.atlas-bridge#start', false);
  const startedAt = performance.now();
  let actions = 0;
  const notice = (text: string) => vscode.page.locator('.notification-list-item', { hasText: text });
  /** The notice, also if it hid while pictures were taken: the list keeps it. */
  const shown = async (text: string) => ((await notice(text).isVisible()) ? notice(text) : listedNotice(vscode, text));
  const press = async (text: string, button: string): Promise<void> => {
    await (await shown(text)).getByRole('button', { name: button, exact: true }).click();
    // Move the pointer away: the hover of one notification covers the buttons of the next.
    await vscode.page.mouse.move(0, 0);
    actions += 1;
  };
  const welcome = vscode.page.locator('.pane', { hasText: 'Changes' }).locator('.welcome-view').first();
  await execute('atlas.changes.focus');
  await welcome.getByRole('button', { name: 'Set Up This Folder' }).waitFor();
  // VS Code calls the welcome of every view "Welcome".
  const inViews = (await viewFindings(vscode.page)).filter(
    found => !found.startsWith('landmark-unique: <div class="welcome'),
  );
  assert.deepEqual(inViews, []);
  await execute('workbench.view.explorer');
  await shownImage(vscode.page, 'A notification that asks to sync');
  await notice('Sync this project with Roblox Studio?').waitFor();
  await picture(vscode.page, 'out/walkthrough.png');
  await walkthroughPicture(await shown('Sync this project with Roblox Studio?'), 'set-up');
  await press('Sync this project with Roblox Studio?', 'Set Up');
  await until('the plugin file', 15_000, async () => (existsSync(plugin) ? true : undefined));
  await isDone('Set up Atlas Bridge');
  // The view no longer offers what is done.
  await execute('atlas.changes.focus');
  await welcome.getByText('press Connect in the Atlas Bridge window').waitFor();
  assert.equal(await welcome.getByRole('button', { name: 'Set Up This Folder' }).count(), 0);

  const { studioUrl = '' } = await atlasExports(vscode);
  // Studio is paired by the plugin file alone.
  const [, id = '', secret = ''] = /return "([0-9a-f]{16}):([0-9a-f]{64})"/.exec(readFileSync(plugin, 'utf8')) ?? [];
  assert.equal(statSync(plugin).mode & 0o777, 0o600);
  studio = await connectFakeStudio(
    studioUrl,
    { ServerScriptService: { className: 'ServerScriptService' } },
    { placeName: 'Harbor' },
    { id, secret },
  );
  actions += 1; // Connect, in Studio.
  const offer = 'connected. 1 instance was found only on disk: a push replaces nothing in Studio.';
  await notice(offer).waitFor();
  await walkthroughPicture(notice(offer), 'studio');
  await press(offer, 'Push 1 Change');
  await until('the script in Studio', 20_000, async () =>
    studio?.studio.source('ServerScriptService/Boot') === 'print(1)\n' ? true : undefined,
  );
  // The outcome stays in the list of notifications.
  await listedNotice(vscode, 'Sync completed successfully: 1 pushed to ');
  await execute('notifications.hideList');
  t.diagnostic(`${actions} actions in ${Math.round(performance.now() - startedAt)} ms`);
  assert.equal(actions, 3);
  for (const title of ['Connect in Studio', 'Match the place', 'Check the connection']) await isDone(title);

  const choosing = execute('atlas.connectAgent');
  const agents = vscode.page.locator('.quick-input-widget');
  await agents.locator('.monaco-list-row', { hasText: 'Cursor' }).waitFor();
  await walkthroughPicture(agents, 'agent');
  await vscode.page.keyboard.press('Escape');
  await choosing;

  // An agent that is already connected completes the last step.
  const connected = await execute<{ file: string }>('atlas.connectAgent', { client: 'claude-code', confirmed: true });
  const home = join(dir, 'home');
  assert.equal(connected.file, join(home, '.claude.json'));
  // VS Code would start a second server for this file.
  assert.equal(existsSync(join(game, '.mcp.json')), false);
  void execute('workbench.mcp.listServer');
  const servers = vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: /atlas/i });
  await servers.first().waitFor();
  assert.deepEqual(
    await servers.evaluateAll(rows => rows.map(row => /error|fail/i.test(row.getAttribute('aria-label') ?? ''))),
    [false],
    'one server, and it does not fail',
  );
  await picture(vscode.page, 'out/mcp-servers.png');
  await vscode.page.keyboard.press('Escape');
  const { projects } = JSON.parse(readFileSync(connected.file, 'utf8')) as {
    projects: Record<string, { mcpServers: Record<string, { command: string; args: string[] }> }>;
  };
  const entry = projects[game]?.mcpServers['atlas-bridge'];
  assert.ok(entry);
  const client = new Client({ name: 'claude-code', title: 'Claude Code', version: '2' });
  const { PATH = '' } = process.env;
  await client.connect(
    new StdioClientTransport({
      command: entry.command,
      args: entry.args,
      cwd: game,
      env: { PATH, HOME: home, XDG_STATE_HOME: join(home, '.local/state') },
      stderr: 'ignore',
    }),
  );
  try {
    await client.listTools();
    await isDone('Connect an agent');
    const { answer, text } = await callTool(client, 'atlas_diff');
    assert.equal(answer['status'], 'empty', text);
  } finally {
    await client.close();
  }
});

test('Doctor lists passed checks, the round trip and problems', async () => {
  // On a busy machine a round trip may exceed the limit of Doctor.
  const found = await until('a quick round trip', 30_000, async () => {
    const now = await doctor();
    return now.find(({ id }) => id === 'roundTrip')?.state === 'ok' ? now : undefined;
  });
  for (const id of ['workspace', 'project', 'bridge', 'plugin', 'studio', 'place', 'roundTrip', 'agent'])
    assert.equal(found.find(one => one.id === id)?.state, 'ok', JSON.stringify(found));
  // The truth about git, before and after there is a repository.
  const git = (findings: readonly DoctorFinding[]): string => findings.find(({ id }) => id === 'git')?.text ?? '';
  assert.match(git(found), /The folder is not in a git repository\./);
  execFileSync('git', ['init', '--quiet', game]);
  await until('the repository', 15_000, async () =>
    git(await doctor()).startsWith('The folder is in a git repository.') ? true : undefined,
  );
  assert.match(found.find(({ id }) => id === 'agent')?.text ?? '', /Claude Code/);
  assert.match(found.find(({ id }) => id === 'roundTrip')?.text ?? '', /^Studio responds in \d+ ms\.$/);

  await execute('atlas.doctor');
  const rows = vscode.page.locator('.quick-input-list .monaco-list-row');
  await until('the checks', 20_000, async () => ((await rows.count()) >= 8 ? true : undefined));
  await picture(vscode.page, 'out/doctor.png');
  const walked = await walkQuickPick(vscode.page);
  assert.equal(walked.length, found.length, walked.join('\n'));
  await vscode.page.getByRole('button', { name: 'Copy All' }).click();
  await vscode.page.getByText('Copied.').first().waitFor();
  await vscode.page.keyboard.press('Escape');
  await studio?.[Symbol.asyncDispose]();
  studio = undefined;
  await until('Studio gone', 10_000, async () => ((await stateOf('studio')) === 'todo' ? true : undefined));
});

test('Doctor shows the forwarded ports when no address leads from Studio to a remote window', async () => {
  const { page } = vscode;
  // The tests run in a browser, whose window is never a remote one to Atlas Bridge.
  const says = { key: 'remote.notForwarded', values: ['ssh-remote', 34_873] };
  const finding = formatFinding({ id: 'remote', state: 'todo', says, fix: 'showPorts' }, plainL10n);
  await vscode.driver.call('showFindings', { found: [finding] });
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'is not forwarded to your computer' });
  // In a narrow window, VS Code cuts the first line.
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 700, height });
  const fix = row.getByText(/^Show Forwarded Ports/);
  await fix.waitFor();
  const shown = await until('the whole name of the fix in the window', 10_000, async () => {
    const [words, cut, line] = await Promise.all([
      boxOfWords(fix, 'Show Forwarded Ports'),
      fix.boundingBox(),
      row.boundingBox(),
    ]);
    if (cut === null || line === null) return undefined;
    const right = Math.min(cut.x + cut.width, line.x + line.width, 700);
    const isWhole = words.left >= line.x && words.right <= right && words.top >= 0 && words.bottom <= height;
    return isWhole ? words : undefined;
  });
  assert.ok(shown.right - shown.left > 50, JSON.stringify(shown));
  await picture(page, 'out/doctor-ports.png');
  await page.setViewportSize({ width, height });
  await row.click();
  await page.locator('.panel .composite.title, .panel .pane-header', { hasText: /ports/i }).first().waitFor();
  await picture(page, 'out/doctor-ports-view.png');
  await execute('workbench.action.closePanel');
});

test('[atlas.proposedChanges.apply] [atlas.proposedChanges.discard] connects an agent only when a person agrees, in a dialog or beside the diff', async () => {
  const file = join(game, '.cursor/mcp.json');
  const dialog = vscode.page.locator('.monaco-dialog-box');
  const press = (name: string) => dialog.getByRole('button', { name }).click();
  const running = execute('atlas.connectAgent', { client: 'cursor' });
  await dialog.getByText('Connect Cursor to Atlas Bridge?').waitFor();
  assert.equal(existsSync(file), false, 'nothing is written before');
  await picture(vscode.page, 'out/connect-agent.png');
  await press('Show Changes');
  await vscode.page.locator('.tab', { hasText: 'Cursor: Proposed Changes' }).waitFor();
  const answer = (name: string) => vscode.page.locator('.editor-actions').getByRole('button', { name });
  await answer('Discard Changes').getByText('Discard Changes').waitFor();
  const added = vscode.page.locator('.editor.modified .view-line', { hasText: '"mcpServers"' });
  await uncovered('the first added line', added.locator('span', { hasText: '"mcpServers"' }).last());
  assert.equal(existsSync(file), false, 'nothing is written before');
  await picture(vscode.page, 'out/connect-agent-changes.png');

  // Closing the changes asks again.
  await execute('workbench.action.closeActiveEditor');
  await dialog.getByText('Connect Cursor to Atlas Bridge?').waitFor();
  await press('Show Changes');
  await answer('Discard Changes').click();
  assert.ok((await running) == null);
  assert.equal(existsSync(file), false, 'nothing is written after Discard Changes');

  const agreed = execute('atlas.connectAgent', { client: 'cursor' });
  await dialog.getByText('Connect Cursor to Atlas Bridge?').waitFor();
  await press('Show Changes');
  await answer('Apply Changes').click();
  await agreed;
  await vscode.page.locator('.tab', { hasText: 'Cursor: Proposed Changes' }).waitFor({ state: 'detached' });
  assert.match(readFileSync(file, 'utf8'), /"command": "\$\{userHome\}/);
  assert.ok((statSync(launcher).mode & 0o111) !== 0);

  const refused = execute('atlas.connectAgent', { client: 'cursor' });
  await dialog.getByText('Remove Atlas Bridge from Cursor?').waitFor();
  await press('Cancel');
  assert.ok((await refused) == null);
  assert.ok(existsSync(file));
});

test('[atlas.openExample] writes the example into a new folder, and keeps it on the next call', async () => {
  const folder = join(dir, 'atlas-obby');
  assert.equal(await execute('atlas.openExample', dir), folder);
  assert.ok(existsSync(join(folder, 'src/server/init.server.luau')));
  writeFileSync(join(folder, 'default.project.json'), '{}');
  assert.equal(await execute('atlas.openExample', dir), folder);
  assert.equal(readFileSync(join(folder, 'default.project.json'), 'utf8'), '{}');
});

test('Remove Everything removes exactly what was set up', async () => {
  const done = await execute<SetUpResult>('atlas.setUpHere');
  assert.deepEqual(done.plugin, [plugin]);
  const removed = await execute<RemoveSetUpResult>('atlas.removeEverything', { confirmed: true });
  assert.deepEqual(removed.plugin, [plugin]);
  assert.deepEqual(removed.agents.map(({ client }) => client).toSorted(), ['claude-code', 'cursor']);
  assert.deepEqual(removed.other, [launcher, join(dir, 'home/.local/state/atlas-bridge/studio-keys.json')]);
  for (const path of [plugin, join(dir, 'home/.claude.json'), join(game, '.cursor/mcp.json'), launcher])
    assert.equal(existsSync(path), false, path);
  assert.ok(existsSync(join(game, 'default.project.json')));
  assert.equal(await stateOf('plugin'), 'todo');
});
