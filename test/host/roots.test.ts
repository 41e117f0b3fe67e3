import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { nodeGitRoots } from '../../src/docs/adapters/git-roots/node-git-roots.ts';
import { readConfiguration } from '../../src/docs/roots/configuration.ts';
import type { GitRoot, GitSyncRequest } from '../../src/docs/ports/git-roots.ts';
import { type GitRemote, gitRemote } from '../harness/git-remote.ts';
import { picture } from './harness/picture.ts';
import { pressRowAction } from './harness/press-row-action.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { walkView } from './harness/view-keys.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const stack = new AsyncDisposableStack();
let dir = '';
let vscode: RunningVsCode;
let remote: GitRemote;
let environment: Record<string, string>;
let roots: readonly object[];

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-roots-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  for (const folder of ['game/src', 'game/docs', 'notes']) mkdirSync(join(dir, folder), { recursive: true });
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  writeFileSync(join(dir, 'game/default.project.json'), JSON.stringify({ name: 'Game', tree }));
  writeFileSync(join(dir, 'game/src/Shop.luau'), '-- sells swords\nlocal function buySword()\nend\n');
  writeFileSync(join(dir, 'game/docs/shop.md'), '# The shop\n\nIt sells swords and shields.\n');
  writeFileSync(join(dir, 'notes/todo.md'), 'swords cost too much\n');
  remote = stack.use(await gitRemote({ 'api/sword.md': '# Sword\n\nA sword has a blade.\n' }));
  const policy = { WORKSPACE_DOCS_CACHE: join(dir, 'cache'), WORKSPACE_DOCS_GIT_PROTOCOLS: 'file' };
  roots = [
    { id: 'handbook', gitUrl: remote.url, gitRef: 'main', title: 'Handbook' },
    { id: 'notes', path: join(dir, 'notes') },
    { id: 'game', kind: 'code', path: join(dir, 'game') },
    { id: 'bots', kind: 'harness', gitUrl: `${remote.url}/none` },
    { id: 'gone', kind: 'harness', path: join(dir, 'gone') },
  ];
  environment = {
    DOCS_ROOTS: 'handbook,notes',
    ROOT_HANDBOOK_GIT_URL: remote.url,
    ROOT_HANDBOOK_GIT_REF: 'main',
    ROOT_NOTES_PATH: join(dir, 'notes'),
    ...policy,
  };
  vscode = stack.use(
    await startVsCode({ hasChat: true, folder: join(dir, 'game'), settings: { 'atlas.port': 0 }, env: policy }),
  );
  await until('the bridge running', 30_000, async () =>
    (await atlasExports(vscode)).state === 'running' ? true : undefined,
  );
  await vscode.driver.call('execute', { command: 'atlas.roots.focus', args: [] });
  // Collapse the other views, because VS Code only renders visible lines.
  for (const title of ['Changes', 'Studios'])
    await vscode.page.locator(`.pane-header[aria-label^="${title}"][aria-expanded="true"]`).click();
});
after(() => stack.disposeAsync());

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
/** The accessible labels of the lines of the view. */
const shown = async (): Promise<readonly string[]> =>
  vscode.page
    .locator('.pane-body .monaco-list-row[role="treeitem"]')
    .evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''));
const shows = (...wanted: readonly RegExp[]): Promise<readonly string[]> =>
  until(`the view showing ${wanted.join(' ')}`, 20_000, async () => {
    const now = await shown();
    if (wanted.every(one => now.some(line => one.test(line)))) return now;
    throw new Error(now.join('\n'));
  });
/** Syncs from another process: this one. */
const syncHere = async (request: GitSyncRequest): Promise<void> => {
  const { roots, policy } = readConfiguration(environment);
  const root = roots.find(({ id }) => id === 'handbook') as GitRoot;
  const report = await nodeGitRoots.sync(root, policy, request, () => undefined, new AbortController().signal);
  assert.equal(report.error, undefined);
};

test('uses the folder as code root and its docs folder as docs root by default', async () => {
  await shows(/^Docs/, /^game docs, local/, /^Code/, /^game, local/);
  await picture(vscode.page, 'out/host-roots-workspace.png');
});

test('applies the setting immediately and shows the state and problems of each root', async () => {
  await changeSettings(vscode, { 'atlas.docs.roots': roots });
  const now = await shows(
    /^Handbook, never synced/,
    /^notes, local/,
    /^game, local/,
    /^bots, never synced/,
    /^gone, error/,
  );
  assert.match(now[0] ?? '', /^gone, points to a folder that cannot be read/);
  await picture(vscode.page, 'out/host-roots-configured.png');
});

test('Sync Git Roots updates the roots, and the view shows behind and dirty ones', async () => {
  const first = remote.git('rev-parse', 'HEAD');
  const reports = (await execute('atlas.syncRoot', 'handbook')) as readonly Record<string, unknown>[];
  assert.deepEqual(
    reports.map(report => [report['status'], report['before'], report['after'], report['error']]),
    [['initialised', null, first, null]],
  );
  await shows(new RegExp(`^Handbook, synced . ${first.slice(0, 8)}`));
  await remote.commit({ 'api/sword.md': '# Sword\n\nA sword has a blade and a hilt.\n' });
  await syncHere({ mode: 'fetch' });
  await execute('atlas.refreshRoots');
  await shows(/^Handbook, behind/);
  const [key = ''] = readdirSync(join(dir, 'cache/r-handbook'));
  writeFileSync(join(dir, 'cache/r-handbook', key, 'trees', first, 'api/sword.md'), 'mine\n');
  await execute('atlas.refreshRoots');
  await shows(/^Handbook, modified/);
  await picture(vscode.page, 'out/host-roots-states.png');
  await execute('atlas.roots.focus');
  const walked = await walkView(vscode.page, 'Roots');
  assert.ok(
    walked.some(label => label.startsWith('gone, error: the folder does not exist')),
    walked.join('\n'),
  );
});

