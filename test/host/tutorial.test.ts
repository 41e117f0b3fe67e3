import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { prepareExample } from '../../scripts/start/prepare-example.ts';
import type { RemoveSetUpResult, SetUpResult } from '../../src/setup/vscode/set-up-commands.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { toolCatalog } from '../../src/app/tool-catalog.ts';
import { picture } from './harness/picture.ts';
import { type ReviewPage, reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { toolCalls } from './harness/tool-calls.ts';
import { shownImage } from './harness/shown-image.ts';
import { until } from './harness/until.ts';
import { pressEnterInPick } from './harness/palette.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
/** The Luau lines that the tutorial has the reader run in Studio, in order. */
const typed = Array.from(
  readFileSync(join(root, 'docs/tutorial.md'), 'utf8').matchAll(/^\{"run": .*\}$/gm),
  ([line]) => (JSON.parse(line) as { run: string }).run,
);

let dir = '';
let game = '';
let plugin = '';
let launcher = '';
let vscode: RunningVsCode;
let review: ReviewPage;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-tutorial-'));
  game = join(dir, 'obby');
  await prepareExample(game);
  const roblox = join(dir, 'wine/drive_c/users/steamuser/AppData/Local/Roblox');
  mkdirSync(roblox, { recursive: true });
  plugin = join(roblox, 'Plugins/AtlasBridge.rbxmx');
  launcher = join(dir, 'state/atlas-bridge/bin/atlas-bridge');
  vscode = await startVsCode({
    hasChat: true,
    folder: game,
    settings: { 'atlas.port': 0, 'atlas.timeoutMultiplier': 4 },
    env: { HOME: join(dir, 'home'), XDG_STATE_HOME: join(dir, 'state'), WINEPREFIX: join(dir, 'wine') },
  });
  review = reviewPage(vscode.page);
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const sync = async (command = 'atlas.sync'): Promise<SyncResult> => (await execute(command)) as SyncResult;
const file = (path: string): string => readFileSync(join(game, path), 'utf8');
const edit = (path: string, from: string, to: string): void => {
  assert.ok(file(path).includes(from), `${path} holds ${from}`);
  writeFileSync(join(game, path), file(path).replace(from, to));
};
const inStudio = async (luau: string): Promise<void> =>
  assert.equal(((await execute('atlas.runLuauHeadless', luau)) as { outcome: string }).outcome, 'done', luau);
const directionsOf = (result: SyncResult): readonly string[] =>
  result.changes.map(one => `${one.direction} ${one.path}`);
const pictureOf = (name: string): Promise<void> => picture(vscode.page, `out/host-tutorial-${name}.png`);

test('bundles the guides with working links from the index to this tutorial', async () => {
  await execute('atlas.openGuides');
  const shown = async (text: string, act: 'look' | 'click') =>
    until(`a page with ${text}`, 30_000, async () => {
      for (const frame of vscode.page.frames()) {
        const found = frame.locator('.markdown-body, body.vscode-body').getByText(text, { exact: true });
        if ((await found.count()) === 0) continue;
        if (act === 'click') await found.first().click();
        return true;
      }
      return undefined;
    });
  await shown('Documentation', 'look');
  // The README of the package, with pictures that are in the package.
  await shown('the overview', 'click');
  await shownImage(vscode.page, 'The review in VS Code');
  await pictureOf('readme');
  await execute('atlas.openGuides');
  await shown('Documentation', 'look');
  await shown('tutorial.md', 'click');
  await shown('Five minutes with the obby', 'look');
  await pictureOf('guide');
  await execute('workbench.action.closeAllEditors');
});

test("step 2: Set Up This Folder puts one file into Studio's Plugins folder", async () => {
  const done = (await execute('atlas.setUpHere')) as SetUpResult;
  assert.deepEqual(done.plugin, [plugin]);
  assert.ok(existsSync(plugin));
  await execute('notifications.clearAll');
});

test('steps 2 and 3: builds a place, opens it in headless Studio, and finds no differences', async () => {
  const place = join(dir, 'obby.rbxl');
  assert.equal(((await execute('atlas.build', { output: place })) as { outcome: string }).outcome, 'done');
  assert.equal(((await execute('atlas.openPlaceHeadless', place)) as { outcome: string }).outcome, 'done');
  assert.equal((await sync()).status, 'empty');
  await pictureOf('connected');
});

test('step 4: pushes a changed file without a question, after a dry run that changes nothing', async () => {
  edit('src/shared/Config/Stages.luau', 'reward = 5', 'reward = 6');
  const looked = await sync('atlas.syncDryRun');
  assert.deepEqual(directionsOf(looked), ['push ReplicatedStorage/Shared/Config/Stages']);
  // VS Code shows the report as a Markdown preview.
  await review.frame.getByText('Stages').first().waitFor();
  await pictureOf('dry-run');
  const synced = await sync();
  assert.equal(synced.status, 'success', synced.summary);
  assert.deepEqual(directionsOf(synced), ['push ReplicatedStorage/Shared/Config/Stages']);
  await pictureOf('pushed');
});

test('step 5: writes a change in Studio to the file', async () => {
  await inStudio(typed[0] ?? '');
  const synced = await sync();
  assert.deepEqual([synced.status, ...directionsOf(synced)], ['success', 'pull ReplicatedStorage/Shared/Config/Game']);
  assert.match(file('src/shared/Config/Game.luau'), /respawnSeconds = 1,/);
});

test('step 6: reviews a conflict in the diff editor and applies the accepted text', async () => {
  await execute('workbench.action.closeAllEditors');
  edit('src/shared/Config/Shop.luau', 'price = 10', 'price = 12');
  await inStudio(typed[1] ?? '');
  const syncing = sync();
  await review.shown();
  const shop = 'ReplicatedStorage/Shared/Config/Shop';
  assert.equal(await review.chosen(shop), undefined, 'no rule can know which one is wanted');
  assert.equal(await review.frame.getByRole('button', { name: 'Open Diff' }).count(), 1);
  await pictureOf('review');
  await review.openDiff(shop);
  await vscode.page.locator('.tabs-container').getByText('Shop').first().waitFor();
  await pictureOf('diff');
  const accept = vscode.page.locator('.editor-actions [aria-label^="Accept Studio"]').first();
  await accept.click();
  await until('Studio accepted', 15_000, async () => ((await review.chosen(shop)) === 'pull' ? true : undefined));
  await review.apply();
  const synced = await syncing;
  assert.equal(synced.status, 'success', synced.summary);
  assert.match(file('src/shared/Config/Shop.luau'), /price = 8/);
});

test('step 7: lists a sync in History and restores one side after a review', async () => {
  const rows = vscode.page.locator('.quick-input-list .monaco-list-row');
  const restoring = sync('atlas.restore');
  await until('the syncs of steps 4, 5 and 6', 20_000, async () => ((await rows.count()) === 3 ? true : undefined));
  await pictureOf('restore');
  // The sync changed one side only, so no side is asked for.
  await pressEnterInPick(vscode.page);
  // The list of syncs names the same script.
  await vscode.page.locator('.quick-input-widget', { hasText: '1 Selected' }).waitFor();
  await pressEnterInPick(vscode.page);
  await review.frame.getByText('Disk: 1 restored.').waitFor();
  await review.apply();
  assert.equal((await restoring).status, 'success');
  assert.match(file('src/shared/Config/Shop.luau'), /price = 12/);
});

test('step 8: an agent resolves the conflict without overwriting concurrent edits', async () => {
  const { call } = toolCalls(vsCodeAgent(vscode), toolCatalog);
  const shop = 'src/shared/Config/Shop.luau';
  const price = (from: number, to: number): string =>
    `local shop = game.ReplicatedStorage.Shared.Config.Shop; shop.Source = string.gsub(shop.Source, 'price = ${from}', 'price = ${to}', 1)`;
  // After step 7 the file has 12, and Studio has the accepted value of step 6. Change Studio too.
  await inStudio(price(8, 9));
  const conflict = await call('atlas_sync', { mode: 'fastfail' });
  assert.equal(conflict['status'], 'fastfail_unresolved', JSON.stringify(conflict));
  const [change] = conflict['changes'] as readonly { readonly id: string; readonly path: string }[];
  assert.equal(change?.path, 'ReplicatedStorage/Shared/Config/Shop');

  const read = await call('get_script', { id: change.id });
  assert.match(String(read['source']), /price = 9/);
  edit(shop, 'price = 12', 'price = 11');
  await inStudio(price(9, 7));
  const push = async (studioHash: unknown) =>
    call('atlas_sync', { mode: 'fastfail', overrides: [{ id: change.id, direction: 'push', studioHash }] });
  const late = await push(read['studioHash']);
  assert.equal(late['status'], 'fastfail_unresolved', JSON.stringify(late));
  assert.match(JSON.stringify(late['overrides']), /"verdict":"hash_mismatch"/);
  const now = await call('get_script', { id: change.id });
  assert.match(String(now['source']), /price = 7/, 'what was typed is there');

  const synced = await push(now['studioHash']);
  assert.equal(synced['status'], 'success', JSON.stringify(synced));
  const { source } = await call('get_script', { fsPath: shop });
  assert.equal(source, file(shop));
  assert.match(file(shop), /price = 11/);
});

test('step 8: connects another agent, runs Doctor, and removes everything', async () => {
  const { file: entry } = (await execute('atlas.connectAgent', { client: 'claude-code', confirmed: true })) as {
    file: string;
  };
  for (const path of [plugin, entry, launcher]) assert.ok(existsSync(path), path);

  await execute('atlas.doctor');
  const rows = vscode.page.locator('.quick-input-list .monaco-list-row');
  for (const line of [/Project Obby is open\./, /The Studio plugin .* is installed\./, /Studio is connected: obby\./])
    await rows.filter({ hasText: line }).waitFor();
  await pictureOf('doctor');
  await vscode.page.keyboard.press('Escape');

  const removing = execute('atlas.removeEverything') as Promise<RemoveSetUpResult>;
  await vscode.page.getByRole('button', { name: 'Remove', exact: true }).click();
  const removed = await removing;
  assert.deepEqual(removed.plugin, [plugin]);
  assert.deepEqual(removed.agents, [{ client: 'claude-code', file: entry }]);
  assert.deepEqual(removed.other, [launcher, join(dir, 'state/atlas-bridge/studio-keys.json')]);
  for (const path of [plugin, entry, launcher]) assert.equal(existsSync(path), false, path);
  assert.match(file('src/shared/Config/Shop.luau'), /price = 11/, 'the project is as it was');
});
