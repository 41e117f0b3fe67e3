import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  bothInStudio,
  bothOnDisk,
  diskOnly,
  newFile,
  sourceInStudio,
  studioOnly,
} from '../../scripts/start/demo-edits.ts';
import { SyncResult } from '../../src/protocol/sync-result.ts';
import { picture } from './harness/picture.ts';
import { clickLens } from './harness/click-lens.ts';
import { pressEnterInPick, runFromPalette } from './harness/palette.ts';
import { type ReviewPage, reviewPage } from './harness/review-page.ts';
import { type ReviewWorld, reviewWorld } from './harness/review-world.ts';
import { ACTION_TIMEOUT_MS } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const pathOf = ({ script }: { script: readonly string[] }): string => script.join('/');
const onDiskToo = '-- only disk has this line\n';
let world: ReviewWorld;
let vscode: ReviewWorld['vscode'];
let review: ReviewWorld['review'];
let answer: Promise<SyncResult>;

const result = async (texts: Promise<readonly string[]>): Promise<SyncResult> =>
  SyncResult.parse(JSON.parse((await texts)[0] ?? ''));
const lens = (title: string) => vscode.page.locator('.codelens-decoration a', { hasText: title }).first();
const titleAction = (name: string) => vscode.page.locator(`.editor-actions a[aria-label^="${name}"]`).first();
const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });

