import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  bothInStudio,
  bothOnDisk,
  diskOnly,
  newFile,
  sourceInStudio,
  studioOnly,
} from '../../scripts/start/demo-edits.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { changeSettings } from './harness/change-settings.ts';
import { clickLens } from './harness/click-lens.ts';
import { chooseFromMenu } from './harness/menu.ts';
import { ownTheme, systemLooks } from './harness/picture.ts';
import { pressRowAction } from './harness/press-row-action.ts';
import { type ReviewWorld, reviewWorld } from './harness/review-world.ts';
import { ACTION_TIMEOUT_MS } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { walkView } from './harness/view-keys.ts';

let world: ReviewWorld;
let vscode: ReviewWorld['vscode'];

before(async () => {
  world = await reviewWorld({ 'atlas.changes.autoCompare': false });
  ({ vscode } = world);
  await execute('atlas.changes.focus');
});
after(() => world[Symbol.asyncDispose]());

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const nameOf = ({ script }: { script: readonly string[] }): string => script.at(-1) ?? '';
/** A view of the Atlas Bridge container, by its title. */
const pane = (title: string) =>
  vscode.page.locator('.pane').filter({ has: vscode.page.locator(`.pane-header[aria-label^="${title}"]`) });
const rows = (title: string) => pane(title).locator('.monaco-list-row[role="treeitem"]');
const labels = (found: ReturnType<typeof rows>): Promise<readonly string[]> =>
  found.evaluateAll(all => all.map(one => one.getAttribute('aria-label') ?? ''));
const lines = (title: string): Promise<readonly string[]> => labels(rows(title));
const shows = (title: string, ...wanted: readonly RegExp[]): Promise<readonly string[]> =>
  until(`${title} showing ${wanted.join(' ')}`, 20_000, async () => {
    const now = await lines(title);
    if (wanted.every(one => now.some(line => one.test(line)))) return now;
    throw new Error(now.join('\n'));
  });
/** A line of a view: rows of other views, like those of the Explorer, have the same names. */
const line = (title: string, name: string) => rows(title).filter({ hasText: name }).first();
/** The choice of every change in the view, in its words, by name. */
const choices = async (): Promise<Readonly<Record<string, string>>> => {
  const found = (await lines('Changes')).map(text =>
    /^(\w+), ModuleScript, .*\b(Push|Pull|Skip|Undecided)\b/.exec(text),
  );
  return Object.fromEntries(found.flatMap(one => (one === null ? [] : [[one[1], one[2]]])));
};
/** Waits until every change has its choice: one that no test has made must be noticed. */
const allChosen = (wanted: Readonly<Record<string, string>>): Promise<true> =>
  until<true>(`the choices ${JSON.stringify(wanted)}`, 15_000, async () => {
    const now = await choices();
    if (isDeepStrictEqual(now, wanted)) return true;
    throw new Error(JSON.stringify(now));
  });
const press = (title: string, name: string, action: string): Promise<void> => pressRowAction(rows(title), name, action);
/** Presses an action that chooses, until the change has this choice: the row may be drawn again before VS Code reads which one it is. */
const pressUntil = (choice: string, name: string, action: string): Promise<true> =>
  until(`${name} being ${choice}`, 45_000, async () => {
    await press('Changes', name, action);
    return becomes(name, choice);
  });
/** Whether it happens within a few seconds: then nothing has to be pressed again. */
const happens = async (has: () => Promise<boolean>): Promise<true | undefined> => {
  for (let look = 0; look < 50; look++) {
    if (await has()) return true;
    await delay(200);
  }
  return undefined;
};
const becomes = (name: string, choice: string): Promise<true | undefined> =>
  happens(async () => (await choices())[name] === choice);
