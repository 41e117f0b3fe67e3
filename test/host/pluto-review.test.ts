import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createNodeFileSystem } from '../../src/adapters/fs/node-file-system.ts';
import { nodeHasher as hasher } from '../../src/adapters/node/hasher.ts';
import { nodeRandom as random } from '../../src/adapters/node/random.ts';
import { deleteDeclaration } from '../../src/pluto/session/edits/delete-declaration.ts';
import { replaceDeclaration } from '../../src/pluto/session/edits/replace-declaration.ts';
import { PlutoSession } from '../../src/pluto/session/pluto-session.ts';
import { generateView } from '../../src/pluto/session/views/generate-view.ts';
import { nameOfItem, isItem } from '../../src/pluto/language/syntax/parts.ts';
import { containerOf, textInContainer } from '../harness/pluto-container.ts';
import { picture } from './harness/picture.ts';
import { clickLens } from './harness/click-lens.ts';
import { changeSettings } from './harness/change-settings.ts';
import { reviewPage, type ReviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

const { signal } = new AbortController();
const geo = `pub class Point {
    x: int
}

pub fn origin() Point {
    return Point { x: 0 }
}

pub fn far() Point {
    let a = 1
    let b = 2
    return Point { x: a + b }
}

pub fn near() int {
    return 1
}

pub fn old() {}
`;

let dir = '';
let vscode: RunningVsCode;
let review: ReviewPage;
const path = (name: string): string => join(dir, name);
const text = (name: string): string => readFileSync(path(name), 'utf8');
const containerText = (): string => textInContainer(readFileSync(path('geo.pluto')));
const pictureOf = (name: string): Promise<void> => picture(vscode.page, `out/host-pluto-${name}.png`);
/** CodeLenses in the inline diff, which replaces the side-by-side diff when space is short. */
const lenses = (title: string) => vscode.page.locator('.editor.modified .codelens-decoration a', { hasText: title });

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });

/** The details of a declaration on the page. */
async function detailsOf(name: string): Promise<string> {
  await review.frame.locator(`[role="row"][aria-label*=" ${name} "] .name`).click();
  const details = review.frame.locator('.details');
  await details.locator('h2', { hasText: name }).waitFor();
  return (await details.textContent()) ?? '';
}

const untilStatus = (wanted: RegExp): Promise<true> =>
  until<true>(`${wanted} in the status bar`, 20_000, async () => {
    const item = vscode.page.locator('.statusbar-item[id*="atlas.status"]');
    return wanted.test(await item.innerText()) ? true : undefined;
  });

/** Edits the container like another program. */
async function inContainer(
  act: (session: PlutoSession, idOf: (name: string) => Promise<string>) => Promise<unknown>,
): Promise<void> {
  const files = createNodeFileSystem(dir, hasher);
  const tool = { name: 'another program', version: '1' };
  using session = await PlutoSession.open({ files, hasher, random }, { tool }, signal);
  await act(session, async name => {
    const { module } = await session.module('geo.pluto');
    const item = module.tree.items.filter(isItem).find(one => nameOfItem(one) === name);
    return item?.id ?? '';
  });
  await session.save(signal);
}

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-pluto-review-'));
  // History is that of a project.
  writeFileSync(path('default.project.json'), JSON.stringify({ name: 'Small', tree: { $className: 'DataModel' } }));
  writeFileSync(path('geo.pluto'), containerOf(geo));
  await inContainer(session => generateView(session, 'geo.pluto'));
  writeFileSync(path('other.pluto'), containerOf('fn count() int {\n    return 0\n}\n'));
  await inContainer(session => generateView(session, 'other.pluto'));
  // By default, VS Code in a browser saves automatically.
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'files.autoSave': 'off' } });
  review = reviewPage(vscode.page);
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

test('syncs a saved .pt into its container, and regenerates it in the editor', async () => {
  const { driver } = vscode;
  const origin = (of: string): string | undefined => of.split('\n')[0];
  const made = origin(text('geo.pt'));
  await driver.call('show', { uri: `file://${path('geo.pt')}` });
  await driver.call('edit', { before: 'x: 0', after: 'x: 10' });
  assert.equal(await driver.call('save', {}), true);
  await vscode.page.getByText('geo.pluto and geo.pt are in sync: 1 declaration was synced.').first().waitFor();
  assert.match(containerText(), /x: 10/);
  assert.notEqual(origin(text('geo.pt')), made);
  await until('the renewed view', 20_000, async () => {
    const shown = await driver.call('front', {});
    return shown?.text === text('geo.pt') && !shown.isDirty ? true : undefined;
  });
});

