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

test('cuts no suggestion beside a wide side bar, and aligns the words of the summary', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 1060 });
  const { page } = review;
  await page.screenshot({ path: 'out/review-1060.png' });
  const cut = await page
    .locator('.row.change .suggestion')
    .evaluateAll(cells =>
      cells
        .filter(cell =>
          [cell, ...cell.querySelectorAll('*')].some(
            part => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
          ),
        )
        .map(cell => cell.textContent),
    );
  assert.deepEqual(cut, []);
  const bottoms = await page.locator('#summary').evaluate(summary =>
    [summary.firstChild, summary.querySelector('.link')?.firstChild].map(text => {
      const range = summary.ownerDocument.createRange();
      if (text != null) range.selectNodeContents(text);
      return range.getBoundingClientRect().bottom;
    }),
  );
  assert.equal(bottoms[0], bottoms[1]);
});

test('cuts no name of a change at any width of an editor', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light });
  const { page } = review;
  for (const width of [1440, 1060, 900, 870, 840, 800, 780, 700, 560, 530, 510, 480]) {
    await page.setViewportSize({ width, height: 760 });
    const cut = await page
      .locator('.row.change .name .text')
      .evaluateAll(names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent));
    assert.deepEqual(cut, [], `at ${width} pixels`);
  }
});

test('shows the whole frame of the choices of a change at every width', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 1440 });
  const { page } = review;
  for (const width of [1440, 900, 700, 560, 480, 430, 343, 280, 210]) {
    await page.setViewportSize({ width, height: 900 });
    const below = await page.locator('.row.change').evaluateAll(rows =>
      rows.flatMap(row => {
        const frame = row.querySelector('.choice')?.getBoundingClientRect();
        const { top, bottom } = row.getBoundingClientRect();
        return frame === undefined || (frame.top >= top && frame.bottom <= bottom) ? [] : [frame.bottom - bottom];
      }),
    );
    assert.deepEqual(below, [], `at ${width} pixels`);
  }
});

test('keeps room for the names of changes with four choices at every width of a narrow editor', async () => {
  const merge = { fromDisk: [], fromStudio: [] };
  const rows = sampleRows.map(row => (row.patchType === 'Edit' ? { ...row, merge } : row));
  await using review = await openReview(browser, rows, { theme: light });
  const { page } = review;
  for (const width of [430, 380, 343, 320, 300, 280, 260, 240, 220]) {
    await page.setViewportSize({ width, height: 1000 });
    const narrow = await page
      .locator('.row.change .name .text')
      .evaluateAll(names =>
        names
          .filter(name => name.clientWidth < Math.min(name.scrollWidth, 60))
          .map(name => `${name.textContent}: ${name.clientWidth} px`),
      );
    assert.deepEqual(narrow, [], `at ${width} pixels`);
  }
});

test('keeps room for the names of changes beside another editor in a narrow window', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark, width: 210 });
  const row = review.page.getByRole('row', { name: 'RewardService' });
  const width = await row.locator('.name .text').evaluate(text => text.clientWidth);
  assert.ok(width >= 60, `${width} px`);
  assert.ok(await row.getByRole('radio', { name: 'Push' }).isEnabled());
  assert.deepEqual(await axeFindings(review.page), []);
  await review.page.screenshot({ path: 'out/review-210.png' });
});

test('cuts no filter at any width, whether it is set or not', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  const filters = page.locator('.filter select');
  /** The filters that are narrower than their text, or outside of the page. */
  const cutFilters = (): Promise<readonly string[]> =>
    filters.evaluateAll(all =>
      all.flatMap(one => {
        const { left, right, width } = one.getBoundingClientRect();
        one.style.cssText = 'position: absolute; width: max-content; max-width: none';
        const needed = one.getBoundingClientRect().width;
        one.style.cssText = '';
        const page = one.ownerDocument.documentElement.clientWidth;
        const isWhole = left >= 0 && right <= page && width >= Math.floor(needed);
        return isWhole ? [] : [`${one.querySelector('option:checked')?.textContent}: ${width} of ${needed} px`];
      }),
    );
  for (const isSet of [false, true]) {
    if (isSet) for (const filter of await filters.all()) await filter.selectOption({ index: 2 });
    for (const width of [1440, 900, 700, 480, 343, 280, 210]) {
      await page.setViewportSize({ width, height: 760 });
      assert.deepEqual(await cutFilters(), [], `at ${width} pixels`);
    }
  }
});