test('syncs a root with its button and reports a missing remote', async () => {
  await pressRowAction(vscode.page.locator('.monaco-list-row[role="treeitem"]'), 'Handbook', 'Sync Git Roots');
  await shows(/^Handbook, synced/);
  const reports = (await execute('atlas.syncRoot', 'bots')) as readonly Record<string, unknown>[];
  assert.deepEqual(
    reports.map(report => [report['status'], report['error']]),
    [['failed', 'REMOTE_NOT_FOUND']],
  );
  await vscode.page.getByText(/bots/).first().waitFor();
});

test('reveals the folder of a root', async () => {
  assert.equal(await execute('atlas.revealRoot', 'game'), join(dir, 'game'));
});

test('Atlas Bridge: Search Roots searches while typing, previews the line and opens it', async () => {
  const { page } = vscode;
  const answer = execute('atlas.searchRoots');
  const input = page.locator('.quick-input-box input');
  await input.waitFor();
  await input.fill('sword');
  const item = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Handbook' }).first();
  await item.waitFor();
  assert.match(await item.innerText(), /sword\.md:1/);
  const labels = await page.locator('.quick-input-list .monaco-list-row').allInnerTexts();
  assert.ok(
    labels.some(text => /todo\.md:1[^]*swords cost too much/.test(text)),
    labels.join('\n'),
  );
  await until('the file of the marked line beside the list', 10_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label === 'sword.md') ? true : undefined,
  );
  await picture(page, 'out/host-roots-search.png');
  await input.press('Enter');
  assert.deepEqual(await answer, { root: 'handbook', path: 'api/sword.md', line: 1 });
});

test('keeps the open editors when a search is cancelled', async () => {
  const { page } = vscode;
  await execute('workbench.action.closeAllEditors');
  const answer = execute('atlas.searchRoots', 'swords cost');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'todo.md' }).first().waitFor();
  await until('the look at the line', 10_000, async () =>
    (await vscode.driver.call('tabs', {})).includes('todo.md') ? true : undefined,
  );
  await page.locator('.quick-input-box input').press('Escape');
  assert.equal((await answer) ?? null, null);
  assert.deepEqual(await vscode.driver.call('tabs', {}), []);
});

test('opens no editor for the Output panel when a search is cancelled', async () => {
  const { page } = vscode;
  await execute('atlas.showLog');
  await page.locator('.panel .view-lines').first().click();
  const answer = execute('atlas.searchRoots', 'swords cost');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'todo.md' }).first().waitFor();
  await page.locator('.quick-input-box input').press('Escape');
  assert.equal((await answer) ?? null, null);
  assert.deepEqual(await vscode.driver.call('tabs', {}), []);
  await execute('workbench.action.closePanel');
});

test('lets an agent in VS Code search the same roots', async () => {
  const agent = vsCodeAgent(vscode);
  const [text = ''] = await agent.invoke('smart_search', { query: 'swords cost' });
  const { result } = JSON.parse(text) as { result: readonly { root: string; path: string }[] };
  assert.deepEqual([result[0]?.root, result[0]?.path], ['notes', 'todo.md']);
});

test('uses a changed ripgrep setting immediately', async () => {
  const program = join(dir, 'rg');
  const canary = join(dir, 'searched');
  writeFileSync(program, `#!/bin/sh\necho "$@" >> "${canary}"\nexec "${rgPath}" "$@"\n`, { mode: 0o755 });
  await changeSettings(vscode, { 'atlas.docs.ripgrepPath': program });
  const agent = vsCodeAgent(vscode);
  await until('a search by that program', 30_000, async () => {
    const [text = ''] = await agent.invoke('search', { query: 'shields' });
    assert.match(text, /shop\.md/);
    return existsSync(canary) ? true : undefined;
  });
});

test('[atlas.addRoot] adds a folder or a git repository with an id that no root has', async () => {
  const extra = join(dir, 'Extra Notes');
  mkdirSync(extra);
  const added = await execute('atlas.addRoot', { path: extra, kind: 'code' });
  assert.deepEqual(added, { id: 'extra-notes', kind: 'code', path: extra });
  const again = await execute('atlas.addRoot', {
    gitUrl: `${remote.url}/extra-notes.git`,
    gitRef: 'main',
    kind: 'docs',
  });
  assert.deepEqual(again, {
    id: 'extra-notes-2',
    kind: 'docs',
    gitUrl: `${remote.url}/extra-notes.git`,
    gitRef: 'main',
  });
  // Another test has revealed a folder in the Explorer.
  await execute('atlas.roots.focus');
  await shows(/extra-notes/, /extra-notes-2/);
  // The form of a person.
  const running = execute('atlas.addRoot');
  await vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Git Repository…' }).click();
  const input = vscode.page.locator('.quick-input-box input');
  await input.fill('no address');
  await vscode.page.getByText('Enter an address such as').waitFor();
  await picture(vscode.page, 'out/add-root.png');
  await input.press('Escape');
  assert.equal((await running) ?? null, null);
});
