import { reasonOf } from '../../src/protocol/reason.ts';
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { ReviewRow } from '../../src/protocol/review.ts';
import { axeFindings, openReview } from '../../scripts/review-page/review-page.ts';
import { launchBrowser } from '../../scripts/vscode/launch-browser.ts';
import { sampleRows } from '../../scripts/review-page/sample-rows.ts';
import { dark, highContrast, light } from '../../scripts/review-page/themes.ts';

let browser: Browser;
before(async () => {
  mkdirSync('out', { recursive: true });
  browser = await launchBrowser();
});
after(() => browser.close());

const decided: readonly ReviewRow[] = sampleRows.map(row => ({ ...row, choice: row.choice ?? 'skip' }));
const idOf = (name: string): string => sampleRows.find(row => row.path.endsWith(name))!.id;

test('sends a click on Push, Pull or Skip as a choice and shows the answer', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const main = review.page.getByRole('row', { name: 'Main Script' });
  await main.getByRole('radio', { name: 'Push' }).click();
  assert.deepEqual(await review.intent('choose'), { kind: 'choose', ids: [idOf('Main')], choice: 'push' });
  await review.page.getByText('4 undecided').waitFor();
  assert.ok(await main.getByRole('radio', { name: 'Push' }).isChecked());
});

test('offers Merge, by mouse and by M, only for changes with a merge, and shows its result', async () => {
  const merge = { fromDisk: ['Transparency'], fromStudio: [], preview: '@@ line 3 @@\n+local health = 20' };
  const rows = sampleRows.map(row => (row.path.endsWith('Main') ? { ...row, merge } : row));
  await using review = await openReview(browser, rows, { theme: dark });
  const { page } = review;
  const main = page.getByRole('row', { name: 'Main Script' });
  assert.equal(await page.getByRole('radio', { name: 'Merge' }).count(), 1);
  await page.getByRole('row', { name: 'RewardService' }).focus();
  await page.keyboard.press('m');
  await main.getByRole('radio', { name: 'Merge' }).click();
  assert.deepEqual(await review.intent('choose'), { kind: 'choose', ids: [idOf('Main')], choice: 'merge' });
  await page.getByText('From disk: Transparency').waitFor();
  await page.getByText('+local health = 20').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.screenshot({ path: 'out/review-merge.png' });
});

test('keeps the list and Apply visible in a small editor group, whatever the details show', async () => {
  for (const [width, height] of [
    [540, 460],
    [1000, 380],
    [420, 560],
  ] as const) {
    await using review = await openReview(browser, sampleRows, { theme: light, width, height });
    const { page } = review;
    await page.getByRole('row', { name: 'RewardService' }).click();
    const bottomOf = async (part: string): Promise<number> => {
      const box = await page.locator(part).boundingBox();
      assert.ok(box !== null && box.height > 40, `${part} of ${width} × ${height}`);
      return box.y + box.height;
    };
    assert.ok((await bottomOf('.decision')) <= height, `${width} × ${height}`);
    assert.ok((await bottomOf('.tree')) < height, `${width} × ${height}`);
    await page.screenshot({ path: `out/review-low-${width}.png` });
  }
});

test('can be completed with the keyboard alone', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'RewardService' }).focus();
  await page.keyboard.press('p');
  await page.getByText('4 undecided').waitFor();
  for (const [left, key] of [
    ['3 undecided', 's'],
    ['2 undecided', 'p'],
    ['1 undecided', 'l'],
    ['all decided', 'p'],
  ] as const) {
    await page.keyboard.press('n');
    await page.keyboard.press(key);
    await page.locator('.counts').getByText(left).waitFor();
  }
  const choices = review.snapshot().rows.map(row => row.choice);
  assert.deepEqual(choices, ['pull', 'push', 'push', 'skip', 'push', 'push', 'pull', 'pull', 'push']);
  await page.getByRole('button', { name: 'Apply', exact: true }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await review.intent('apply'), { kind: 'apply', revision: review.snapshot().revision });
});