const pressTitle = async (title: string, action: string, timeout = ACTION_TIMEOUT_MS): Promise<void> => {
  await pane(title).locator('.pane-header').hover({ timeout });
  await pane(title).locator(`.pane-header .action-label[aria-label^="${action}"]`).click({ timeout });
};
const openPane = async (title: string): Promise<void> => {
  const header = pane(title).locator('.pane-header');
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
};
const statusBar = (): Promise<string> => vscode.page.locator('.statusbar-item[id*="atlas.status"]').innerText();
const newName = newFile.path.split('/').at(-1) ?? '';
/** The choices that the review of this file applies. */
const applied = {
  [nameOf(diskOnly)]: 'Push',
  [nameOf(studioOnly)]: 'Pull',
  [nameOf(bothInStudio)]: 'Skip',
  [newName]: 'Skip',
};
const pathOf = ({ script }: { script: readonly string[] }): string => script.join('/');
const fileRow = (file: string) =>
  vscode.page.locator('.explorer-folders-view .monaco-list-row', { hasText: file.split('/').at(-1) ?? file }).first();
const reveal = (file: string): Promise<unknown> =>
  execute('revealInExplorer', { $mid: 1, scheme: 'file', path: join(world.project, file) });
/** Waits until the Explorer shows the badge of a file. VS Code renders it as CSS content. */
const badge = (file: string, mark: string | undefined): Promise<true> =>
  until(`${file} marked ${mark ?? 'not at all'}`, 15_000, async () => {
    const drawn = await fileRow(file)
      .locator('.label-name, .monaco-icon-label')
      .evaluateAll(parts =>
        parts.map(
          part =>
            (
              globalThis as unknown as { getComputedStyle(e: unknown, p: string): { content: string } }
            ).getComputedStyle(part, '::after').content,
        ),
      );
    const isMarked = drawn.some(content => content.includes('≠'));
    return isMarked === (mark !== undefined) ? true : undefined;
  });
/** Presses a choice chord: Ctrl+K, then Ctrl+Shift and the key. */
const chord = async (key: string): Promise<void> => {
  await vscode.page.keyboard.press('Control+K');
  await vscode.page.keyboard.press(`Control+Shift+${key}`);
};

test('[atlas.changes] offers to compare when nothing has been compared yet', async () => {
  const welcome = pane('Changes').locator('.welcome-view');
  await welcome.getByText('Compare both sides to see the differences').waitFor();
  await world.picture('daily-welcome');
  await welcome.getByRole('button', { name: 'Compare with Studio' }).click();
  const now = await shows(
    'Changes',
    new RegExp(`^${nameOf(diskOnly)}, .*Changed, Push`),
    new RegExp(`^${nameOf(studioOnly)}, .*Changed, Pull`),
    new RegExp(`^${nameOf(bothInStudio)}, .*Changed`),
  );
  // Groups show the count of each kind and of the undecided changes.
  const group = (name: string) => now.find(text => text.startsWith(`${name}, `));
  assert.deepEqual(['ReplicatedStorage / Shared', 'Config', 'Util'].map(group), [
    'ReplicatedStorage / Shared, 1 only on disk, 3 changed, 1 undecided',
    'Config, 3 changed, 1 undecided',
    'Util, 1 only on disk',
  ]);
  assert.match(await line('Changes', 'Config').innerText(), /3 changed · 1 undecided/);
  await pane('Changes')
    .getByText(/^Compared with obby /)
    .waitFor();
  await world.picture('daily-changes');
  await execute('atlas.changes.focus');
  const walked = await walkView(vscode.page, 'Changes');
  assert.match(walked.at(-1) ?? '', new RegExp(`^${newName}, .*Only on disk, Push`));
});

test('shows the count on the view and in the status bar', async () => {
  const count = await until('the count in the status bar', 15_000, async () => {
    const { status } = await atlasExports(vscode);
    const found = Number(/(\d+)$/.exec(status)?.[1]);
    if (found >= 4 && (await statusBar()).endsWith(String(found))) return found;
    throw new Error(status);
  });
  const bar = vscode.page.locator('.activitybar .action-item', {
    has: vscode.page.locator('[aria-label^="Atlas Bridge"]'),
  });
  await bar.locator('.badge-content:visible', { hasText: new RegExp(`^${count}$`) }).waitFor();
});