test('frames a chosen Skip and a set filter in a color that differs from their background', async () => {
  // VS Code's default themes of 2026 have this border, and the background of a quiet button is that of a selected row.
  const themes = [
    { ...dark, colors: { ...dark.colors, '--vscode-inputOption-activeBorder': '#2a2b2c' } },
    { ...light, colors: { ...light.colors, '--vscode-inputOption-activeBorder': '#f0f1f2' } },
  ];
  for (const theme of themes) {
    await using review = await openReview(browser, sampleRows, { theme });
    const { page } = review;
    const row = page.getByRole('row', { name: 'RewardService' });
    await row.getByRole('radio', { name: 'Skip' }).click();
    await page.locator('.filter select').first().selectOption({ index: 2 });
    const framed = row.locator('.option.skip span').or(page.locator('.filter select.set'));
    const contrasts = await framed.evaluateAll(all =>
      all
        .filter(one => one.matches('select, input + span'))
        .map(one => {
          const luminance = (color: string): number => {
            const parts = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(part => Number(part) / 255);
            const linear = parts.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
            return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
          };
          const style = one.ownerDocument.defaultView?.getComputedStyle(one);
          const both = [style?.borderColor ?? '', style?.backgroundColor ?? ''].map(luminance);
          const [low = 0, high = 0] = both.toSorted((a, b) => a - b);
          return (high + 0.05) / (low + 0.05);
        }),
    );
    assert.equal(contrasts.length, 2);
    assert.deepEqual(
      contrasts.filter(contrast => contrast < 3),
      [],
      theme.name,
    );
  }
});

test('shows the whole heading of the details and its button at 210 pixels', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 210 });
  const { page } = review;
  await page.getByRole('row', { name: 'CheckpointService' }).click();
  const details = page.locator('.details');
  await details.getByRole('heading', { name: 'CheckpointService' }).waitFor();
  await page.screenshot({ path: 'out/review-details-210.png' });
  const cut = await details.locator('h2, header button').evaluateAll(parts =>
    parts
      .filter(part => {
        const { left, right } = part.getBoundingClientRect();
        const page = part.closest('.details')?.getBoundingClientRect();
        return part.scrollWidth > part.clientWidth || page === undefined || left < page.left || right > page.right;
      })
      .map(part => part.textContent),
  );
  assert.deepEqual(cut, []);
});

test('shows at least five changes beside the side bar of a narrow window', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 343, height: 760 });
  const { page } = review;
  await page.getByRole('row', { name: 'CheckpointService' }).click();
  await review.update({ untracked: { count: 12, properties: [] } });
  const list = await page.getByRole('rowgroup').evaluate(lines => lines.parentElement?.clientHeight ?? 0);
  const row = await page
    .locator('.row')
    .first()
    .evaluate(line => line.clientHeight);
  assert.ok(list >= 5 * row, `${list} px for rows of ${row} px`);
  // A hundredth of a pixel is enough for a browser to cut a name.
  const cutBy = await page
    .locator('.group .name .text', { hasText: /^Game$/ })
    .evaluate(
      name => (name.firstElementChild?.getBoundingClientRect().width ?? 0) - name.getBoundingClientRect().width,
    );
  assert.ok(cutBy <= 0, `the name is cut by ${cutBy} px`);
  await page.screenshot({ path: 'out/review-343.png' });
});

test('shows whole names of groups in a narrow editor group, while their choices are hidden', async () => {
  const rows = sampleRows.map(row => ({ ...row, path: `ReplicatedStorage/SharedModules/${row.path}` }));
  await using review = await openReview(browser, rows, { theme: light, width: 343, height: 760 });
  const { page } = review;
  const group = page.locator('.group').first();
  await group.waitFor();
  await page.locator('.change').first().click();
  await page.mouse.move(0, 0);
  const cutBy = (): Promise<number> =>
    group.locator('.name .text').evaluate(text => text.scrollWidth - text.clientWidth);
  assert.equal(await cutBy(), 0, await group.locator('.name').innerText());
  // The choices appear where they are used, and can be pressed.
  await group.hover();
  await group.getByRole('radio', { name: /^Skip/ }).click();
  await review.intent('choose');
});

test('shows at least three changes above an open panel, also in a narrow window', async () => {
  for (const width of [343, 528, 1060]) {
    await using review = await openReview(browser, sampleRows, { theme: light, width, height: 490 });
    const { page } = review;
    await page.getByRole('row', { name: 'CheckpointService' }).click();
    await review.update({ untracked: { count: 12, properties: [] } });
    const list = await page.getByRole('rowgroup').evaluate(lines => lines.parentElement?.clientHeight ?? 0);
    const row = await page
      .locator('.row')
      .first()
      .evaluate(line => line.clientHeight);
    // The first line is the heading of the list.
    assert.ok(list >= 4 * row, `${list} px for rows of ${row} px at ${width} px`);
    await page.screenshot({ path: `out/review-${width}-low.png` });
    assert.deepEqual(await axeFindings(page), []);
  }
});