/** Moves the review to a separate window, operates it there, and moves it back. */
async function inSeparateWindow(
  act: (there: ReviewPage, pictureOf: (name: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const { page } = vscode;
  await page.locator('.tab', { hasText: 'Review Changes' }).click();
  const opening = page.context().waitForEvent('page');
  await execute('workbench.action.moveEditorToNewWindow');
  const other = await opening;
  other.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const there = reviewPage(other);
  await there.shown();
  await act(there, name => picture(other, `out/host-review-${name}.png`));
  const closed = other.waitForEvent('close');
  await execute('workbench.action.restoreEditorsToMainWindow');
  await closed;
}

before(async () => {
  world = await reviewWorld({ hasChat: true, 'files.autoSave': 'afterDelay' }, project =>
    appendFileSync(join(project, bothInStudio.file), onDiskToo),
  );
  ({ vscode, review } = world);
  const agent = vsCodeAgent(vscode);
  const looking = agent.invoke('atlas_sync', { mode: 'dryrun' });
  await agent.allow();
  const { changes } = await result(looking);
  const change = changes.find(({ fsPath }) => fsPath === diskOnly.file);
  assert.ok(change !== undefined, 'the agent sees what differs');
  const { id, studioHash } = change;
  answer = result(agent.invoke('atlas_sync', { mode: 'manual', overrides: [{ id, direction: 'push', studioHash }] }));
  answer.catch(() => undefined);
  await agent.allow();
  await review.shown();
});
after(() => world[Symbol.asyncDispose]());

test("declines and accepts an agent's request in the diff editor", async () => {
  assert.equal(await review.chosen(pathOf(diskOnly)), 'push');
  await review.openDiff(pathOf(diskOnly));
  await clickLens(lens('Decline'));
  await world.becomes(pathOf(diskOnly), 'skip');
  await clickLens(lens('Agent asks to push: Accept'));
  await world.becomes(pathOf(diskOnly), 'push');
  await world.picture('agent-lens');
});

test('[atlas.review.openFile] shows a diff that cannot be edited, and opens its file', async () => {
  const { page } = vscode;
  await review.openDiff(pathOf(bothInStudio));
  const modified = page.locator('.modified-in-monaco-diff-editor').last();
  await modified.locator('.view-line', { hasText: 'local Types' }).first().click();
  const before = world.file(bothInStudio.file);
  await page.keyboard.type('typed over the file');
  await execute('workbench.action.files.saveAll');
  assert.equal(world.file(bothInStudio.file), before);
  // A revert at the typed text would only remove that text, so this one is at a difference.
  await modified.locator('.view-line', { hasText: bothOnDisk.to }).first().click();
  await execute('diffEditor.revert');
  await execute('workbench.action.files.saveAll');
  assert.equal(await page.locator('.monaco-diff-editor .gutter .codicon-arrow-right:visible').count(), 0);
  assert.equal(await page.locator('.tab.dirty').count(), 0);
  assert.equal(world.file(bothInStudio.file), before);
  await world.picture('read-only-diff');
  await page.keyboard.press('Escape');
  await titleAction('Open File').click();
  await page.locator('.tab.active', { hasText: 'Shop.luau' }).waitFor();
  await page.locator('.tab.active[aria-label^="Shop.luau"]').waitFor();
  await execute('workbench.action.closeActiveEditor');
});

test('moves the one review to a separate window and back', async () => {
  await inSeparateWindow(async (there, pictureOf) => {
    assert.equal(await vscode.page.locator('iframe.webview.ready').count(), 0, 'it left the first window');
    assert.equal(await there.chosen(pathOf(diskOnly)), 'push');
    await there.choose(pathOf(studioOnly), 'skip');
    await pictureOf('own-window');
  });
  await review.shown();
  assert.equal(await review.chosen(pathOf(studioOnly)), 'skip');
  await review.choose(pathOf(studioOnly), 'pull');
});

test('[atlas.review.completeMerge] decides for one side when the merge is exactly its text', async () => {
  const { page } = vscode;
  const before = world.file(studioOnly.file);
  await review.choose(pathOf(studioOnly), 'skip');
  await review.openDiff(pathOf(studioOnly));
  await titleAction('Merge').click();
  await page.getByText('0 Conflicts Remaining').waitFor();
  await titleAction('Complete Merge').click();
  await world.becomes(pathOf(studioOnly), 'pull');
  assert.equal(world.file(studioOnly.file), before, 'a decision writes nothing');
});

test('[atlas.review.merge] [atlas.review.completeMerge] merges both sides with their base', async () => {
  const { page } = vscode;
  const before = world.file(bothInStudio.file);
  const inStudio = await world.studio.run(sourceInStudio(bothInStudio));
  await review.openDiff(pathOf(bothInStudio));
  await titleAction('Merge').click();
  // The result has the conflict, with markers that Luau reads as comments.
  await page.getByText('--<<<<<<< Studio').first().waitFor();
  // The result is named by its script, wherever its text is kept.
  const shown = await page.locator('.editor-group-container', { has: page.locator('.merge-editor') }).innerText();
  assert.doesNotMatch(shown, /tmp|workspaceStorage|atlas-host/);
  await page.locator('.merge-editor .result .description', { hasText: bothInStudio.file }).waitFor();
  await world.picture('merge');
  await titleAction('Complete Merge').click();
  const refusal = 'Shop.luau still has conflicts. Resolve each of them, then complete the merge.';
  await page.locator('.notification-list-item', { hasText: refusal }).waitFor();
  await page.locator('.merge-editor').waitFor();
  assert.equal(await review.chosen(pathOf(bothInStudio)), undefined);
  await execute('notifications.clearAll');
  await clickLens(page.locator('.merge-editor a', { hasText: /^Reset to base$/ }).first());
  const accept = page.locator('.merge-editor a', { hasText: /^Accept Studio$/ }).first();
  await accept.waitFor();
  // VS Code ignores a save that is requested while it prepares another one, here the auto save.
  const autoSave = vscode.driver.call('holdNextSave', {});
  await clickLens(accept);
  await page.getByText('0 Conflicts Remaining').waitFor();
  await autoSave;
  await titleAction('Complete Merge').click();
  await world.becomes(pathOf(bothInStudio), 'merge');
  assert.equal(
    world.file(bothInStudio.file),
    before,
    'a completed merge is a decision; nothing is written before Apply',
  );
  assert.equal(await world.studio.run(sourceInStudio(bothInStudio)), inStudio);
  await review.frame.locator('.details').getByText('Merged text').waitFor();
  await world.picture('merged');
});

test('applies the merged text from a separate window with the hash that was seen', async () => {
  await inSeparateWindow(async (there, pictureOf) => {
    await there.choose(newFile.path, 'skip');
    await there.apply();
    await there.frame.getByText('Sync completed successfully').waitFor();
    await pictureOf('applied-own-window');
  });
  const { status, overrides } = await answer;
  assert.equal(status, 'success');
  assert.deepEqual(
    overrides.map(({ verdict }) => verdict),
    ['accepted'],
  );
  assert.ok(world.file(bothInStudio.file).includes(`${bothInStudio.to},`), 'what Studio had is in the merge');
  assert.ok(world.file(bothInStudio.file).endsWith(onDiskToo), 'what only disk had is still there');
  for (const edit of [bothInStudio, diskOnly, studioOnly])
    assert.equal(world.file(edit.file), await world.studio.run(sourceInStudio(edit)), edit.file);
});

test('Atlas Bridge: Why This Suggestion? explains base, disk and Studio of a change', async () => {
  const { page } = vscode;
  writeFileSync(join(world.project, diskOnly.file), `${world.file(diskOnly.file)}-- newer\n`);
  const explaining = execute('atlas.explainDefault');
  explaining.catch(() => undefined);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Stages' }).first().waitFor();
  await world.picture('explain-pick');
  await page.keyboard.type('Stages');
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Stages' }).waitFor();
  await pressEnterInPick(page);
  assert.match(String(await explaining), /Disk: changed since.*Studio: unchanged since.*push is suggested/);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Only disk has changed since').waitFor();
  await world.picture('explain');
  await page.keyboard.press('Escape');
});

test('[atlas.restore] [atlas.review.restoreChange] lists the runs, previews one side in a review, and restores it', async () => {
  const { page } = vscode;
  const rows = page.locator('.quick-input-list .monaco-list-row');
  const restoring = execute('atlas.restore');
  restoring.catch(() => undefined);
  await rows.first().waitFor();
  await world.picture('restore-runs');
  await pressEnterInPick(page);
  await rows.filter({ hasText: 'Restores the files' }).waitFor();
  await world.picture('restore-side');
  await pressEnterInPick(page);
  await rows.filter({ hasText: 'Game' }).waitFor();
  await world.picture('restore-changes');
  await pressEnterInPick(page);
  await review.frame.getByText('Apply', { exact: true }).waitFor();
  await review.frame.locator('.details').getByText('Restore: the version from before the sync').waitFor();
  await review.frame.getByText('Disk: 2 restored.').waitFor();
  await world.picture('restore');
  assert.deepEqual(await review.findings(), []);
  assert.equal(await review.frame.getByRole('button', { name: 'Push All' }).count(), 0);
  await review.openDiff(studioOnly.file);
  await page.locator('.tab.active', { hasText: '(before the sync ↔ disk now)' }).waitFor();
  await world.picture('restore-diff');
  await titleAction('Skip').click();
  await world.becomes(studioOnly.file, 'skip');
  await titleAction('Restore This Change').click();
  await world.becomes(studioOnly.file, 'pull');
  await review.frame.getByRole('button', { name: 'Restore All' }).click();
  await review.frame.getByText('all decided').waitFor();
  await review.apply();
  await until('the restore', 30_000, async () =>
    world.file(studioOnly.file).includes(studioOnly.from) ? true : undefined,
  );
  assert.equal(((await restoring) as { status: string }).status, 'success');
  await world.picture('restored');
});

test('Atlas Bridge: Restore… restores some changes in Studio as a separate, reviewed run', async () => {
  const { page } = vscode;
  const rows = page.locator('.quick-input-list .monaco-list-row');
  const [stages = '', shop = ''] = await Promise.all(
    [diskOnly, bothInStudio].map(async edit => String(await world.studio.run(sourceInStudio(edit)))),
  );
  assert.ok(stages.includes(diskOnly.to) && shop.endsWith(onDiskToo), 'what the agent pushed is in Studio');
  const onDisk = world.file(diskOnly.file);

  await runFromPalette(page, 'Atlas Bridge: Restore…');
  await page.getByText('Restore: Choose a Sync').waitFor();
  await until("the restore of files, and the agent's sync", 10_000, async () =>
    (await rows.count()) === 2 ? true : undefined,
  );
  await rows.filter({ hasText: '3 scripts synced by' }).click();
  await rows.filter({ hasText: 'Restores Studio to its state' }).click();
  await page.getByText('Restore: Choose Changes').waitFor();
  // Whatever takes the focus meanwhile, the question stays.
  await execute('workbench.action.focusActiveEditorGroup');
  assert.equal(await rows.count(), 2, 'what was written to disk alone is not offered');
  await rows.filter({ hasText: pathOf(bothInStudio) }).click();
  await page.getByText('1 Selected').waitFor();
  assert.match(await rows.filter({ hasText: pathOf(bothInStudio) }).innerText(), /ModuleScript, Merged on both sides/);
  await world.picture('restore-studio-changes');
  await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();

  await review.frame.getByText('Studio: 1 restored.').waitFor();
  await review.frame
    .getByText(/^1 change · all decided/)
    .first()
    .waitFor();
  await world.picture('restore-studio');
  assert.deepEqual(await review.findings(), []);
  assert.equal(await world.studio.run(sourceInStudio(diskOnly)), stages, 'nothing before a person has applied it');
  await review.openDiff(pathOf(diskOnly));
  await page.locator('.tab.active', { hasText: '(Studio now ↔ before the sync)' }).waitFor();
  await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: diskOnly.from }).first().waitFor();
  await world.picture('restore-studio-diff');
  await review.frame.getByRole('button', { name: 'Restore All' }).click();
  await review.apply();
  await review.frame.getByText('Restore completed successfully').waitFor();
  await world.picture('restored-studio');

  const restored = String(await world.studio.run(sourceInStudio(diskOnly)));
  assert.ok(restored.includes(diskOnly.from) && !restored.includes(diskOnly.to), restored);
  assert.equal(await world.studio.run(sourceInStudio(bothInStudio)), shop, 'what was not chosen stays');
  assert.equal(world.file(diskOnly.file), onDisk, 'disk has no part in it');
  await runFromPalette(page, 'Atlas Bridge: Restore…');
  await until('the restore in the list', 10_000, async () => ((await rows.count()) === 3 ? true : undefined));
  assert.match(await rows.first().innerText(), /restored by you[\s\S]*1 restored in obby/);
  await page.keyboard.press('Escape');
});