test('moves between lines with up and down without changing a choice, even in a radio group', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'CheckpointService' }).focus();
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').inputValue(), 'pull');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.locator(':focus').innerText(), /LeaderboardService/);
  await page.keyboard.press('ArrowUp');
  assert.ok(!review.intents.some(intent => intent.kind === 'choose'));
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.getByRole('row', { name: 'CheckpointService' }).count(), 0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  assert.match(await page.locator(':focus').innerText(), /Camera/);
});

test('has only the active line and its controls in the tab order', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const stops = await review.page.locator('.tree [tabindex="0"]').count();
  assert.equal(stops, 4);
});

test('disables Apply while a change is undecided, explains it, and links to the change', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const apply = review.page.getByRole('button', { name: 'Apply', exact: true });
  assert.ok(await apply.isDisabled());
  assert.match((await apply.getAttribute('title')) ?? '', /5 changes are undecided/);
  await review.page.getByRole('button', { name: 'Next undecided' }).click();
  assert.match(await review.page.locator(':focus').innerText(), /Main/);
  await review.page.getByRole('button', { name: 'Skip Undecided' }).click();
  await review.page.getByText('all decided').waitFor();
  assert.ok(await apply.isEnabled());
  await review.page.getByText(review.snapshot().summary).waitFor();
});

test('skips deletions in bulk choices', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  await review.page.getByRole('button', { name: 'Push All' }).click();
  const pushed = await review.intent('choose');
  const removals = sampleRows.filter(row => row.patchType === 'Remove').map(row => row.id);
  assert.equal(pushed.ids.length, sampleRows.length - removals.length);
  assert.ok(removals.every(id => !pushed.ids.includes(id)));
  await review.page.getByText('2 deletions were skipped').waitFor();
  const seen = review.intents.length;
  await review.page.getByRole('row', { name: 'Workspace / Obby' }).getByRole('radio', { name: 'Pull' }).click();
  assert.deepEqual((await review.intent('choose', seen)).ids, [idOf('Spinner'), idOf('OldBridge')]);
});

test('sends each direction once for Use Suggestions, without changes that have no suggestion', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  await review.page.getByRole('button', { name: 'Use Suggestions' }).click();
  const sent = await review.sent('choose', 2);
  assert.deepEqual(
    sent.map(intent => [intent.choice, intent.ids]),
    [
      ['push', [idOf('Signal')]],
      ['pull', [idOf('CheckpointService'), idOf('Spinner')]],
    ],
  );
});

test('opens sources in the diff editor by button, Enter and double click', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'Main Script' }).getByText('Main', { exact: true }).click();
  await page.getByRole('button', { name: 'Open Diff' }).click();
  await page.getByRole('row', { name: 'Main Script' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'Signal' }).getByText('Signal', { exact: true }).dblclick();
  const opened = await review.sent('openDiff', 3);
  assert.deepEqual(
    opened.map(({ id }) => id),
    [idOf('Main'), idOf('Main'), idOf('Signal')],
  );
  await page.getByRole('row', { name: 'OldBridge' }).getByText('OldBridge').click();
  assert.equal(await page.getByRole('button', { name: 'Open Diff' }).count(), 0);
});

test('shows properties side by side in readable form', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  await review.page.getByRole('row', { name: 'Spinner' }).getByText('Spinner').click();
  const cells = await review.page.locator('.details tbody tr').allInnerTexts();
  assert.deepEqual(
    cells.map(cell => cell.split(/\s*\t\s*/)),
    [
      ['Color', '237, 84, 79', '51, 143, 219'],
      ['Size', '24, 1, 4', '18, 1, 4'],
      ['CFrame', 'at 0, 12.5, -40', 'at 0, 10, -40'],
      ['Anchored', 'true', 'false'],
      ['Material', 'no value', '1088'],
    ],
  );
});