test('hides the lists of filters that are not set in a low and narrow window', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 343, height: 490 });
  const { page } = review;
  const kind = page.getByRole('combobox', { name: 'Filter by kind of change' });
  await page.getByRole('row', { name: 'CheckpointService' }).waitFor();
  assert.equal(await kind.isVisible(), false);
  await page.setViewportSize({ width: 343, height: 900 });
  await kind.selectOption('Only on disk');
  await page.setViewportSize({ width: 343, height: 490 });
  assert.ok(await kind.isVisible());
});

test('lists the properties that only Studio has, and tracks one, accessibly at every width', async () => {
  const hud = { id: 'a'.repeat(32), path: 'StarterGui/Hud', className: 'ScreenGui' };
  const properties = [
    { ...hud, property: 'Enabled', studio: { Bool: false }, default: { Bool: true } },
    {
      ...hud,
      property: 'ZIndexBehavior',
      studio: { Enum: 0 },
      studioName: 'Global',
      default: { Enum: 1 },
      defaultName: 'Sibling',
    },
  ];
  for (const [theme, width] of [
    [dark, 1440],
    [light, 700],
  ] as const) {
    await using review = await openReview(browser, sampleRows, { theme, width });
    const { page } = review;
    assert.equal(await page.getByText('not tracked').count(), 0);
    await review.update({ untracked: { count: 12, properties } });
    await page.getByText('12 properties are only in Studio and not tracked').click();
    await page.getByText('Hud.ZIndexBehavior').waitFor();
    for (const text of ['Studio: false', 'Default: true', 'Studio: Global', 'Default: Sibling', 'and 10 more'])
      assert.ok(await page.getByText(text).first().isVisible(), text);
    assert.deepEqual(await axeFindings(page), []);
    await page.screenshot({ path: `out/review-untracked-${width}.png` });
    await page.getByRole('button', { name: 'Track This Property: Enabled of StarterGui/Hud' }).click();
    const { id, property } = await review.intent('track');
    assert.deepEqual([id, property], [hud.id, 'Enabled']);
    await review.update({ comparing: true });
    await page.locator('.untracked button:disabled').first().waitFor();
    await review.update({ comparing: false, untracked: { count: 0, properties: [] } });
    await page.getByText('not tracked').waitFor({ state: 'hidden' });
  }
});

test('shows only the properties that only Studio has when nothing differs, until one is tracked', async () => {
  for (const width of [1440, 320]) {
    await using review = await openReview(browser, [], { theme: light, width });
    const { page } = review;
    const properties = Array.from({ length: 9 }, (_, index) => ({
      id: String(index).repeat(32),
      path: `StarterGui/Hud${index}`,
      className: 'ScreenGui',
      property: 'Enabled',
      studio: { Bool: false },
      default: { Bool: true },
    }));
    await review.update({ untracked: { count: 9, properties } });
    const track = (name: string) => page.getByRole('button', { name: `Track This Property: Enabled of ${name}` });
    await track('StarterGui/Hud0').waitFor();
    await page.screenshot({ path: `out/review-only-untracked-${width}.png` });
    assert.equal(await page.locator('.counts').innerText(), '0 changes');
    assert.equal(await page.getByText('Select a change to see both sides.').count(), 0);
    assert.deepEqual(await axeFindings(page), []);
    await track('StarterGui/Hud8').click();
    assert.equal((await review.intent('track')).id, '8'.repeat(32));
    await review.update({ rows: sampleRows.slice(0, 1), untracked: { count: 8, properties: properties.slice(0, 8) } });
    await page.getByText('Select a change to see both sides.').or(page.locator('.details h2')).first().waitFor();
    await track('StarterGui/Hud0').waitFor();
  }
});

test('scrolls to Apply where the page is too low for the toolbar and the properties that only Studio has', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 210, height: 440 });
  const { page } = review;
  const hud = { id: 'a'.repeat(32), path: 'StarterGui/Hud', className: 'ScreenGui', property: 'Enabled' };
  await review.update({
    untracked: { count: 1, properties: [{ ...hud, studio: { Bool: false }, default: { Bool: true } }] },
  });
  await page.getByText('1 property is only in Studio and not tracked').click();
  await page.getByRole('button', { name: 'Track This Property' }).waitFor();
  await page.getByRole('heading', { level: 1 }).hover();
  await page.mouse.wheel(0, 2_000);
  const bottom = `document.querySelector('.buttons').getBoundingClientRect().bottom`;
  await page.waitForFunction(`${bottom} <= innerHeight`, undefined, { timeout: 10_000 });
  await page.screenshot({ path: 'out/review-210-low.png' });
});