test('opens a review on save when both sides have changed', async () => {
  const { driver } = vscode;
  await inContainer(async (session, idOf) => {
    await replaceDeclaration(
      session,
      {
        id: await idOf('far'),
        source: 'pub fn far() Point {\n    let a = 7\n    let b = 2\n    return Point { x: a - b }\n}',
      },
      signal,
    );
    await replaceDeclaration(
      session,
      { id: await idOf('near'), source: 'pub fn near() int {\n    return 7\n}' },
      signal,
    );
    await deleteDeclaration(session, await idOf('old'), signal);
  });
  await driver.call('edit', { before: 'let a = 1', after: 'let a = 5' });
  await driver.call('edit', { before: 'a + b', after: 'a * b' });
  await driver.call('edit', { before: 'x: 10', after: 'x: 11' });
  assert.equal(await driver.call('save', {}), true);
  await review.shown();
  await untilStatus(/needs your decision/);
  assert.deepEqual(await Promise.all(['far', 'near', 'old', 'origin'].map(name => review.chosen(name))), [
    undefined,
    'pull',
    undefined,
    'push',
  ]);
  assert.match(await detailsOf('far'), /both sides changed since the last sync/);
  assert.match(await detailsOf('near'), /\.pluto: only the \.pluto file changed since the last sync/);
  assert.match(await detailsOf('old'), /deletions are never suggested/);
  assert.equal(await review.canApply(), false);
  assert.deepEqual(await review.findings(), []);
  const walked = await review.walk();
  assert.deepEqual(
    walked.map(label => /\b(?:far|near|old|origin)\b/.exec(label)?.[0]),
    ['origin', 'far', 'near', 'old'],
    walked.join('\n'),
  );
  await pictureOf('review');
});

test('shows both sources side by side, and decides single hunks', async () => {
  const { driver, page } = vscode;
  await review.openDiff('far');
  await page.locator('.tab', { hasText: 'far (.pluto ↔ .pt)' }).waitFor();
  await lenses('Accept All of .pluto').first().waitFor();
  await page.locator('.editor-actions a[aria-label^="Accept .pt"]').first().waitFor();
  assert.equal((await driver.call('front', {}))?.language, 'pluto');
  await pictureOf('diff');
  const becomes = (choice: string): Promise<true> =>
    until(`far being ${choice}`, 20_000, async () => ((await review.chosen('far')) === choice ? true : undefined));
  await execute('atlas.review.acceptPt');
  await becomes('push');
  await execute('atlas.review.acceptPluto');
  await becomes('pull');
  await execute('atlas.review.acceptPtHere', null, 0);
  await lenses('Accept .pt').first().locator('.codicon-check').waitFor();
  await execute('atlas.review.acceptPlutoHere', null, 0);
  await lenses('Accept .pluto').first().locator('.codicon-check').waitFor();
  // The first hunk from the .pt, the second from the container.
  await clickLens(lenses('Accept .pt').first());
  await lenses('Accept .pt').first().locator('.codicon-check').waitFor();
  await clickLens(lenses('Accept .pluto').last());
  await becomes('merge');
  assert.doesNotMatch(text('geo.pt'), /let a = 5[^]*a - b/, 'Apply writes the hunks, nothing before it');
  await pictureOf('diff-decided');
});