test('[atlas.studios] shows place, round trip and plugin of each Studio, and the served folder', async () => {
  await openPane('Studios');
  await shows('Studios', /^obby, \d+ ms · plugin \d+\.\d+\.\d+/);
  assert.match(await pane('Studios').locator('.pane-header').innerText(), /obby on port \d+/);
  const { studioUrl = '' } = await atlasExports(vscode);
  assert.equal(await execute('atlas.copyStudioAddress'), new URL(studioUrl).host);
  const compared = (await execute('atlas.compareWithStudio', { handle: 'studio-1' })) as { kind: string };
  assert.equal(compared.kind, 'compared');
});

test('[atlas.explorer.badges] [atlas.showInChanges] marks changed files and reveals their line', async () => {
  await execute('workbench.view.explorer');
  await reveal(diskOnly.file);
  await badge(diskOnly.file, '≠');
  await world.picture('daily-explorer');
  await changeSettings(vscode, { 'atlas.explorer.badges': false });
  await badge(diskOnly.file, undefined);
  await changeSettings(vscode, { 'atlas.explorer.badges': true });
  await badge(diskOnly.file, '≠');
  const file = fileRow(diskOnly.file);
  await file.click();
  await chooseFromMenu(vscode.page.getByRole('menuitem', { name: 'Show in Changes View' }), () =>
    file.click({ button: 'right' }),
  );
  await line('Changes', nameOf(diskOnly)).and(vscode.page.locator('.selected')).waitFor();
  await execute('workbench.action.closeAllEditors');
  assert.equal(await execute('atlas.showInChanges'), false);
  await listedNotice(vscode, 'Open a file to show its change.');
  await execute('notifications.hideList');
});

test('opens both sides of a change while no review is open', async () => {
  await execute('atlas.changes.focus');
  // A click is lost if VS Code draws the row again between its press and its release.
  await until('the diff of the line', 30_000, async () => {
    await line('Changes', nameOf(studioOnly)).click({ timeout: 5_000 });
    return happens(async () =>
      (await vscode.driver.call('tabs', {})).includes(`${nameOf(studioOnly)} (Studio ↔ disk)`),
    );
  });
  await world.picture('daily-compared');
  await execute('workbench.action.closeAllEditors');
});

test('[atlas.changes.pull] [atlas.changes.skip] opens the review with the choice from the view', async () => {
  await pressUntil('Pull', nameOf(bothInStudio), 'Pull from Studio');
  await world.review.shown();
  await world.becomes(pathOf(bothInStudio), 'pull');
  await pressUntil('Skip', newName, 'Skip Change');
  await world.review.choose(pathOf(bothInStudio), 'skip');
  await allChosen(applied);
  await world.picture('daily-reviewing');
});

test('looks right in light, dark and high contrast themes', async () => {
  const themes = [
    ['Default Dark Modern', 'vs-dark', 'vscode-dark'],
    ['Default High Contrast', 'hc-black', 'vscode-high-contrast'],
    ['Default High Contrast Light', 'hc-light', 'vscode-high-contrast-light'],
    ['Default Light Modern', 'vs', 'vscode-light'],
  ] as const;
  await openPane('Studios');
  await vscode.page.mouse.move(900, 700);
  for (const [theme, workbench, kind] of themes) {
    await changeSettings(vscode, { ...ownTheme, 'workbench.colorTheme': theme });
    const name = theme.toLowerCase().replaceAll(' ', '-').replace('default-', '');
    await until(theme, 15_000, async () => {
      const drawn = (await vscode.page.locator('.monaco-workbench').getAttribute('class')) ?? '';
      const page = (await world.review.frame.locator('body').getAttribute('data-vscode-theme-kind')) ?? '';
      if (drawn.split(' ').includes(workbench) && page === kind) return true;
      throw new Error(`${drawn}; ${page}`);
    });
    await world.pictureAsShown(`daily-${name}`);
  }
  await changeSettings(vscode, systemLooks);
});