test('shows a rejected request and returns to the state of the extension', async () => {
  await using review = await openReview(browser, decided, { theme: dark });
  await review.page.getByRole('button', { name: 'Apply', exact: true }).click();
  await review.intent('apply');
  await review.send({
    kind: 'failed',
    message: 'The review changed while you were deciding; check it and choose again.',
  });
  await review.page.getByRole('alert').getByText('choose again').waitFor();
  await review.page.getByRole('button', { name: 'Dismiss' }).click();
  assert.equal(await review.page.getByRole('alert').count(), 0);
});

test('disables choices while applying and after the end, and shows the outcome', async () => {
  await using review = await openReview(browser, decided, { theme: dark });
  await review.update({ phase: 'applying' });
  await review.page.getByText('Applying…').waitFor();
  await review.page.getByText('Requested by Copilot.', { exact: true }).waitFor();
  assert.equal(await review.page.getByRole('radio').and(review.page.locator(':enabled')).count(), 0);
  assert.equal(await review.page.getByRole('button', { name: 'Apply', exact: true }).count(), 0);
  const rows = decided.map((row, index) => ({
    ...row,
    outcome: index === 0 ? ('failed' as const) : ('written' as const),
    reason: index === 0 ? reasonOf('disk_changed') : null,
  }));
  await review.update({ phase: 'ended', outcome: '3 changes applied in Studio, 2 files written.', rows });
  await review.page.getByText('3 changes applied in Studio').waitFor();
  await review.page
    .getByRole('row', { name: 'CheckpointService' })
    .getByText('the files changed on disk since the comparison')
    .waitFor();
  assert.deepEqual(await axeFindings(review.page), []);
  await review.page.screenshot({ path: 'out/review-ended.png' });
  await review.page.getByRole('row', { name: 'Main Script' }).focus();
  await review.page.keyboard.press('p');
  assert.ok(!review.intents.some(intent => intent.kind === 'choose'));
});

test('restores collapsed groups and the active line after a reload within the same run', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  await review.page.getByRole('row', { name: 'ReplicatedStorage' }).focus();
  await review.page.keyboard.press('ArrowLeft');
  await review.page.reload();
  await review.page.getByRole('row', { name: 'ReplicatedStorage', expanded: false, selected: true }).waitFor();
});

test('shows a name that looks like markup as text', async () => {
  const path = 'Workspace/<img src=x onerror=alert(1)>';
  await using review = await openReview(browser, [{ ...sampleRows[0]!, path }], { theme: dark });
  await review.page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  assert.deepEqual(review.complaints, []);
});

test('needs time linear in the number of changes', async () => {
  const many = (count: number): readonly ReviewRow[] =>
    Array.from({ length: count }, (_, index) => ({
      ...sampleRows[3]!,
      id: index.toString(16).padStart(32, '0'),
      path: `ServerScriptService/Area${Math.floor(index / 50)}/Script${index}`,
    }));
  const measure = async (count: number): Promise<number> => {
    await using review = await openReview(browser, many(count), { theme: dark, hold: true });
    const started = performance.now();
    await review.send({ kind: 'snapshot', snapshot: review.snapshot() });
    await review.intent('rendered');
    await review.page.getByRole('button', { name: 'Skip Undecided' }).click();
    await review.page.getByText('all decided').waitFor();
    return performance.now() - started;
  };
  // Quadratic work would take 100 times as long. Uses the best of several runs, because the machine may be busy.
  const best = async (n: number) => Math.min(await measure(n), await measure(n), await measure(n));
  const [few, tenTimes] = [await best(200), await best(2000)];
  assert.ok(tenTimes < 40 * few, `200 changes: ${Math.round(few)} ms, 2,000 changes: ${Math.round(tenTimes)} ms`);
});

const tenThousand: readonly ReviewRow[] = Array.from({ length: 10_000 }, (_, index) => ({
  ...sampleRows[3]!,
  id: index.toString(16).padStart(32, '0'),
  path: `ServerScriptService/Area${Math.floor(index / 50)}/Script${index}`,
}));

