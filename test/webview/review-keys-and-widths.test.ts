import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { axeFindings, openReview } from '../../scripts/review-page/review-page.ts';
import { launchBrowser } from '../../scripts/vscode/launch-browser.ts';
import { sampleRows } from '../../scripts/review-page/sample-rows.ts';
import { dark, light } from '../../scripts/review-page/themes.ts';

let browser: Browser;
before(async () => {
  mkdirSync('out', { recursive: true });
  browser = await launchBrowser();
});
after(() => browser.close());

const decided = sampleRows.map(row => ({ ...row, choice: row.choice ?? ('skip' as const) }));

test('applies with Ctrl+Enter, and focuses the next undecided change while there is one', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light });
  const { page } = review;
  await page.getByRole('row', { name: 'CheckpointService' }).click();
  await page.keyboard.press('Control+Enter');
  await page.locator('.row.is-undecided:focus').waitFor();
  assert.equal(
    review.intents.some(({ kind }) => kind === 'apply'),
    false,
  );
  await review.update({ rows: decided });
  await page.getByText('all decided').waitFor();
  await page.keyboard.press('Control+Enter');
  assert.equal((await review.intent('apply')).kind, 'apply');
});

test('says that no change matches the filters, and clears them', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('searchbox').fill('nothing is called this');
  await page.getByText('No change matches the filters.').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.screenshot({ path: 'out/review-empty-filter.png' });
  await page.getByRole('button', { name: 'Clear Filters' }).last().click();
  await page.getByRole('row', { name: 'Main Script' }).waitFor();
});

test('shows the names of changes and choices instead of icons below 500 pixels', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 480 });
  const row = review.page.getByRole('row', { name: 'RewardService' });
  for (const name of ['Push', 'Pull', 'Skip']) assert.ok(await row.getByText(name, { exact: true }).isVisible(), name);
  const isCut = await row.locator('.name .text').evaluate(text => text.scrollWidth > text.clientWidth);
  assert.equal(isCut, false);
  await review.page.screenshot({ path: 'out/review-480.png' });
});
