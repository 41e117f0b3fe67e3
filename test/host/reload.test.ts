import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bothInStudio, diskOnly, studioOnly } from '../../scripts/start/demo-edits.ts';
import { reloadWindow } from './harness/reload-window.ts';
import { type ReviewWorld, reviewWorld } from './harness/review-world.ts';
import { until } from './harness/until.ts';

let world: ReviewWorld;
let vscode: ReviewWorld['vscode'];
const name = bothInStudio.script.at(-1) ?? '';
const pathOf = ({ script }: { readonly script: readonly string[] }): string => script.join('/');

before(async () => {
  world = await reviewWorld({ 'atlas.changes.autoCompare': false });
  ({ vscode } = world);
});
after(() => world[Symbol.asyncDispose]());

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const tabs = (): Promise<readonly string[]> => vscode.driver.call('tabs', {});
const shownTabs = (wanted: (labels: readonly string[]) => boolean): Promise<true> =>
  until<true>('the tabs', 30_000, async () => {
    const labels = await tabs();
    if (wanted(labels)) return true;
    throw new Error(labels.join('\n'));
  });

test('says after a reload that the preview of a dry run has ended, and how to get a current one', async () => {
  await execute('atlas.syncDryRun');
  await world.review.frame.getByRole('heading', { name: 'Dry run' }).waitFor();
  await reloadWindow(vscode);
  await world.review.frame.getByText('This preview ended when the window was reloaded').waitFor({ timeout: 60_000 });
  await world.picture('ended-dry-run');
  await execute('workbench.action.closeAllEditors');
});

test('shows the texts of a recorded sync again after a reload', async () => {
  await world.connected();
  const reviewing = execute('atlas.reviewChanges');
  await world.review.shown();
  await world.review.choose(pathOf(diskOnly), 'push');
  await world.review.choose(pathOf(studioOnly), 'pull');
  await world.review.frame.getByRole('button', { name: 'Skip Undecided' }).click();
  await world.review.apply();
  await reviewing;
  await execute('workbench.action.closeAllEditors');
  const runId = await execute('atlas.showRun');
  assert.equal(typeof runId, 'string');
  // VS Code restores a preview only if it has been drawn.
  await world.review.frame.getByRole('heading', { name: /^Sync of/ }).waitFor();
  await execute('atlas.history.showDiff', runId);
  await shownTabs(labels => labels.length === 2);
  await reloadWindow(vscode);
  const text = diskOnly.to.split('\n')[0] ?? '';
  const line = vscode.page.locator('.multiDiffEntry .view-line', { hasText: text.trim().split(' ')[0] ?? '' });
  await line.first().waitFor({ timeout: 60_000 });
  await world.picture('restored-recorded-diffs');
  await execute('workbench.action.closeAllEditors');
});

test('closes a comparison with Studio that ended with the window', async () => {
  await world.connected();
  await execute('atlas.compareWithStudio');
  await execute('atlas.changes.focus');
  await vscode.page.locator('.monaco-list-row', { hasText: name }).first().click();
  await shownTabs(labels => labels.some(label => label.includes('(Studio ↔ disk)')));
  await execute('workbench.action.keepEditor');
  await reloadWindow(vscode);
  await shownTabs(labels => labels.length === 0);
});