test('[atlas.changes.push] chooses by key for the selected line and in its diff', async () => {
  const { page } = vscode;
  const name = nameOf(bothInStudio);
  const selected = () => labels(rows('Changes').and(page.locator('.selected')));
  /** Selects the line alone, which opens its diff. */
  const select = async (): Promise<void> => {
    await line('Changes', name).click({ timeout: 5_000 });
    await delay(1_000);
  };
  await until('the diff of the line', 15_000, async () => {
    await select();
    return (await vscode.driver.call('tabs', {})).some(label => /Shop.*(↔|Studio)/.test(label)) ? true : undefined;
  });
  await page.locator('.editor-actions a[aria-label^="Accept Disk"]').first().waitFor();
  await until('Push from the diff', 15_000, async () => {
    await page.locator('.modified-in-monaco-diff-editor .view-line').first().click({ timeout: 5_000 });
    await chord('ArrowUp');
    return becomes(name, 'Push');
  });
  /** Presses the keys until the choice changes: a diff that is still opening takes the focus from the line. */
  const choose = (key: string, choice: string): Promise<true> =>
    until(`${choice} from the line`, 30_000, async () => {
      await execute('atlas.changes.focus');
      const now = await selected();
      if (now.length !== 1 || now[0]?.startsWith(`${name},`) !== true) {
        await select();
        throw new Error(`selected were ${now.join('; ')}`);
      }
      await chord(key);
      return becomes(name, choice);
    });
  await choose('ArrowDown', 'Pull');
  await choose('Backspace', 'Skip');
  await page.keyboard.press('Escape');
});

test('[atlas.changes.apply] applies the decisions and removes the marks of equal files', async () => {
  await allChosen(applied);
  const left = [nameOf(bothInStudio), newName].toSorted();
  await until('the applied changes gone', 20_000, async () => {
    // The action disappears with the review.
    await pressTitle('Changes', 'Apply Decisions', 5_000).catch(() => undefined);
    return happens(async () => isDeepStrictEqual(Object.keys(await choices()).toSorted(), left));
  });
  assert.equal(await world.studio.run(sourceInStudio(diskOnly)), world.file(diskOnly.file), 'disk won');
  await execute('workbench.action.closeAllEditors');
  await execute('workbench.view.explorer');
  await reveal(diskOnly.file);
  await badge(diskOnly.file, undefined);
  await badge(bothInStudio.file, '≠');
});

test('[atlas.history] [atlas.showRun] [atlas.history.showDiff] [atlas.restore] shows a sync', async () => {
  await execute('atlas.changes.focus');
  await openPane('History');
  await shows('History', /^\d scripts synced by you, /);
  await line('History', 'synced by you').click();
  await line('History', 'synced by you').press('ArrowRight');
  await shows('History', new RegExp(`^${nameOf(diskOnly)}, Changed in Studio`));
  await world.picture('daily-history');
  await execute('atlas.history.focus');
  assert.match((await walkView(vscode.page, 'History'))[0] ?? '', /^2 scripts synced by you, /);
  await line('History', nameOf(diskOnly)).click();
  await until('the diff of the record', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.includes('(before ↔ after)')) ? true : undefined,
  );
  await world.picture('daily-recorded-diff');
  await execute('workbench.action.closeAllEditors');
  await press('History', 'synced by you', 'Show Changes');
  await until('the diffs of the sync', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.startsWith('2 scripts synced by you'))
      ? true
      : undefined,
  );
  const heading = vscode.page.locator('.multiDiffEntry .file-path').first();
  assert.match(await heading.innerText(), /Studio\/ReplicatedStorage\/Shared\/Config/);
  assert.doesNotMatch(await heading.innerText(), /[0-9a-f]{8}-/);
  await world.picture('daily-recorded-diffs');
  await execute('workbench.action.closeAllEditors');
  await press('History', 'synced by you', 'Show Sync Details');
  await until('the details', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => /^Preview Sync of \d{4}-\d\d-\d\d \d\d:\d\d$/.test(label))
      ? true
      : undefined,
  );
  await world.review.frame.getByRole('heading', { name: /^Sync of/ }).waitFor();
  await world.picture('daily-run');
  await execute('workbench.action.closeAllEditors');
  await press('History', 'synced by you', 'Restore');
  await vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Restores Studio to its state' }).click();
  await vscode.page.locator('.quick-input-widget:visible').getByText('Restore: Choose Changes').waitFor();
  await vscode.page.keyboard.press('Escape');
  assert.equal((await execute('atlas.refreshHistory')) ?? null, null);
});

