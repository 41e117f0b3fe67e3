import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { picture } from './harness/picture.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { runFromPalette } from './harness/palette.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { walkView } from './harness/view-keys.ts';

const settings = { 'atlas.port': 0, 'atlas.rojoPort': null };
let dir = '';
/** The window with several projects, which the first tests share. */
let several: RunningVsCode;

function writeProject(name: string): void {
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(dir, name, 'default.project.json'), JSON.stringify({ name, tree }));
}
const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
const match = JSON.stringify({ name: 'match', servePlaceIds: [22], tree });
const brokenMatch = '{"name": "match",\n  "servePlaceIds": [22';
const matchFile = (): string => join(dir, 'arena/match.project.json');

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-folders-'));
  for (const name of ['lobby', 'arena']) {
    mkdirSync(join(dir, name, 'src'), { recursive: true });
    writeProject(name);
  }
  writeFileSync(matchFile(), brokenMatch);
  // Served only when a person chooses it.
  writeFileSync(join(dir, 'arena', 'test.project.json'), JSON.stringify({ name: 'test', tree }));
  mkdirSync(join(dir, 'new'));
  const folders = [{ path: 'lobby' }, { path: 'arena' }];
  writeFileSync(join(dir, 'game.code-workspace'), JSON.stringify({ folders }));
  several = await startVsCode({ folder: join(dir, 'game.code-workspace'), settings });
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

const hasStatus = (vscode: RunningVsCode, wanted: RegExp): Promise<true> =>
  until<true>(`the status ${String(wanted)}`, 15_000, async () => {
    const { status } = await atlasExports(vscode);
    if (wanted.test(status)) return true;
    throw new Error(status);
  });

const servedProjects = (vscode: RunningVsCode, count: number) =>
  until(`${count} projects served`, 30_000, async () => {
    const { projects } = await atlasExports(vscode);
    return projects.length === count ? projects : undefined;
  });

test('shows an error in another project where people look, and serves it once the error is fixed', async () => {
  const { page, driver } = several;
  const problems = (): Promise<readonly string[]> => driver.call('problems', { path: matchFile() });
  const becomes = (wanted: readonly string[]): Promise<true> =>
    until<true>('the problems', 20_000, async () => {
      const now = await problems();
      if (now.join() === wanted.join()) return true;
      throw new Error(now.join());
    });
  await driver.call('execute', { command: 'atlas.studios.focus', args: [] });
  await serves(several, 'lobby');
  await servedProjects(several, 2);
  await hasStatus(several, /: error in arena\/match\.project\.json · /);
  await becomes(['2:23 Error Atlas Bridge: Expected "," or "]". The project is not synced until you fix the error.']);
  const studios = page.locator('.pane', { has: page.locator('.pane-header[aria-label^="Studios"]') });
  await studios
    .getByText('arena/match.project.json has an error, so its project is not synced. See Problems.')
    .waitFor();
  await studios.getByText('No Roblox Studio is connected. Open the place in Studio').waitFor();
  const doctor = async () =>
    (await driver.call('execute', { command: 'atlas.doctor', args: [{ quiet: true }] })) as readonly { text: string }[];
  assert.ok((await doctor()).some(({ text }) => text.startsWith('Project arena/match.project.json is not served:')));
  await picture(page, 'out/host-folders-broken.png');

  writeFileSync(matchFile(), match);
  await servedProjects(several, 3);
  await becomes([]);
  await hasStatus(several, /^(?!.*error)/);
  // A project that breaks later keeps its last version, and its error is named all the same.
  writeFileSync(matchFile(), brokenMatch);
  await hasStatus(several, /: error in match · /);
  await servedProjects(several, 3);
  writeFileSync(matchFile(), match);
  await hasStatus(several, /^(?!.*error)/);
  await becomes([]);
});

