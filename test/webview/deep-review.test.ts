import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openReview } from '../../scripts/review-page/review-page.ts';
import { sampleRows } from '../../scripts/review-page/sample-rows.ts';
import { dark } from '../../scripts/review-page/themes.ts';
import { launchBrowser } from '../../scripts/vscode/launch-browser.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

test('shows the names of changes 200 levels deep, without an element for each level', async () => {
  const [sample] = sampleRows;
  assert.ok(sample);
  const rows = Array.from({ length: 200 }, (_, level) => ({
    ...sample,
    id: level.toString(16).padStart(32, '0'),
    path: Array.from({ length: level + 1 }, (_, index) => `Frame${index}`).join('/'),
  }));
  await using review = await openReview(browser, rows, { theme: dark });
  const { page } = review;
  await page.locator('.row.change').first().focus();
  await page.keyboard.press('End');
  const last = page.locator('.row.change', { hasText: 'Frame199' });
  await last.waitFor();
  const [row, name] = [await last.boundingBox(), await last.getByText('Frame199', { exact: true }).boundingBox()];
  assert.ok(row && name && name.x > row.x && name.x + name.width < row.x + row.width / 2, JSON.stringify([row, name]));
  const elements = await last.locator('.cell.name *').count();
  assert.ok(elements < 30, `${elements} elements`);
});
