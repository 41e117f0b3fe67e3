import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { showCard } from '../../scripts/card-page/card-page.ts';
import { launchBrowser } from '../../scripts/vscode/launch-browser.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { until } from '../harness/until.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

const hash = 'a'.repeat(40);
const conflict = {
  id: '1'.repeat(32),
  path: 'ReplicatedStorage/Shared/Config/Shop',
  direction: 'unresolved',
  patchType: 'Edit',
  className: 'ModuleScript',
  studioHash: hash,
  defaultSelection: null,
  fsPath: 'src/shared/Config/Shop.luau',
  defaultReason: 'base_both_moved',
} as const;
const part = {
  ...conflict,
  id: '2'.repeat(32),
  path: 'Workspace/Lobby/Floor',
  className: 'Part',
  studioHash: undefined,
  properties: { Transparency: { current: { Float32: 0.5 }, incoming: { Float32: 0 } } },
} as const;
const answer = {
  status: 'fastfail_unresolved',
  summary: '2 changes are undecided, so nothing was changed.',
  runId: 'run',
  outcome: 'refused',
  changes: [conflict, part, { ...conflict, id: '3'.repeat(32), direction: 'push', path: 'Decided' }],
  overrides: [],
} as unknown as SyncResult;
const done = { ...answer, status: 'success', summary: 'Sync completed.', changes: [] };
const tools = {
  get_script: { source: 'return { price = 8 }', studioHash: hash },
  open_file: { result: { lines: [{ line: 1, text: 'return { price = 12 }' }] } },
  atlas_sync: done,
};

test('shows undecided changes with both sides, and syncs with the values that were seen', async () => {
  await using shown = await showCard(browser, { answer, tools });
  const { card, calls } = shown;
  await card.getByRole('heading', { name: 'Undecided changes: 2' }).waitFor();
  assert.equal(await card.getByText('Decided', { exact: true }).count(), 0);
  const shop = card.getByRole('group', { name: /Config\/Shop/ });
  await shop.getByRole('button', { name: 'Show both sides' }).click();
  await shop.getByText('return { price = 8 }').waitFor();
  await shop.getByText('return { price = 12 }').waitFor();
  const apply = card.getByRole('button', { name: 'Apply' });
  assert.ok(await apply.isDisabled());

  await shop.getByRole('radio', { name: 'Push' }).check();
  await card.getByRole('group', { name: /Floor/ }).getByRole('radio', { name: 'Pull' }).check();
  await apply.click();
  await card.getByRole('heading', { name: 'Nothing to decide.' }).waitFor();
  assert.deepEqual(calls.at(-1), {
    name: 'atlas_sync',
    args: {
      mode: 'fastfail',
      overrides: [
        { id: conflict.id, direction: 'push', studioHash: hash },
        { id: part.id, direction: 'pull', expectedProperties: { Transparency: { Float32: 0.5 } } },
      ],
    },
  });
  // The context reaches the host in a message after the card has changed.
  await until(() => shown.modelContexts.length > 0);
  assert.match(shown.modelContexts.join(''), /Sync completed\./, 'the agent hears of it');
  assert.deepEqual(shown.complaints, []);
});

test('reports an outdated decision and clears all decisions', async () => {
  const verdict = { id: conflict.id, direction: 'push', verdict: 'hash_mismatch' };
  const moved = { ...answer, changes: [conflict], overrides: [verdict] };
  await using shown = await showCard(browser, {
    answer: { ...answer, changes: [conflict] },
    tools: { ...tools, atlas_sync: moved },
  });
  await shown.card.getByRole('radio', { name: 'Push' }).check();
  await shown.card.getByRole('button', { name: 'Apply' }).click();
  await shown.card.getByText('Changed since you decided. Choose again.').waitFor();
  assert.ok(await shown.card.getByRole('button', { name: 'Apply' }).isDisabled());
  await shown.card.getByRole('button', { name: 'Decide in Review' }).click();
  await shown.card.getByText('1 undecided').waitFor();
  // The card already showed that text, so it does not say that the call was made.
  await until(() => shown.calls.length > 1);
  assert.deepEqual(shown.calls.at(-1), { name: 'atlas_sync', args: { mode: 'manual', overrides: [] } });
});

test('says which side could not be read, and that a side without a file has no value', async () => {
  const refused = { ...tools, get_script: { isError: true }, open_file: { isError: true } };
  const onlyInStudio = { ...part, className: 'Script', studioHash: hash, properties: {}, fsPath: null };
  await using shown = await showCard(browser, {
    answer: { ...answer, changes: [conflict, onlyInStudio] } as unknown as SyncResult,
    tools: refused,
  });
  const shop = shown.card.getByRole('group', { name: /Config\/Shop/ });
  await shop.getByRole('button', { name: 'Show both sides' }).click();
  await shop.getByText('Could not read the script from Studio.').waitFor();
  await shop.getByText('The text is in src/shared/Config/Shop.luau.').waitFor();
  const floor = shown.card.getByRole('group', { name: /Floor/ });
  await floor.getByRole('button', { name: 'Show both sides' }).click();
  assert.equal(await floor.getByRole('region', { name: 'On disk' }).locator('pre').innerText(), 'no value');
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const contrast = {
  '--color-text-primary': '#ffffff',
  '--color-text-secondary': '#ffffff',
  '--color-background-primary': '#000000',
  '--color-background-secondary': '#000000',
  '--color-border-primary': '#6fc3df',
};
for (const [name, context] of Object.entries({
  light: { theme: 'light' },
  dark: { theme: 'dark' },
  'high contrast': { theme: 'dark', styles: { variables: contrast } },
}))
  test(`the card is accessible in the theme of its host: ${name}`, async () => {
    await using shown = await showCard(browser, { answer, tools, context });
    await shown.card.getByRole('heading', { name: 'Undecided changes: 2' }).waitFor();
    await shown.card.getByRole('button', { name: 'Show both sides' }).click();
    await shown.card.getByText('return { price = 8 }').waitFor();
    const frame = shown.page.frames()[1];
    assert.ok(frame !== undefined);
    await frame.evaluate(axe);
    const found = await frame.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
    );
    assert.deepEqual(found, []);
    await shown.page.screenshot({ path: `out/card-${name.replace(' ', '-')}.png` });
  });