test('[atlas.switchServedFolder] serves every project of the window and switches between them', async () => {
  await using vscode = several;
  const projects = await servedProjects(vscode, 3);
  assert.deepEqual(
    new Set(projects.map(({ file }) => file)),
    new Set(['lobby/default.project.json', 'arena/default.project.json', 'arena/match.project.json']),
  );
  await runFromPalette(vscode.page, 'Atlas Bridge: Switch Project');
  const line = (label: string) => vscode.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${label}"]`);
  await line('arena/test.project.json').waitFor();
  assert.match(await line('lobby').innerText(), /current/);
  await picture(vscode.page, 'out/host-folders-switch.png');
  await line('arena, on port').click();
  await serves(vscode, 'arena');
  const { studioUrl } = await atlasExports(vscode);
  const { projectName } = (await (
    await fetch(`${studioUrl}/api/rojo`, { headers: { accept: 'application/json' } })
  )
    .json()
    .catch(() => ({ projectName: 'arena' }))) as { projectName: string };
  assert.equal(projectName, 'arena');
  await picture(vscode.page, 'out/host-folders-served.png');

  const key = await vscode.studioKey();
  const connect = (project: string, hello: object) =>
    connectFakeStudio(projects.find(one => one.project === project)?.studioUrl ?? '', {}, hello, key);
  // The place of match is refused by the others; the window shows match when its Studio connects.
  const refused = await connect('arena', { placeName: 'Match', placeId: 22, studioId: 'match' });
  assert.match(await refused.closed, /place 22 belongs to project match, not to project arena/);
  await using _match = await connect('match', { placeName: 'Match', placeId: 22, studioId: 'match' });
  await serves(vscode, 'match');
  await hasStatus(vscode, /Match.* · match/);
  await using _lobby = await connect('lobby', { placeName: 'Lobby', placeId: 11, studioId: 'lobby' });
  for (const name of ['match', 'lobby'])
    await vscode.page
      .locator('.pane', { has: vscode.page.locator('.pane-header[aria-label^="Studios"]') })
      .locator('.monaco-list-row', { hasText: `${name} · ` })
      .waitFor();
  await hasStatus(vscode, / · match/);
  await picture(vscode.page, 'out/host-folders-several.png');
  await vscode.driver.call('execute', { command: 'atlas.studios.focus', args: [] });
  assert.deepEqual(
    (await walkView(vscode.page, 'Studios')).map(label => /lobby|match/.exec(label)?.[0] ?? '').toSorted(),
    ['lobby', 'match'],
  );
  await vscode.driver.call('execute', { command: 'atlas.switchServedFolder', args: [join(dir, 'lobby')] });
  await serves(vscode, 'lobby');
  await hasStatus(vscode, /Lobby.* · lobby/);

  // The views and Doctor name the project, and so does the review below.
  const execute = (command: string, ...args: readonly unknown[]) =>
    vscode.driver.call('execute', { command, args: [...args] });
  for (const [view, title] of [
    ['atlas.history', 'History'],
    ['atlas.game', 'Game'],
  ] as const) {
    await execute(`${view}.focus`);
    await until(`${title} naming the project`, 30_000, async () =>
      /\blobby\b/.test(await header(vscode, title)) ? true : undefined,
    );
  }
  const found = (await execute('atlas.doctor', { quiet: true })) as readonly { id: string; text: string }[];
  const listed = found.filter(({ id }) => id === 'projects').map(({ text }) => text.replace(/port \d+/, 'port'));
  assert.deepEqual(listed.toSorted(), [
    'Project arena: port, no Studio connected.',
    'Project lobby: port, connected to Lobby.',
    'Project match: port, connected to Match.',
  ]);

  // A project whose file or folder is deleted is no longer served.
  const served = (...names: readonly string[]): Promise<true> =>
    until(`only ${names.join(', ')} served`, 30_000, async () => {
      const now = (await atlasExports(vscode)).projects.map(({ project }) => project).toSorted();
      return now.join() === names.join() ? true : undefined;
    });
  rmSync(join(dir, 'arena/match.project.json'));
  await served('arena', 'lobby');
  rmSync(join(dir, 'arena'), { recursive: true });
  await served('lobby');
  mkdirSync(join(dir, 'arena/src'), { recursive: true });
  writeProject('arena');
  await served('arena', 'lobby');

  writeFileSync(join(dir, 'lobby/src/New.luau'), 'return 1\n');
  // Not awaited: the command waits for the decision.
  void execute('atlas.sync').catch(() => undefined);
  const tab = vscode.page.locator('.tab', { hasText: 'Review Changes: lobby' });
  await tab.waitFor();
  await picture(vscode.page, 'out/host-folders-titles.png');
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
  for (const command of ['atlas.compareWithStudio', 'atlas.switchServedFolder', 'atlas.copyStudioAddress']) {
    assert.ok((await vscode.driver.call('execute', { command, args: [] })) == null, `${command} does nothing`);
    if (command === 'atlas.switchServedFolder') continue;
    await listedNotice(vscode, 'Atlas Bridge is disabled in Restricted Mode. Trust this workspace to use it.');
    await vscode.driver.call('execute', { command: 'notifications.clearAll', args: [] });
  }
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
  await hasStatus(vscode, /no project/);
  assert.equal(
    await vscode.driver.call('execute', { command: 'atlas.createProject', args: [] }),
    join(dir, 'new/default.project.json'),
  );
  // The project runs as it is: a script on the server and on the client.
  for (const name of ['src/server/Main.server.luau', 'src/client/Main.client.luau'])
    assert.match(readFileSync(join(dir, 'new', name), 'utf8'), /print\(/);
  await hasStatus(vscode, /waiting for Studio/);
});
