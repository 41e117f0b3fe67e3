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
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { clickLens } from './harness/click-lens.ts';
import { replaceLostWindow } from './harness/lose-window.ts';
import { ownTheme, picture, systemLooks } from './harness/picture.ts';
import { reviewPage } from './harness/review-page.ts';
import { type ReviewWorld, reviewWorld } from './harness/review-world.ts';
import { until } from './harness/until.ts';

const pathOf = ({ script }: { script: readonly string[] }): string => script.join('/');
let world: ReviewWorld;
let vscode: ReviewWorld['vscode'];
let review: ReviewWorld['review'];
const becomes = (path: string, choice: string | undefined): Promise<true> => world.becomes(path, choice);

before(async () => {
  world = await reviewWorld({ 'window.autoDetectHighContrast': true });
  ({ vscode, review } = world);
  void vscode.driver.call('execute', { command: 'atlas.reviewChanges', args: [] }).catch(() => undefined);
  await review.shown();
});
after(() => world[Symbol.asyncDispose]());

const titleAction = (name: string) => vscode.page.locator(`.editor-actions a[aria-label^="${name}"]`).first();

test('is accessible in light, dark and high contrast themes', async () => {
  await changeSettings(vscode, { ...ownTheme, 'window.autoDetectHighContrast': true });
  await world.pictureAsShown('light');
  assert.deepEqual(await review.findings(), []);
  await vscode.driver.call('execute', { command: 'workbench.action.toggleLightDarkThemes', args: [] });
  await review.frame.locator('body.vscode-dark').waitFor();
  await world.pictureAsShown('dark');
  assert.deepEqual(await review.findings(), []);
  await vscode.page.emulateMedia({ forcedColors: 'active' });
  await review.frame.locator('body.vscode-high-contrast, body.vscode-high-contrast-light').waitFor();
  await world.pictureAsShown('high-contrast');
  assert.deepEqual(await review.findings(), []);
  await vscode.page.emulateMedia({ forcedColors: 'none' });
  await changeSettings(vscode, systemLooks);
});

test('shows whole names of changes when the review has less than 500 pixels', async () => {
  const { page } = vscode;
  const name = review.frame.locator(`[role="row"][aria-label*=" ${pathOf(diskOnly).split('/').at(-1)} "] .name .text`);
  await page.setViewportSize({ width: 700, height: 860 });
  const width = await until('the narrow review', 10_000, async () => {
    const now = await review.frame.locator('body').evaluate(body => body.clientWidth);
    return now < 500 ? now : undefined;
  });
  assert.equal(await name.evaluate(text => text.scrollWidth > text.clientWidth), false, `cut at ${width} pixels`);
  assert.equal(await review.frame.locator('.option .icon:visible').count(), 0, 'names have the room of the icons');
  await world.picture('narrow');
  assert.deepEqual(await review.findings(), []);
  await page.setViewportSize({ width: 1440, height: 860 });
});

test('limits bulk choices to the filtered changes', async () => {
  const search = review.frame.getByRole('searchbox');
  await search.fill('shop');
  await review.frame.getByText(/1 of \d+ shown/).waitFor();
  await review.frame.getByRole('button', { name: 'Skip Undecided' }).click();
  await becomes(pathOf(bothInStudio), 'skip');
  await search.fill('');
});

test('[atlas.review.acceptStudio] [atlas.review.acceptDisk] [atlas.review.skip] in diff title', async () => {
  await review.openDiff(pathOf(bothInStudio));
  await titleAction('Accept Studio').click();
  await becomes(pathOf(bothInStudio), 'pull');
  await titleAction('Accept Disk').click();
  await becomes(pathOf(bothInStudio), 'push');
  await titleAction('Skip').click();
  await becomes(pathOf(bothInStudio), 'skip');
});

test('[atlas.review.acceptStudioHere] [atlas.review.acceptDiskHere] decide a hunk by CodeLens', async () => {
  const lens = vscode.page.locator('.modified-in-monaco-diff-editor .codelens-decoration a', {
    hasText: 'Accept Studio',
  });
  await lens.first().waitFor();
  await world.picture('diff');
  // The only hunk of this diff. Monaco moves its lenses during layout.
  await clickLens(lens.last());
  await becomes(pathOf(bothInStudio), 'pull');
});