test('keeps Apply and Reject clear of the notifications of VS Code', async () => {
  const { page } = vscode;
  await review.choose('origin', 'skip');
  await review.choose('old', 'pull');
  await review.frame.getByText(/\.pt: [^.]*1 removed\./).waitFor();
  await pictureOf('review-decided');
  const size = page.viewportSize() ?? assert.fail();
  const toasts = page.locator('.notification-toast');
  for (const [width, height] of [
    [1440, 900],
    [700, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    // VS Code hides notifications after some seconds.
    await until(`several notifications at ${width} px`, 20_000, async () => {
      if ((await toasts.count()) > 1) return true;
      for (const name of ['one', 'two', 'three']) await execute('atlas.syncPt', `../${name}.pt`);
      await toasts.filter({ hasText: 'three.pt is not in the folder' }).first().waitFor({ timeout: 5_000 });
      return undefined;
    });
    // A trial fails if anything covers the button.
    for (const name of ['Apply', 'Reject'])
      await review.frame.getByRole('button', { name, exact: true }).click({ trial: true, timeout: 10_000 });
    await picture(page, `out/host-pluto-review-notified-${width}.png`);
  }
  await page.setViewportSize(size);
  await execute('notifications.clearAll');
});

test('applies the decisions to both files, and keeps skipped declarations', async () => {
  await review.apply();
  await review.frame.getByText('geo.pluto and geo.pt are in sync, except 1 skipped declaration.').waitFor();
  await review.frame.locator('.details').getByText('Deleted from the .pt file').waitFor();
  await untilStatus(/waiting for Studio/);
  await pictureOf('review-ended');
  const module = containerText();
  assert.match(module, /let a = 5[^]*a - b/);
  assert.match(module, /return 7/);
  assert.match(module, /x: 10/);
  assert.doesNotMatch(module, /fn old/);
  const view = text('geo.pt');
  assert.match(view, /let a = 5[^]*a - b[^]*return 7/);
  assert.match(view, /x: 11/);
  assert.doesNotMatch(view, /fn old/);
});

test('lists each declaration of a sync in History, and shows it before and after', async () => {
  const { driver, page } = vscode;
  await execute('workbench.action.closeAllEditors');
  const rows = page
    .locator('.pane', { has: page.locator('.pane-header[aria-label^="History"]') })
    .locator('.monaco-list-row[role="treeitem"]');
  const listed = await until('the declarations of the last sync', 60_000, async () => {
    const labels = await rows.evaluateAll(all => all.map(one => one.getAttribute('aria-label') ?? ''));
    if (labels.some(label => label.startsWith('near, '))) return labels;
    // By keyboard: a click would collapse the sync while it expands.
    await execute('atlas.history.focus');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    throw new Error(labels.join('\n'));
  });
  for (const name of ['far', 'near', 'old', 'origin'])
    assert.equal(listed.filter(label => label.startsWith(`${name}, `)).length, 1, listed.join('\n'));
  await until('the diff of a declaration', 60_000, async () => {
    await rows.and(page.locator('[aria-label^="near, "]')).click({ timeout: 5_000 });
    const isOpen = async () => (await driver.call('tabs', {})).includes('near.pt (before ↔ after)');
    return until<true>('its tab', 5_000, async () => ((await isOpen()) ? true : undefined)).catch(() => undefined);
  });
  await page.locator('.original-in-monaco-diff-editor .view-line', { hasText: 'return 1' }).waitFor();
  await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: 'return 7' }).waitFor();
  await pictureOf('history');
  await execute('workbench.action.closeAllEditors');
});

test('reopens unresolved changes with Sync .pt, and changes nothing when rejected', async () => {
  const { driver } = vscode;
  const before = [readFileSync(path('geo.pluto')), text('geo.pt')];
  await driver.call('show', { uri: `file://${path('geo.pt')}` });
  await inContainer(async (session, idOf) =>
    replaceDeclaration(
      session,
      { id: await idOf('origin'), source: 'pub fn origin() Point {\n    return Point { x: 12 }\n}' },
      signal,
    ),
  );
  const asked = driver.call('execute', { command: 'atlas.syncPt', args: [] });
  asked.catch(() => undefined);
  await review.shown();
  await until('the row', 20_000, async () => ((await review.chosen('origin')) === undefined ? true : undefined));
  assert.match(await detailsOf('origin'), /both sides changed since the last sync/);
  await execute('workbench.action.closeAllEditors');
  await untilStatus(/needs your decision/);
  await vscode.page.locator('.statusbar-item[id*="atlas.status"]').click();
  await review.shown();
  await review.reject();
  await untilStatus(/waiting for Studio/);
  assert.equal(((await asked) as { status: string }).status, 'rejected');
  assert.equal(text('geo.pt'), before[1]);
  assert.match(containerText(), /x: 12/);
});

test('syncs a saved .pt only on request when atlas.pluto.syncOnSave is off', async () => {
  const { driver } = vscode;
  await changeSettings(vscode, { 'atlas.pluto.syncOnSave': false });
  await driver.call('show', { uri: `file://${path('other.pt')}` });
  let count = 0;
  // VS Code applies the setting with a delay. Until then a save still syncs, and no request remains.
  await until('a save that syncs nothing', 30_000, async () => {
    await driver.call('edit', { before: `return ${count}`, after: `return ${(count += 1)}` });
    assert.equal(await driver.call('save', {}), true);
    const { status } = (await execute('atlas.syncPt')) as { status: string };
    await until('the renewed view', 20_000, async () =>
      (await driver.call('front', {}))?.text === text('other.pt') ? true : undefined,
    );
    return status === 'synced' ? true : undefined;
  });
});