test('renders only the visible lines of 10,000 changes, and reaches all by keyboard', async () => {
  await using review = await openReview(browser, tenThousand, { theme: dark });
  const { page } = review;
  const drawn = (): Promise<number> => page.locator('.row.change').count();
  assert.ok((await drawn()) < 60, `${await drawn()} lines`);
  await page.locator('.row[aria-selected="true"]').focus();
  await page.keyboard.press('End');
  await page.getByRole('row', { name: 'Script9999 ' }).waitFor();
  assert.match(await page.locator(':focus').innerText(), /Script9999/);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('s');
  await page.locator('.counts').getByText('9999 undecided').waitFor();
  // The active line stays rendered and focused, wherever the list is scrolled.
  const focused = await page.locator(':focus').getAttribute('id');
  await page.locator('.tree').evaluate(list => ((list as unknown as { scrollTop: number }).scrollTop = 0));
  await page.getByRole('row', { name: 'Script0 ' }).waitFor();
  assert.equal(await page.locator(':focus').getAttribute('id'), focused);
  assert.ok((await drawn()) < 60);
  assert.deepEqual(await axeFindings(page), []);
});

test('filters by words, kind, class and decision, and limits bulk choices to the shown ones', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.keyboard.press('/');
  await page.keyboard.type('shared signal');
  await page.getByText('1 of 9 shown').waitFor();
  await page.getByRole('button', { name: 'Pull Shown' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Filter by kind of change').selectOption('Edit');
  await page.getByLabel('Filter by class').selectOption('ModuleScript');
  await page.getByText('3 of 9 shown').waitFor();
  await page.getByRole('button', { name: 'Push Shown' }).click();
  const shown = ['CheckpointService', 'LeaderboardService', 'RewardService'].map(idOf);
  assert.deepEqual((await review.intent('choose')).ids.toSorted(), shown.toSorted());
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await page.getByLabel('Filter by decision').selectOption('undecided');
  await page.getByText('4 of 9 shown').waitFor();
  // A decided line stays visible until the filter changes.
  await page.getByRole('row', { name: 'Main Script' }).getByRole('radio', { name: 'Skip' }).click();
  await page.locator('.counts').getByText('3 undecided').waitFor();
  assert.equal(await page.getByText('4 of 9 shown').count(), 1);
});

test('marks rows that follow another choice with a link, and rows that changed since', async () => {
  const rows = sampleRows.map(row => {
    if (row.id === idOf('Palette')) return { ...row, choice: 'push' as const, follows: idOf('Signal') };
    return row.id === idOf('Main') ? { ...row, isReopened: true } : row;
  });
  await using review = await openReview(browser, rows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'Palette' }).getByText('With Signal').click();
  await page.getByRole('button', { name: 'With ReplicatedStorage/Shared/Signal' }).click();
  assert.match(await page.locator(':focus').innerText(), /Signal/);
  await page.getByRole('row', { name: 'Main Script' }).getByText('Changed since you decided. Choose again.').click();
  await page.getByText('Changed while you were reviewing').waitFor();
  assert.deepEqual(await axeFindings(page), []);
});

test('filters by the side that changed', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByLabel('Filter by side').selectOption('studio');
  await page.getByText('2 of 9 shown').waitFor();
  await page.getByLabel('Filter by side').selectOption('disk');
  await page.getByText('1 of 9 shown').waitFor();
  await page.getByRole('row', { name: 'Signal' }).getByText('Signal', { exact: true }).click();
  await page.locator('.details').getByText('Changed on disk').waitFor();
});

test('shows two classes with one path as a replacement, with links between the lines', async () => {
  const old = { ...sampleRows[7]!, path: 'Workspace/Obby/Gate', className: 'Model' };
  const next = { ...sampleRows[4]!, path: 'Workspace/Obby/Gate', className: 'Folder', choice: null };
  await using review = await openReview(browser, [next, old], { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'Replace Gate Folder' }).getByText('Gate').click();
  await page.getByText('Model in Studio, Folder on disk').waitFor();
  await page.getByRole('button', { name: 'Only in Studio Gate Model' }).click();
  assert.match(await page.locator(':focus').innerText(), /Model/);
  assert.deepEqual(await axeFindings(page), []);
});

