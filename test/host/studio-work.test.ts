import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';

import { toolCatalog } from '../../src/app/tool-catalog.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { changeSettings } from './harness/change-settings.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { pressEnterInPick } from './harness/palette.ts';
import { picture } from './harness/picture.ts';
import { type ReviewPage, reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { pickFindings } from './harness/view-keys.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

const PLACE = `<roblox version="4"><Item class="ServerScriptService" referent="A"></Item>
<Item class="Workspace" referent="B"><Item class="Part" referent="C"><Properties><string name="Name">Lamp</string>
<float name="Transparency">0.5</float></Properties></Item></Item></roblox>`;
const tree = {
  $className: 'DataModel',
  ServerScriptService: { $path: 'src' },
  Workspace: { Lamp: { $className: 'Part', $properties: { Transparency: 0.25 } } },
};

let dir = '';
let vscode: RunningVsCode;
let review: ReviewPage;
const file = (name: string): string => join(dir, 'src', `${name}.luau`);

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-work-'));
  mkdirSync(join(dir, 'src'));
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(file('Keep'), "return 'keep'\n");
  writeFileSync(file('Old'), "return 'old'\n");
  writeFileSync(join(dir, 'place.rbxlx'), PLACE);
  vscode = await startVsCode({
    hasChat: true,
    folder: dir,
    settings: {
      'atlas.port': 0,
      'atlas.rojoPort': null,
      'atlas.changes.autoCompare': false,
      'atlas.timeoutMultiplier': 5,
    },
  });
  review = reviewPage(vscode.page);
  await execute('atlas.openPlaceHeadless', join(dir, 'place.rbxlx'));
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const inStudio = (source: string): Promise<unknown> => execute('atlas.runLuauHeadless', source);
const notice = (text: string | RegExp) => listedNotice(vscode, text);
const pane = (title: string) =>
  vscode.page.locator('.pane').filter({ has: vscode.page.locator(`.pane-header[aria-label^="${title}"]`) });
const rows = (title: string) => pane(title).locator('.monaco-list-row[role="treeitem"]');
const untilTab = (tab: string): Promise<true> =>
  until<true>(`the tab ${tab}`, 5_000, async () =>
    (await vscode.driver.call('tabs', {})).includes(tab) ? true : undefined,
  );
/** Clicks a row of a view until its tab is open: a click is lost if VS Code draws the row again between its press and its release. */
const openRow = (title: string, name: RegExp, tab: string): Promise<true> =>
  until<true>(`${tab} after a click`, 60_000, async () => {
    await rows(title).filter({ hasText: name }).first().click({ timeout: 5_000 });
    return untilTab(tab).catch(() => undefined);
  });
/** Expands the newest run in History, which has that title, by keyboard: a click would collapse it while it expands. */
const expandNewest = (title: RegExp, change: RegExp): Promise<true> =>
  until<true>(`${String(change)} below ${String(title)}`, 60_000, async () => {
    const labels = await rows('History').evaluateAll(all => all.map(row => row.getAttribute('aria-label') ?? ''));
    if (title.test(labels[0] ?? '') && change.test(labels[1] ?? '')) return true;
    await execute('atlas.history.focus');
    await vscode.page.keyboard.press('Home');
    await vscode.page.keyboard.press('ArrowRight');
    throw new Error(labels.join('\n'));
  });
/** The lines of both sides of the open diff. */
const diffSides = async (): Promise<readonly [string, string]> => {
  const side = (of: string) => vscode.page.locator(`.${of}-in-monaco-diff-editor .view-lines`).first().innerText();
  const plain = (text: string): string => text.replaceAll('\u00A0', ' ').trim();
  return [plain(await side('original')), plain(await side('modified'))];
};
const untilDiff = (before: string, after: string): Promise<true> =>
  until<true>(`a diff of ${before} and ${after}`, 20_000, async () => {
    const now = await diffSides();
    if (now[0] === before && now[1] === after) return true;
    throw new Error(now.join('\n'));
  });

test('applies with Ctrl+Enter in the review, so that both sides agree', async () => {
  const { changes } = (await execute('atlas.syncDryRun')) as SyncResult;
  assert.equal(changes.length, 3, JSON.stringify(changes));
  await execute('workbench.action.closeAllEditors');
  void execute('atlas.reviewChanges');
  await review.shown();
  for (const path of ['ServerScriptService/Keep', 'ServerScriptService/Old', 'Workspace/Lamp'])
    await review.choose(path, 'push');
  await review.frame.getByText('all decided').first().waitFor();
  // The page applies once it has sent every choice.
  await until<true>('the sync', 30_000, async () => {
    await review.frame.locator('body').press('Control+Enter');
    await review.frame.getByText('Sync completed successfully').waitFor({ timeout: 3_000 });
    return true;
  });
  await execute('workbench.action.closeAllEditors');
});

test('shows in History what the property was before the sync, and what it is after', async () => {
  await expandNewest(/^3 changes pushed by you/, /^Keep, Created in Studio/);
  assert.equal(await rows('History').and(vscode.page.locator('[aria-label^="Lamp, Changed in Studio"]')).count(), 1);
  await openRow('History', /^Lamp/, 'Lamp in Studio (before ↔ after)');
  await untilDiff('Transparency = 0.5', 'Transparency = 0.25');
  await picture(vscode.page, 'out/host-work-property.png');
  await execute('workbench.action.closeAllEditors');
});

test('shows a new script as only in Studio, and a renamed one as one row', async () => {
  await inStudio(`local new = Instance.new("ModuleScript") new.Name = "New" new.Source = "return 'new'\\n"
    new.Parent = game:GetService("ServerScriptService")
    game.ServerScriptService.Old.Name = "Renamed"`);
  await execute('atlas.changes.focus');
  const { changes } = (await execute('atlas.compareWithStudio')) as { changes: readonly unknown[] };
  assert.equal(changes.length, 2, JSON.stringify(changes));
  const labels = await until('the changes', 20_000, async () => {
    const now = await rows('Changes').evaluateAll(all => all.map(row => row.getAttribute('aria-label') ?? ''));
    if (now.some(label => label.startsWith('New, ModuleScript, Only in Studio'))) return now;
    throw new Error(now.join('\n'));
  });
  const renamed = labels.filter(label => /Old|Renamed/.test(label));
  assert.equal(renamed.length, 1, labels.join('\n'));
  assert.match(renamed[0] ?? '', /^Old, ModuleScript, Changed, "Renamed" in Studio, Pull$/);
  assert.doesNotMatch(labels.join('\n'), /Remove/);
  await picture(vscode.page, 'out/host-work-changes.png');
});

test('counts the decisions in the summary of the review, and says that no change matches a filter', async () => {
  const ended = execute('atlas.reviewChanges') as Promise<SyncResult>;
  await review.shown();
  const { frame } = review;
  await review.choose('ServerScriptService/New', 'pull');
  await frame.locator('.decision').getByText('Disk: 1 new, 1 updated.').waitFor();
  await frame.getByRole('searchbox', { name: 'Filter by path' }).fill('zzz');
  await frame.getByText('No change matches the filters.').waitFor();
  await picture(vscode.page, 'out/host-work-empty-filter.png');
  assert.deepEqual(await review.findings(), []);
  await frame.getByRole('button', { name: 'Clear Filters' }).last().click();
  await review.choose('ServerScriptService/New', 'skip');
  await frame.locator('.decision').getByText('Disk: 1 updated.').waitFor();
  await review.reject();
  assert.equal((await ended).status, 'rejected');
  assert.ok(existsSync(file('Old')) && !existsSync(file('New')));
  await execute('workbench.action.closeAllEditors');
});

test('renames the file as in Studio with Live Sync, and renames it back with Undo', async () => {
  await changeSettings(vscode, { 'atlas.live': 'twoWay' });
  // Studio changed before Live Sync started, so a person decides first.
  await until('the files of both', 60_000, async () => {
    if (existsSync(file('Renamed')) && existsSync(file('New'))) return true;
    if ((await review.frame.getByRole('radiogroup').count()) === 0) void execute('atlas.reviewChanges');
    await review.frame.getByRole('radiogroup').first().waitFor({ timeout: 5_000 });
    await review.choose('ServerScriptService/New', 'pull');
    await review.apply();
    await review.frame.getByText('Sync completed successfully').waitFor({ timeout: 10_000 });
    return undefined;
  });
  await execute('workbench.action.closeAllEditors');
  await vscode.page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Live ↔' }).waitFor();
  await execute('notifications.clearAll');
  await vscode.driver.call('show', { uri: pathToFileURL(file('Renamed')).href });
  await untilTab('Renamed.luau');
  await inStudio('game.ServerScriptService.Renamed.Name = "Again"');
  await until('the renamed file', 30_000, async () =>
    existsSync(file('Again')) && !existsSync(file('Renamed')) ? true : undefined,
  );
  assert.equal(readFileSync(file('Again'), 'utf8'), "return 'old'\n");
  await until('the renamed file in the place of its tab', 20_000, async () => {
    const names = await vscode.driver.call('tabs', {});
    if (names.join() === 'Again.luau') return true;
    throw new Error(names.join());
  });
  const { page } = vscode;
  const shown = await notice('Live Sync renamed the files of ServerScriptService/Again, as in Studio.');
  await picture(page, 'out/host-work-renamed.png');
  await shown.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.quick-input-title', { hasText: 'Restore: Choose Changes' }).waitFor();
  await pressEnterInPick(page);
  await review.frame.getByText('Restore renames it to src/Renamed.luau').waitFor();
  await review.frame.getByRole('button', { name: 'Restore All' }).click();
  await review.frame.getByText('Disk: 1 restored.').waitFor();
  await picture(page, 'out/host-work-rename-restored.png');
  await review.apply();
  await review.frame.getByText('Restore completed successfully').waitFor();
  assert.equal(readFileSync(file('Renamed'), 'utf8'), "return 'old'\n");
  assert.equal(existsSync(file('Again')), false);
  await execute('workbench.action.closeAllEditors');
});

test('shows in History what Live Sync replaced and wrote', async () => {
  await inStudio('game.ServerScriptService.Keep.Source = "return 2\\n"');
  await until('the edited file', 30_000, async () =>
    readFileSync(file('Keep'), 'utf8') === 'return 2\n' ? true : undefined,
  );
  await expandNewest(/^Keep pulled by Live Sync/, /^Keep, Written to disk/);
  await openRow('History', /^Keep\s*Written/, 'Keep.luau (before ↔ after)');
  await untilDiff("return 'keep'", 'return 2');
  await execute('workbench.action.closeAllEditors');
});

test('suggests a push for a file that is edited after Live Sync wrote it', async () => {
  // Only disk has changed since.
  await changeSettings(vscode, { 'atlas.live': 'off' });
  await vscode.page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Live' }).waitFor({ state: 'detached' });
  writeFileSync(file('Keep'), 'return 3\n');
  const { changes } = (await execute('atlas.syncDryRun')) as SyncResult;
  await execute('workbench.action.closeAllEditors');
  assert.deepEqual(
    changes.map(({ path, direction, defaultReason }) => [path, direction, defaultReason]),
    [['ServerScriptService/Keep', 'push', 'base_disk_moved']],
  );
  writeFileSync(file('Keep'), 'return 2\n');
  await changeSettings(vscode, { 'atlas.live': 'twoWay' });
  await vscode.page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Live ↔' }).waitFor();
});

test('asks before it deletes the file of a script that was deleted in Studio', async () => {
  await execute('notifications.clearAll');
  await inStudio('game.ServerScriptService.New:Destroy()');
  await notice(/Live Sync needs your decision: .*New/);
  await picture(vscode.page, 'out/host-work-deletion.png');
  assert.equal(readFileSync(file('New'), 'utf8'), "return 'new'\n");
  await execute('notifications.clearAll');
});

test('describes a tool in its confirmation by one sentence of at most 200 characters', async () => {
  const agent = vsCodeAgent(vscode);
  const sync = toolCatalog.find(({ listing }) => listing.name === 'atlas_sync')?.listing;
  const description = sync?.description ?? '';
  assert.ok(description.length > 0 && description.length <= 200, description);
  const answer = agent.invoke('atlas_sync', { mode: 'dryrun' });
  const shown = await agent.allow();
  assert.ok(shown.includes(description), shown);
  assert.ok(shown.includes(sync?.title ?? ' '), shown);
  await answer;
});

test('copies what Doctor found', async () => {
  const { page } = vscode;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const found = (await execute('atlas.doctor', { quiet: true })) as readonly { readonly text: string }[];
  await execute('atlas.doctor');
  await page.getByRole('button', { name: 'Copy All' }).click();
  await page.getByText('Copied.').first().waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  await page.keyboard.press('Escape');
  assert.equal(String(copied).split('\n').length, found.length, String(copied));
  for (const line of String(copied).split('\n')) assert.match(line, /^[✓○✗] .+/);
});

/** Commands that ask, with the title of their question, and the button of an open dialog; VS Code's own save dialog always says OK. */
const picks: readonly (readonly [command: string, title: string, button?: string])[] = [
  ['atlas.connectAgent', 'Atlas Bridge: Connect Agent'],
  ['atlas.doctor', 'Atlas Bridge: Doctor'],
  ['atlas.explainDefault', 'Why This Suggestion? Choose a Change'],
  ['atlas.restore', 'Restore: Choose a Sync'],
  ['atlas.startLiveSync', 'Atlas Bridge: Start Live Sync'],
  ['atlas.game.search', 'Atlas Bridge: Search Game'],
  ['atlas.searchRoots', 'Atlas Bridge: Search Roots'],
  ['atlas.addRoot', 'Atlas Bridge: Add Root'],
  ['atlas.runLuauHeadless', 'Atlas Bridge: Run Luau in Headless Studio'],
  ['atlas.publishPlace', 'Publish Place: Id of the Place'],
  ['atlas.openPlaceHeadless', 'Atlas Bridge: Open Place File in Headless Studio', 'Open Place'],
  ['atlas.savePlaceHeadless', 'Atlas Bridge: Save Headless Place As'],
  ['atlas.syncbackFromPlace', 'Atlas Bridge: Syncback from Place File', 'Plan Syncback'],
  ['atlas.build', 'Atlas Bridge: Build Place or Model File'],
  ['atlas.buildAndOpen', 'Atlas Bridge: Build and Open in Studio'],
  ['atlas.openInStudio', 'Atlas Bridge: Open Place in Studio', 'Open in Studio'],
  ['atlas.openExample', 'Atlas Bridge: Open the Example', 'Write the Example Here'],
];
/** Commands that ask in a dialog, with the start of the question and the buttons. */
const dialogs: readonly (readonly [command: string, question: string, buttons: readonly string[]])[] = [
  ['atlas.removeEverything', 'Remove everything that Atlas Bridge has set up', ['Remove', 'Cancel']],
  ['atlas.changeStudioKey', 'Change the pairing key of your Studio plugins', ['Change Key', 'Cancel']],
  ['atlas.closePlaceHeadless', 'Close place.rbxlx', ['Save and Close', 'Close Without Saving', 'Cancel']],
];

/** Takes the focus away from an open list or input box for a moment, like VS Code when it gives the focus back to a page a moment too late. */
const loseFocus = (box: Locator): Promise<void> =>
  box
    .locator('input.input')
    .first()
    .evaluate(async input => {
      input.blur();
      await new Promise(resolve => setTimeout(resolve, 100));
      input.focus();
    });

test('asks with a title and with buttons that say what they do', async () => {
  const { page } = vscode;
  const asked: [string, string, ...string[]][] = [];
  for (const [command, title, button] of picks) {
    const answer = execute(command);
    const box = page.locator('.quick-input-widget:visible');
    const shown = box.locator('.quick-input-title', { hasText: title });
    await shown.waitFor().catch(() => undefined);
    // The dialogs of VS Code close when they lose the focus.
    if (button === undefined) await loseFocus(box);
    await picture(page, `out/host-work-asks-${command.split('.').at(-1)}.png`);
    const titles = await box.locator('.quick-input-title').allInnerTexts();
    const buttons = button === undefined ? [] : await box.locator('.monaco-button:visible').allInnerTexts();
    assert.deepEqual(await pickFindings(page), [], command);
    asked.push([command, titles.join(), ...buttons.filter(text => text === button)]);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await answer;
  }
  assert.deepEqual(asked, picks);
  const pressable: (typeof dialogs)[number][] = [];
  for (const [command, question] of dialogs) {
    const answer = execute(command);
    const box = page.locator('.monaco-dialog-box', { hasText: question });
    await box.waitFor();
    const buttons = await box.locator('.monaco-button').allInnerTexts();
    pressable.push([command, question, buttons.toSorted()]);
    await picture(page, `out/host-work-dialog-${command.split('.').at(-1)}.png`);
    await page.keyboard.press('Escape');
    await answer;
  }
  assert.deepEqual(
    pressable,
    dialogs.map(([command, question, buttons]) => [command, question, buttons.toSorted()]),
  );
});
