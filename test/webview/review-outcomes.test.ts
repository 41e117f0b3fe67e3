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

test('says whether a change created or deleted something, and names an instance with a slash', async () => {
  const rows = sampleRows.flatMap((row, index) =>
    index > 1
      ? []
      : [
          {
            ...row,
            choice: 'push' as const,
            path: `Workspace/Door/${index}`,
            name: `Door/${index}`,
            patchType: index === 0 ? ('Add' as const) : ('Remove' as const),
            outcome: 'applied' as const,
          },
        ],
  );
  await using review = await openReview(browser, rows, { theme: dark });
  await review.update({ phase: 'ended', outcome: '2 changes applied in Studio.', rows });
  await review.page.getByRole('row', { name: 'Door/0' }).getByText('Created in Studio').waitFor();
  await review.page.getByRole('row', { name: 'Door/1' }).getByText('Deleted in Studio').waitFor();
  await review.page.getByRole('heading', { name: /^Door\/0/ }).waitFor();
  assert.deepEqual(await axeFindings(review.page), []);
});

test('marks what a restore deletes and brings back by separate icons', async () => {
  const kinds = ['Add', 'Remove'] as const;
  const rows = kinds.flatMap((patchType, index) =>
    sampleRows.slice(index, index + 1).map(row => ({ ...row, patchType, path: `Workspace/${patchType}` })),
  );
  await using review = await openReview(browser, rows, { theme: dark });
  const iconsOf = (): Promise<readonly string[]> =>
    Promise.all(
      kinds.map(kind =>
        review.page.getByRole('row', { name: kind, exact: false }).locator('.kind').first().getAttribute('class'),
      ),
    ).then(classes => classes.map(one => one?.replace('kind ', '') ?? ''));
  assert.deepEqual(await iconsOf(), ['Add', 'Remove']);
  await review.update({ restore: 'disk' });
  assert.deepEqual(await iconsOf(), ['Delete', 'Add']);
  await review.update({ restore: 'studio' });
  assert.deepEqual(await iconsOf(), ['Add', 'Delete']);
});