test('marks choices from before a reload until they are chosen again', async () => {
  const rows = sampleRows.map(row =>
    row.id === idOf('Main') ? { ...row, choice: 'push' as const, isRestored: true } : row,
  );
  await using review = await openReview(browser, rows, { theme: dark });
  const main = review.page.getByRole('row', { name: 'Main Script' });
  await main.getByText('Chosen in an earlier review').waitFor();
  await main.getByRole('radio', { name: 'Push' }).click();
  assert.deepEqual((await review.intent('choose')).ids, [idOf('Main')]);
  await main.getByText('Chosen in an earlier review').waitFor({ state: 'detached' });
});

test("accepts or declines an agent's request in the details", async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'RewardService' }).getByText('RewardService').click();
  await page.getByRole('button', { name: 'Accept' }).click();
  assert.deepEqual(await review.intent('choose'), { kind: 'choose', ids: [idOf('RewardService')], choice: 'push' });
  await page.getByRole('button', { name: 'Decline' }).click();
  assert.equal((await review.sent('choose', 2))[1]?.choice, 'skip');
});

test('shows enum items by name, and links references to the line of their instance', async () => {
  const rows = sampleRows.map(row =>
    row.id === idOf('Spinner')
      ? {
          ...row,
          properties: {
            Material: { current: { Enum: 256 }, incoming: { Enum: 1088 } },
            Target: { current: { Ref: idOf('OldBridge') }, incoming: { Ref: 'f'.repeat(32) } },
          },
          enumNames: { Material: { current: 'Plastic' } },
        }
      : row,
  );
  const paths = { [idOf('OldBridge')]: 'Workspace/Obby/OldBridge', ['f'.repeat(32)]: 'Workspace/Other' };
  await using review = await openReview(browser, rows, { theme: dark, paths });
  const { page } = review;
  await page.getByRole('row', { name: 'Spinner' }).getByText('Spinner').click();
  const cells = await page.locator('.details tbody td').allInnerTexts();
  assert.deepEqual(cells, ['Plastic', '1088', 'Workspace/Obby/OldBridge', 'Workspace/Other']);
  await page.getByRole('button', { name: 'Workspace/Obby/OldBridge' }).click();
  assert.match(await page.locator(':focus').innerText(), /OldBridge/);
});