test('[atlas.changes.autoCompare] compares a saved file without delaying a sync', async () => {
  await changeSettings(vscode, { 'atlas.changes.autoCompare': true });
  await execute('atlas.changes.focus');
  writeFileSync(join(world.project, diskOnly.file), `${world.file(diskOnly.file)}-- saved again\n`);
  await shows('Changes', new RegExp(`^${nameOf(diskOnly)}, .*Changed, Push`));
  const [first, second] = await Promise.all([execute('atlas.compareWithStudio'), execute('atlas.syncDryRun')]);
  assert.equal((second as SyncResult).status, 'dryrun', JSON.stringify(first));
  await execute('workbench.action.closeAllEditors');
});

test('[atlas.changes.reject] ends the review from the view without changing anything', async () => {
  await execute('atlas.changes.focus');
  const ended = execute('atlas.reviewChanges') as Promise<SyncResult>;
  await world.review.shown();
  await pressTitle('Changes', 'Reject Review');
  assert.equal((await ended).status, 'rejected');
  assert.match(world.file(diskOnly.file), /saved again/);
});

const titleAction = (name: string) => vscode.page.locator(`.editor-actions a[aria-label^="${name}"]`).first();
/** Opens a review, decides in it, and rejects it. Neither side may change, and the next review knows nothing of it. */
async function rejectAfter(decide: () => Promise<void>): Promise<void> {
  const inStudio = await world.studio.run(sourceInStudio(bothInStudio));
  const onDisk = world.file(bothInStudio.file);
  const ended = execute('atlas.reviewChanges') as Promise<SyncResult>;
  await world.review.shown();
  await decide();
  assert.equal(world.file(bothInStudio.file), onDisk, 'a decision writes nothing');
  await vscode.page.locator('.tab', { hasText: 'Review Changes' }).click();
  await world.review.reject();
  assert.equal((await ended).status, 'rejected');
  await execute('workbench.action.closeAllEditors');
  assert.equal(world.file(bothInStudio.file), onDisk);
  assert.equal(await world.studio.run(sourceInStudio(bothInStudio)), inStudio);
}

test('forgets decided hunks and merges when the review is rejected, and writes neither side', async () => {
  const { page } = vscode;
  const path = pathOf(bothInStudio);
  appendFileSync(join(world.project, bothInStudio.file), '-- only disk has this line\n');
  await rejectAfter(async () => {
    await world.review.openDiff(path);
    await page
      .locator('.modified-in-monaco-diff-editor .codelens-decoration a', { hasText: 'Accept Studio' })
      .first()
      .waitFor();
    // The keys decide the hunk at the cursor, wherever the lines are.
    await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: bothOnDisk.to }).first().click();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+Alt+ArrowDown');
    await world.review.frame.locator('.details').getByText('1 of 2 hunks decided').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+Alt+ArrowUp');
    await world.becomes(path, 'merge');
    await world.review.frame.locator('.details').getByText('1 of 2 hunks from Studio').waitFor();
    await world.picture('daily-hunks');
  });
  await rejectAfter(async () => {
    assert.equal(await world.review.chosen(path), undefined, 'the hunks are forgotten');
    await world.review.openDiff(path);
    await titleAction('Merge').click();
    await page.getByText('1 Conflict Remaining').waitFor();
    await clickLens(page.locator('.merge-editor a', { hasText: /^Reset to base$/ }).first());
    await clickLens(page.locator('.merge-editor a', { hasText: /^Accept Studio$/ }).first());
    await page.getByText('0 Conflicts Remaining').waitFor();
    await titleAction('Complete Merge').click();
    await world.becomes(path, 'merge');
    await world.review.frame.locator('.details').getByText('Merged text').waitFor();
  });
  await rejectAfter(async () => {
    assert.equal(await world.review.chosen(path), undefined, 'the merge is forgotten');
  });
});

