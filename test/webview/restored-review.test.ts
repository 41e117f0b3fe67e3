import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { axeFindings, openReview } from '../../scripts/review-page/review-page.ts';
import { launchBrowser } from '../../scripts/vscode/launch-browser.ts';
import { sampleRows } from '../../scripts/review-page/sample-rows.ts';
import { dark } from '../../scripts/review-page/themes.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

test('says that the review of a restored page has ended, and starts a new one', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark, hold: true });
  await review.send({ kind: 'ended', isElsewhere: false, outcome: null });
  await review.page.getByText('This review has ended').waitFor();
  assert.deepEqual(await axeFindings(review.page), []);
  await review.page.getByRole('button', { name: 'Start New Review' }).click();
  await review.intent('reviewAgain');
});

test('shows the outcome that the page received before it was restored', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  await review.update({ phase: 'ended', outcome: 'The sync was cancelled. Nothing was changed.' });
  await review.page.getByText('The sync was cancelled').waitFor();
  await review.send({ kind: 'ended', isElsewhere: false, outcome: null });
  await review.page.getByText('This review has ended').waitFor();
  await review.page.getByText('The sync was cancelled. Nothing was changed.').waitFor();
});

test('shows that another window has the review open, then the outcome when it ends', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  await review.send({ kind: 'ended', isElsewhere: true, outcome: null });
  await review.page.getByRole('heading', { name: 'This review is open in another window' }).waitFor();
  await review.page.getByText('Decide there.').waitFor();
  assert.equal(await review.page.getByText('has ended.').count(), 0);
  assert.equal(await review.page.getByRole('button').count(), 0, 'another one would be refused');
  assert.deepEqual(await axeFindings(review.page), []);
  await review.send({ kind: 'ended', isElsewhere: false, outcome: 'Sync completed successfully: 1 pushed.' });
  await review.page.getByRole('heading', { name: 'This review has ended' }).waitFor();
  await review.page.getByText('Sync completed successfully: 1 pushed.').waitFor();
  await review.page.getByRole('button', { name: 'Start New Review' }).waitFor();
});

test('shows whole headings in the narrowest editor group', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark, width: 210 });
  const { page } = review;
  const isWhole = (heading: string): Promise<boolean> =>
    page
      .getByRole('heading', { name: heading })
      .evaluate(text => text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight);
  await review.update({ placeName: 'The Great Lighthouse Obby of Summer' });
  assert.ok(await isWhole('The Great Lighthouse Obby of Summer'));
  for (const [isElsewhere, heading] of [
    [true, 'This review is open in another window'],
    [false, 'This review has ended'],
  ] as const) {
    await review.send({ kind: 'ended', isElsewhere, outcome: null });
    assert.ok(await isWhole(heading), heading);
  }
});

test('makes no claim about an undecided review whose record is in another storage', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'Main Script' }).waitFor();
  await review.send({ kind: 'ended', isElsewhere: false, outcome: null });
  await page.getByText('The sync ended before you decided.').waitFor();
  await page.evaluate(`sessionStorage.state = sessionStorage.state.replace('"storage":"here"', '"storage":"there"')`);
  await review.send({ kind: 'ended', isElsewhere: false, outcome: null });
  await page.getByText('The review ended in another window.').waitFor();
  assert.equal(await page.getByText('The sync ended before you decided.').count(), 0);
});