test('disables Apply and says so while both sides are compared again', async () => {
  await using review = await openReview(browser, decided, { theme: dark });
  const { page } = review;
  await page.getByRole('button', { name: 'Compare Again' }).click();
  await review.intent('refresh');
  await review.update({ comparing: true });
  await page.getByRole('button', { name: 'Comparing again' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled());
  await review.update({ comparing: false });
  await page.getByRole('button', { name: 'Compare Again' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Apply', exact: true }).isEnabled());
});

test('lists items that were not compared, however many, accessibly in every theme', async () => {
  const warnings = [
    'Material of Workspace/Obby/Spinner was not compared: Studio cannot read the value in the files (unknown enum item).',
    'src/shared/Config/Shop.model.json:3:14 has an error: a comma is missing. Until you fix it, Atlas Bridge uses the last valid version. If there is none, it ignores the file, and does not compare what only Studio has in that folder.',
  ];
  for (const theme of [dark, light, highContrast]) {
    await using review = await openReview(browser, sampleRows, { theme });
    const { page } = review;
    assert.equal(await page.getByText('compared').count(), 0, 'nothing is said where everything was compared');
    await review.update({ warnings: warnings.slice(0, 1) });
    await page.getByText('1 warning', { exact: true }).waitFor();
    await review.update({ warnings });
    await page.getByText('2 warnings').waitFor();
    assert.deepEqual(await page.locator('.warnings li').allInnerTexts(), warnings);
    assert.deepEqual(await axeFindings(page), []);
    await page.screenshot({ path: `out/review-${theme.name}-warnings.png` });
    // The warnings stay after a choice, and can be collapsed with the keyboard.
    await page.getByRole('row', { name: 'Main Script' }).getByRole('radio', { name: 'Push' }).click();
    await page.getByText('4 undecided').waitFor();
    await page.locator('.warnings summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('.warnings li').first().waitFor({ state: 'hidden' });
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(review.complaints, []);
  }
  await using low = await openReview(browser, sampleRows, { theme: light, width: 420, height: 560 });
  await low.update({ warnings: Array.from({ length: 30 }, (_, index) => `${index}: ${warnings[1] ?? ''}`) });
  await low.page.getByText('30 warnings').waitFor();
  const tree = await low.page.locator('.tree').boundingBox();
  assert.ok(tree !== null && tree.height > 40, 'the list has room');
  const decision = await low.page.locator('.decision').boundingBox();
  assert.ok(decision !== null && decision.y + decision.height <= 560, 'Apply is visible');
  await low.page.screenshot({ path: 'out/review-low-warnings.png' });
});

test('requests a snapshot when it has missed a revision', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { rows: _rows, paths: _paths, warnings: _warnings, ...status } = review.snapshot();
  const seen = review.intents.length;
  await review.send({ kind: 'delta', base: 41, status: { ...status, revision: 42 }, rows: [] });
  await review.intent('ready', seen);
});

test('announces the number of changes and undecided changes of a group to screen readers', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'Game, 3 changes, 1 undecided', exact: true }).waitFor();
  await page.getByRole('row', { name: 'RewardService' }).getByRole('radio', { name: 'Pull' }).click();
  await review.intent('choose');
  await page.getByRole('row', { name: 'Game, 3 changes', exact: true }).waitFor();
});

test('chooses by digit, for the subtree with Shift, and moves back with Shift+N', async () => {
  await using review = await openReview(browser, sampleRows, { theme: dark });
  const { page } = review;
  await page.getByRole('row', { name: 'Main Script' }).focus();
  await page.keyboard.press('1');
  assert.deepEqual(await review.intent('choose'), { kind: 'choose', ids: [idOf('Main')], choice: 'pull' });
  await page.keyboard.press('Shift+N');
  assert.match(await page.locator(':focus').innerText(), /RewardService/);
});

for (const theme of [dark, light, highContrast])
  test(`passes axe and the content security policy in ${theme.name}, with and without a decision`, async () => {
    await using review = await openReview(browser, sampleRows, { theme });
    assert.deepEqual(await axeFindings(review.page), []);
    await review.page.screenshot({ path: `out/review-${theme.name}.png` });
    await review.page.getByRole('row', { name: 'Spinner' }).getByText('Spinner').click();
    await review.page.getByRole('table').getByRole('rowheader', { name: 'Color' }).scrollIntoViewIfNeeded();
    assert.deepEqual(await axeFindings(review.page), []);
    await review.page.screenshot({ path: `out/review-${theme.name}-properties.png` });
    await review.page.getByRole('row', { name: 'OldBridge' }).getByRole('radio', { name: 'Push' }).click();
    await review.page.getByText('4 undecided').waitFor();
    await review.send({ kind: 'failed', message: 'The file changed on disk.' });
    await review.page.getByRole('alert').waitFor();
    assert.deepEqual(await axeFindings(review.page), []);
    await review.page.screenshot({ path: `out/review-${theme.name}-deletion.png` });
    assert.deepEqual(review.complaints, []);
  });

test('keeps every control usable with forced colors and in narrow groups', async () => {
  await using review = await openReview(browser, sampleRows, { theme: light, width: 420, forcedColors: true });
  assert.deepEqual(await axeFindings(review.page), []);
  await review.page.getByRole('row', { name: 'Main Script' }).getByRole('radio', { name: 'Pull' }).click();
  await review.page.getByText('4 undecided').waitFor();
  await review.page.screenshot({ path: 'out/review-narrow-forced-colors.png' });
});
