import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { axeFindings, openReview } from '../../scripts/review-page/review-page.ts';
import { sampleRows } from '../../scripts/review-page/sample-rows.ts';
import { dark } from '../../scripts/review-page/themes.ts';
import { launchBrowser } from '../../scripts/vscode/launch-browser.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

test('shows a rename as one row, with both names, the file, and its name after a pull', async () => {
  const properties = { Name: { current: { String: 'Start' }, incoming: { String: 'Main' } } };
  const rename = { properties, hasSource: false, newFile: 'src/server/Start.server.luau' };
  const main = sampleRows.find(({ path }) => path.endsWith('Main'));
  const rows = sampleRows.map(row => (row.path.endsWith('Main') ? { ...row, ...rename } : row));
  await using review = await openReview(browser, rows, { theme: dark });
  const { page } = review;
  const row = page.getByRole('row', { name: 'Main Script' });
  assert.equal(await row.count(), 1);
  await row.click();
  assert.deepEqual(await page.getByRole('row', { name: /^Name/ }).getByRole('cell').allTextContents(), [
    '"Start"',
    '"Main"',
  ]);
  await page.getByText('src/server/Main.server.luau').waitFor();
  await page.getByText('Pull renames it to src/server/Start.server.luau').waitFor();
  await row.getByRole('radio', { name: 'Pull' }).click();
  assert.deepEqual(await review.intent('choose'), { kind: 'choose', ids: [main?.id], choice: 'pull' });
  assert.deepEqual(await axeFindings(page), []);
});