test('decides the hunk at the cursor with a key', async () => {
  const { page } = vscode;
  await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: bothOnDisk.to }).first().click();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+Alt+ArrowUp');
  await becomes(pathOf(bothInStudio), 'push');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+Alt+ArrowDown');
  await becomes(pathOf(bothInStudio), 'pull');
});

test('says which file has unsaved edits, until they are reverted', async () => {
  const { driver } = vscode;
  await driver.call('show', { uri: `file://${join(world.project, diskOnly.file)}` });
  await driver.call('edit', { before: '\n', after: '\n-- not saved\n' });
  const warning = review.frame.getByText(`${diskOnly.file} has unsaved edits in the editor`);
  await warning.waitFor();
  await world.picture('unsaved');
  await driver.call('execute', { command: 'workbench.action.files.revert', args: [] });
  await warning.waitFor({ state: 'detached' });
  await driver.call('execute', { command: 'workbench.action.closeActiveEditor', args: [] });
});

test('reopens only the decision of a file that is saved meanwhile', async () => {
  await review.choose(pathOf(diskOnly), 'push');
  const before = world.file(diskOnly.file);
  writeFileSync(join(world.project, diskOnly.file), `${before}-- saved while a person decides\n`);
  await becomes(pathOf(diskOnly), undefined);
  assert.equal(await review.chosen(pathOf(bothInStudio)), 'pull');
  // The narrow page beside a diff shows only an icon; the accessible name has the text.
  await review.frame.locator('[role="row"][aria-label*="Changed since you decided. Choose again."] .mark').waitFor();
  await world.picture('moved');
  await review.choose(pathOf(diskOnly), 'push');
});

test('shows the outcome of the review after a reload, and starts a new one', async () => {
  await vscode.page.reload();
  await review.frame.getByText('This review has ended').waitFor();
  // Whether or not the old window sent the outcome before it closed, the page must not claim a decision.
  await review.frame.getByText(/Nothing was changed|The review ended in another window/).waitFor();
  await world.picture('gone');
  await world.connected();
  await review.frame.getByRole('button', { name: 'Start New Review' }).click();
  await review.shown();
  // Choices of the old window are restored and marked.
  assert.equal(await review.chosen(pathOf(diskOnly)), 'push');
  await review.frame.locator('[role="row"][aria-label*="Chosen in an earlier review"]').first().waitFor();
  await world.picture('kept');
});

test('applies the decisions on both sides', async () => {
  await review.choose(pathOf(bothInStudio), 'pull');
  await review.choose(pathOf(studioOnly), 'pull');
  await review.choose(pathOf(diskOnly), 'push');
  await review.choose(newFile.path, 'skip');
  await review.apply();
  await review.frame.getByText('Sync completed successfully').waitFor();
  for (const edit of [bothInStudio, studioOnly, diskOnly])
    assert.equal(world.file(edit.file), await world.studio.run(sourceInStudio(edit)), edit.file);
});

// On a desktop, the extension host ends with its window.
const isDesktop = process.env['ATLAS_HOST'] === 'desktop';

test('takes over Studio and the review from a window that was lost', { skip: isDesktop }, async () => {
  appendFileSync(join(world.project, diskOnly.file), '-- after the review\n');
  const ask = (): void =>
    void vscode.driver.call('execute', { command: 'atlas.reviewChanges', args: [] }).catch(() => undefined);
  ask();
  await review.shown();
  const before = await atlasExports(vscode);
  const page = await replaceLostWindow(vscode);
  const after = await until('Studio in the new window', 60_000, async () => {
    const now = await atlasExports(vscode);
    return now.activation.ms !== before.activation.ms && /obby/.test(now.status) ? now : undefined;
  });
  assert.equal(after.studioUrl, before.studioUrl, 'Studio finds the bridge where it was');
  const next = reviewPage(page);
  // The lost window can no longer decide its review.
  ask();
  await next.shown();
  assert.equal(await next.chosen(pathOf(diskOnly)), 'push', 'the last common version is known');
  await vscode.driver.call('execute', { command: 'atlas.history.focus', args: [] });
  await page.locator('.monaco-list-row[role="treeitem"]', { hasText: 'synced by you' }).first().waitFor();
  await picture(page, 'out/host-review-taken-over.png');
});
