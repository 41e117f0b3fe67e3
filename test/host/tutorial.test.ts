import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { prepareExample } from '../../scripts/start/prepare-example.ts';
import type { SyncResult } from '../../src/protocol/sync.ts';
import { type ReviewPage, reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
/** The lines of Luau that the tutorial has typed into Studio, in its order. */
const typed = Array.from(
  readFileSync(join(root, 'docs/tutorial.md'), 'utf8').matchAll(/^\{"run": .*\}$/gm),
  ([line]) => (JSON.parse(line) as { run: string }).run,
);

let dir = '';
let game = '';
let vscode: RunningVsCode;
let review: ReviewPage;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-tutorial-'));
  game = join(dir, 'obby');
  await prepareExample(game);
  vscode = await startVsCode({ folder: game, settings: { 'atlas.port': 0, 'atlas.budgetScale': 4 } });
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
const told = (result: SyncResult): readonly string[] => result.changes.map(one => `${one.direction} ${one.path}`);
const picture = async (name: string): Promise<void> => {
  await vscode.page.screenshot({ path: join(root, `out/host-tutorial-${name}.png`) });
};

test('steps 2 and 3: a place is built and opened without Studio, and both sides agree', async () => {
  const place = join(dir, 'obby.rbxl');
  assert.equal(((await execute('atlas.build', { output: place })) as { outcome: string }).outcome, 'done');
  assert.equal(((await execute('atlas.openPlaceHeadless', place)) as { outcome: string }).outcome, 'done');
  assert.equal((await sync()).status, 'empty');
  await picture('connected');
});

test('step 4: disk moves; a dry run suggests push and changes nothing, a sync carries it out without a question', async () => {
  edit('src/shared/Config/Stages.luau', 'reward = 5', 'reward = 6');
  const looked = await sync('atlas.syncDryRun');
  assert.deepEqual(told(looked), ['push ReplicatedStorage/Shared/Config/Stages']);
  await picture('dry-run');
  const synced = await sync();
  assert.equal(synced.status, 'success', synced.summary);
  assert.deepEqual(told(synced), ['push ReplicatedStorage/Shared/Config/Stages']);
  await picture('pushed');
});

test('step 5: Studio moves; the file is written', async () => {
  await inStudio(typed[0] ?? '');
  const synced = await sync();
  assert.deepEqual([synced.status, ...told(synced)], ['success', 'pull ReplicatedStorage/Shared/Config/Game']);
  assert.match(file('src/shared/Config/Game.luau'), /respawnSeconds = 1,/);
});

test('step 6: both move; the review opens, a diff shows both texts, and what is accepted is applied', async () => {
  await execute('workbench.action.closeAllEditors');
  edit('src/shared/Config/Shop.luau', 'price = 10', 'price = 12');
  await inStudio(typed[1] ?? '');
  const syncing = sync();
  await review.shown();
  const shop = 'ReplicatedStorage/Shared/Config/Shop';
  assert.equal(await review.chosen(shop), undefined, 'no rule can know which one is wanted');
  assert.equal(await review.frame.getByRole('button', { name: 'Open Diff' }).count(), 1);
  await picture('review');
  await review.openDiff(shop);
  await vscode.page.locator('.tabs-container').getByText('Shop').first().waitFor();
  await picture('diff');
  const accept = vscode.page.locator('.editor-actions [aria-label^="Accept Studio"]').first();
  await accept.click();
  await until('Studio accepted', 15_000, async () => ((await review.chosen(shop)) === 'pull' ? true : undefined));
  await review.apply();
  const synced = await syncing;
  assert.equal(synced.status, 'success', synced.summary);
  assert.match(file('src/shared/Config/Shop.luau'), /price = 8/);
});

test('step 7: a sync that changed something is listed, and one side of it comes back after a review', async () => {
  const rows = vscode.page.locator('.quick-input-list .monaco-list-row');
  const restoring = sync('atlas.restore');
  await rows.first().waitFor();
  assert.equal(await rows.count(), 3, 'the syncs of steps 4, 5 and 6');
  await picture('restore');
  for (const next of ['The files become what they were', 'Shop']) {
    await vscode.page.keyboard.press('Enter');
    await rows.filter({ hasText: next }).first().waitFor();
  }
  await vscode.page.keyboard.press('Enter');
  await review.frame.getByText('1 file will be brought back on disk as recorded.').waitFor({ timeout: 30_000 });
  await review.apply();
  assert.equal((await restoring).status, 'success');
  assert.match(file('src/shared/Config/Shop.luau'), /price = 12/);
});

test('step 8: in the chat the agent has the tools; Doctor and Remove Everything are there', async () => {
  const commands = await vscode.driver.call('commands', {});
  for (const command of ['atlas.connectAgent', 'atlas.doctor', 'atlas.removeEverything'])
    assert.ok(commands.includes(command), command);
});