test('opens the output of headless Studio and the settings of the roots', async () => {
  await execute('atlas.showHeadlessOutput');
  await vscode.page.getByText('Atlas Bridge Headless Studio').first().waitFor({ state: 'attached' });
  // The review opens beside an editor, and the Output panel is not one.
  await vscode.page.locator('.panel .view-lines').first().click();
  const ended = execute('atlas.reviewChanges') as Promise<SyncResult>;
  await world.review.shown();
  assert.equal(await vscode.page.locator('.editor-group-container').count(), 1);
  await world.review.reject();
  await ended;
  await execute('workbench.action.closeAllEditors');
  await execute('workbench.action.closePanel');
  await execute('atlas.configureRoots');
  await vscode.page.locator('.settings-editor').getByText('Docs: Roots').first().waitFor();
  await world.picture('daily-settings');
});

test('says when both sides were compared, not that they match, after Studio has changed', async () => {
  await execute('workbench.action.closeAllEditors');
  await changeSettings(vscode, { 'atlas.changes.autoCompare': false });
  const ended = execute('atlas.reviewChanges') as Promise<SyncResult>;
  await world.review.shown();
  // Decides whatever the tests before have left.
  const asked = await world.review.frame
    .locator('[role="radiogroup"][aria-label^="Choice for "]')
    .evaluateAll(groups =>
      groups.map(group => (group.getAttribute('aria-label') ?? '').replace(/^Choice for | \(.*$/g, '')),
    );
  assert.ok(asked.includes(pathOf(diskOnly)), asked.join('\n'));
  for (const path of asked) await world.review.choose(path, path === pathOf(studioOnly) ? 'pull' : 'push');
  // Ctrl+Enter applies from the view too, once VS Code knows that everything is decided.
  const isOver = ended.then(() => true as const);
  await until('the end of the review', 30_000, async () => {
    await execute('atlas.changes.focus');
    await vscode.page.keyboard.press('Control+Enter');
    return Promise.race([isOver, delay(2_000, undefined)]);
  });
  assert.equal((await ended).status, 'success');
  await execute('atlas.changes.focus');
  assert.deepEqual(((await execute('atlas.compareWithStudio')) as { changes: readonly unknown[] }).changes, []);
  const message = pane('Changes').getByText(/^Compared with obby .*: no differences\.$/);
  await message.waitFor();
  await world.studio.run(`game.${studioOnly.script.join('.')}.Source = "return 1"`);
  await message.waitFor();
  assert.doesNotMatch(await pane('Changes').innerText(), /are the same/);
  await world.picture('daily-same');
});

test('dates the changes and makes them gray when Studio disconnects', async () => {
  await execute('workbench.action.closeAllEditors');
  await execute('atlas.changes.focus');
  await world.studio.run(`game.${studioOnly.script.join('.')}.Source = "return 2"`);
  const { changes } = (await execute('atlas.compareWithStudio')) as { changes: readonly { path: string }[] };
  assert.ok(changes.some(({ path }) => path === pathOf(studioOnly)));
  await world.studio[Symbol.asyncDispose]();
  await pane('Changes')
    .getByText(/^Studio is not connected\. Compared with obby /)
    .waitFor();
  // VS Code marks the labels of gray rows, of groups too.
  const rows = pane('Changes').locator('.monaco-list-row .monaco-icon-label');
  const colors = await until('gray rows', 10_000, async () => {
    const found = await rows.evaluateAll(labels =>
      labels.map(
        label =>
          /monaco-decoration-itemColor/.test(label.className) || label.getAttribute('class')?.includes('itemColor'),
      ),
    );
    return found.length > 0 && found.every(Boolean) ? found : undefined;
  });
  assert.ok(colors.length >= 2, 'the change and its group');
  // History is open too, so the views share the height of the side bar.
  await pane('History').locator('.monaco-list-row').first().waitFor();
  await until('the address within its view', 15_000, async () => {
    const address = await pane('Studios').getByRole('button', { name: 'Copy Address for Studio' }).boundingBox();
    const studios = await pane('Studios').boundingBox();
    assert.ok(address !== null && studios !== null && address.y + address.height <= studios.y + studios.height);
    return true as const;
  });
  await world.picture('daily-disconnected');
});
