import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { ownTheme, picture, pictureAsShown, systemLooks } from './harness/picture.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { viewFindings } from './harness/view-findings.ts';
import { walkView } from './harness/view-keys.ts';

const item = (className: string, name: string, inside = '', more = ''): string =>
  `<Item class="${className}"><Properties><string name="Name">${name}</string>${more}</Properties>${inside}</Item>`;
const PLACE = `<roblox version="4">${[
  item('Workspace', 'Workspace', item('Part', 'Lamp', '', '<float name="Transparency">0.5</float>')),
  item(
    'ReplicatedStorage',
    'ReplicatedStorage',
    item('ModuleScript', 'Same', '', '<ProtectedString name="Source">return 1</ProtectedString>') +
      item('ModuleScript', 'Edited', '', '<ProtectedString name="Source">return "Studio"</ProtectedString>') +
      item('RemoteEvent', '[click](command:atlas.sync) $(error)') +
      item('Folder', 'Extra', item('Part', 'Inside')),
  ),
].join('')}</roblox>`;
const tree = {
  $className: 'DataModel',
  ReplicatedStorage: { $path: 'src', $ignoreUnknownInstances: true },
  Workspace: { Lamp: { $className: 'Part', $properties: { Transparency: 0.25 } } },
};

let dir = '';
let vscode: RunningVsCode;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-ws-'));
  mkdirSync(join(dir, 'src'));
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(join(dir, 'src/Same.luau'), 'return 1');
  writeFileSync(join(dir, 'src/New.luau'), 'return 2');
  writeFileSync(join(dir, 'src/Edited.luau'), 'return "disk"');
  writeFileSync(join(dir, 'place.rbxlx'), PLACE);
  // A click selects a row and never collapses it.
  const settings = { 'atlas.port': 0, 'workbench.tree.expandMode': 'doubleClick' };
  vscode = await startVsCode({ folder: dir, settings });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const pane = (title: string) =>
  vscode.page.locator('.pane').filter({ has: vscode.page.locator(`.pane-header[aria-label^="${title}"]`) });
const rows = (title: string) => pane(title).locator('.monaco-list-row[role="treeitem"]');
const row = (title: string, name: string) => rows(title).filter({ hasText: name }).first();
const message = (title: string) => pane(title).locator('.message').first();
const spoken = async (title: string, name: string): Promise<string> =>
  (await row(title, name).getAttribute('aria-label')) ?? '';

const property = (name: string) => pane('Properties').locator(`.monaco-list-row[aria-label^="${name},"]`);
/** Expands a row. The arrow key never collapses one; a click is lost if the row is drawn again. */
const expand = (name: string): Promise<true> =>
  until(`${name} expanded`, 15_000, async () => {
    const expanded = row('Game', name).and(vscode.page.locator('[aria-expanded="true"]'));
    if ((await expanded.count()) > 0) return true;
    await row('Game', name).click({ timeout: 5_000 });
    await vscode.page.keyboard.press('ArrowRight');
    return expanded.waitFor({ timeout: 5_000 }).then(
      () => true as const,
      () => undefined,
    );
  });
/** Clicks a row until the Properties view shows its instance: rows move while the views beside them fill. */
const select = (name: string): Promise<true> =>
  until(`the properties of ${name}`, 15_000, async () => {
    await row('Game', name).click({ timeout: 5_000 });
    return pane('Properties')
      .locator(`.monaco-list-row[aria-label="Name, ${name}"]`)
      .waitFor({ timeout: 3_000 })
      .then(
        () => true as const,
        () => undefined,
      );
  });

test('[atlas.game] [atlas.compareWithStudio] shows the project, and that no Studio is connected', async () => {
  await execute('atlas.game.focus');
  await row('Game', 'ReplicatedStorage').waitFor();
  await until('the message of the view', 20_000, async () =>
    /Studio is not connected\. This is the project on disk\./.test(await message('Game').innerText())
      ? true
      : undefined,
  );
  // There is nothing to compare with, which is said instead of compared.
  assert.equal((await execute('atlas.compareWithStudio')) ?? null, null);
  const said = await listedNotice(vscode, 'No Studio is connected, so there is nothing to compare with.');
  await said.getByRole('button', { name: 'Run Doctor' }).waitFor();
  await picture(vscode.page, 'out/game-compare-nothing.png');
  await execute('notifications.clearAll');
  const outcome = (await execute('atlas.game.reveal', join(dir, 'src/Same.luau'))) as { path: string };
  assert.deepEqual(outcome, { outcome: 'done', path: 'ReplicatedStorage/Same' });
  await row('Game', 'Same').waitFor();
  assert.deepEqual(await execute('atlas.game.select'), { outcome: 'refused' });
  await picture(vscode.page, 'out/game-disk.png');
});

test('[atlas.game.refresh] shows the place with what is synced and what differs', async () => {
  await execute('atlas.openPlaceHeadless', join(dir, 'place.rbxlx'));
  await execute('atlas.compareWithStudio');
  await execute('atlas.game.focus');
  assert.deepEqual(await execute('atlas.game.refresh'), { outcome: 'done' });
  await until('a comparison in the view', 20_000, async () =>
    /Compared with/.test(await message('Game').innerText()) ? true : undefined,
  );
  await row('Game', 'Workspace').waitFor();
  await expand('ReplicatedStorage');
  await until('the states of the children', 20_000, async () =>
    /only on disk/.test(await spoken('Game', 'New')) ? true : undefined,
  );
  assert.match(await spoken('Game', 'Same'), /Same, ModuleScript, synced/);
  assert.match(await spoken('Game', 'Extra'), /Extra, Folder, not synced/);
  assert.match(await spoken('Game', '(command:'), /RemoteEvent, not synced/);
  assert.match(await spoken('Game', 'Workspace'), /1 difference inside/);
});

test('[atlas.gameProperties] shows the values of the selected instance and of its file', async () => {
  await execute('atlas.gameProperties.focus');
  await execute('atlas.game.focus');
  await expand('Workspace');
  await select('Lamp');
  await row('Properties', 'Transparency').waitFor();
  assert.match(await spoken('Properties', 'Transparency'), /differs, 0\.5 in Studio, 0\.25 on disk/);
  assert.match(await spoken('Properties', 'ClassName'), /ClassName, Part/);
  // The row stays selected when the tree is read again, and so do its properties.
  await execute('atlas.game.refresh');
  await execute('atlas.compareWithStudio');
  await execute('atlas.gameProperties.focus');
  await execute('atlas.game.focus');
  await picture(vscode.page, 'out/game-properties-again.png');
  await row('Properties', 'Transparency').waitFor();
});

test('keeps showing the properties of the selected instance while the rows are read again', async () => {
  await select('Lamp');
  // VS Code forgets the rows of a tree until it has read them again, and the next change of the place often comes before.
  for (let refresh = 0; refresh < 60; refresh++) {
    await execute('atlas.game.refresh');
    await delay(10);
  }
  const said = await Promise.all([0, 1, 2].map(() => execute('atlas.game.select')));
  assert.deepEqual(said, Array(3).fill({ outcome: 'done', path: 'Workspace/Lamp' }));
  await property('Name').waitFor();
  assert.match(await spoken('Properties', 'Transparency'), /differs, 0\.5 in Studio, 0\.25 on disk/);
});

test('[atlas.changes.open] opens a differing script or property as a diff when it is clicked', async () => {
  const openDiff = async (title: string, name: string, tab: string): Promise<void> => {
    await (title === 'Game' ? select(name) : row(title, name).click());
    await until(`the tab ${tab}`, 15_000, async () =>
      (await vscode.driver.call('tabs', {})).includes(tab) ? true : undefined,
    );
    await execute('workbench.action.closeAllEditors');
  };
  await openDiff('Game', 'Edited', 'Edited (Studio ↔ disk)');
  await row('Properties', 'Source').waitFor();
  assert.match(await spoken('Properties', 'Source'), /^Source, differs from the file/);
  await picture(vscode.page, 'out/game-source.png');
  await openDiff('Properties', 'Source', 'Edited (Studio ↔ disk)');
  await openDiff('Game', 'Lamp', 'Lamp (Studio ↔ disk)');
  await select('Same');
  await until('the properties of a row without a difference', 10_000, async () =>
    (await property('Source').count()) === 0 ? true : undefined,
  );
  assert.deepEqual(await vscode.driver.call('tabs', {}), []);
});

test('is operated by keyboard alone, and is accessible', async () => {
  const { page } = vscode;
  await execute('atlas.game.focus');
  await page.keyboard.press('Home');
  const focused = async (): Promise<string> =>
    (await rows('Game').and(page.locator('.focused')).getAttribute('aria-label')) ?? '';
  const walked: string[] = [];
  for (let step = 0; step < 8; step++) {
    walked.push(await focused());
    await page.keyboard.press('ArrowDown');
  }
  assert.equal(new Set(walked).size, 8, walked.join('\n'));
  // One instance has such a name.
  assert.equal(walked.filter(label => label.includes('$(')).length, 1, walked.join('\n'));
  await select('Lamp');
  await execute('workbench.action.closeAllEditors');
  await execute('atlas.game.focus');
  await page.keyboard.press('Enter');
  await page.locator('.tab', { hasText: 'Lamp (Studio ↔ disk)' }).waitFor();
  await execute('workbench.action.closeAllEditors');
  assert.deepEqual(await viewFindings(page), []);
});

test('walks through the properties by keyboard, and opens the diff of one', async () => {
  const { page } = vscode;
  await select('Edited');
  await row('Properties', 'Source').waitFor();
  await execute('workbench.action.closeAllEditors');
  // The list draws only the rows in view.
  await page.setViewportSize({ width: 1440, height: 2400 });
  await execute('atlas.gameProperties.focus');
  const walked = await walkView(page, 'Properties');
  const differs = walked.findIndex(label => label.startsWith('Source, differs from the file'));
  assert.ok(differs >= 0 && walked.some(label => label.startsWith('ClassName, ModuleScript')), walked.join('\n'));
  await page.keyboard.press('Home');
  for (let step = 0; step < differs; step++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('.tab', { hasText: 'Edited (Studio ↔ disk)' }).waitFor();
  await execute('workbench.action.closeAllEditors');
  await execute('atlas.gameProperties.focus');
  await page.keyboard.press('Home');
  await page.setViewportSize({ width: 1440, height: 860 });
});

test('draws the icon of each class for light and dark themes', async () => {
  const themes = [
    ['Default Dark Modern', 'vs-dark', 'dark'],
    ['Default High Contrast', 'hc-black', 'dark'],
    ['Default Light Modern', 'vs', 'light'],
  ] as const;
  for (const [theme, workbench, kind] of themes) {
    await changeSettings(vscode, { ...ownTheme, 'workbench.colorTheme': theme });
    await vscode.page.locator(`.monaco-workbench.${workbench}`).waitFor();
    await until(`the icon for ${theme}`, 10_000, async () => {
      const icon = row('Game', 'Lamp').locator('.custom-view-tree-node-item-icon');
      const drawn = await icon.getAttribute('style');
      return drawn?.includes(`part-${kind}.svg`) ? true : undefined;
    });
    for (const width of [1440, 700]) {
      await vscode.page.setViewportSize({ width, height: 860 });
      await pictureAsShown(vscode.page, `out/game-${workbench}-${width}.png`);
    }
    await vscode.page.setViewportSize({ width: 1440, height: 860 });
  }
  await changeSettings(vscode, systemLooks);
});

test('[atlas.game.select] selects the instance in Studio and confirms it', async () => {
  await select('Lamp');
  assert.deepEqual(await execute('atlas.game.select'), { outcome: 'done', path: 'Workspace/Lamp' });
  const selected = 'return game:GetService("Selection"):Get()[1].Name';
  assert.deepEqual(await execute('atlas.runLuauHeadless', selected), { outcome: 'done', said: ['Lamp'], printed: [] });
});

test('[atlas.game.revealFile] [atlas.game.reveal] reveals the file of an instance, and the instance of a file', async () => {
  await select('Same');
  assert.deepEqual(await execute('atlas.game.revealFile'), { outcome: 'done', path: 'src/Same.luau' });
  await vscode.page.locator('.tab', { hasText: 'Same.luau' }).waitFor();
  await execute('atlas.game.focus');
  await select('Extra');
  assert.deepEqual(await execute('atlas.game.reveal'), { outcome: 'done', path: 'ReplicatedStorage/Same' });
  await until('the selected row', 10_000, async () =>
    (await row('Game', 'Same').getAttribute('aria-selected')) === 'true' ? true : undefined,
  );
});

test('[atlas.game.reveal] says that a project file describes the whole place, and reveals the instance of a meta file', async () => {
  await execute('notifications.clearAll');
  assert.deepEqual(await execute('atlas.game.reveal', join(dir, 'default.project.json')), { outcome: 'refused' });
  await listedNotice(vscode, 'default.project.json describes the whole place, not one instance.');
  await execute('notifications.clearAll');
  writeFileSync(join(dir, 'src/Same.meta.json'), '{ "properties": {} }');
  await until('the instance of the meta file', 10_000, async () => {
    const { path } = (await execute('atlas.game.reveal', join(dir, 'src/Same.meta.json'))) as { path?: string };
    return path === 'ReplicatedStorage/Same' ? true : undefined;
  });
});

test('[atlas.game.search] finds an instance by its class and reveals it', async () => {
  assert.deepEqual(await execute('atlas.game.search', 'part inside'), {
    outcome: 'done',
    hits: ['ReplicatedStorage/Extra/Inside'],
  });
  const searching = execute('atlas.game.search');
  const input = vscode.page.locator('.quick-input-widget input[type=text]');
  await input.waitFor();
  await input.fill('inside');
  await vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Extra / Inside' }).waitFor();
  await picture(vscode.page, 'out/game-search.png');
  await input.press('Enter');
  assert.deepEqual(await searching, { outcome: 'done', path: 'ReplicatedStorage/Extra/Inside' });
  await row('Game', 'Inside').waitFor();
});

test('says how to show another Studio when two are connected', async () => {
  const { studioUrl = '' } = await atlasExports(vscode);
  const place = { ReplicatedStorage: { className: 'ReplicatedStorage' } };
  const text = (wanted: RegExp) =>
    until(`${wanted} above the list`, 10_000, async () =>
      wanted.test(await message('Game').innerText()) ? true : undefined,
    );
  const compareWith = async (studio: string): Promise<void> => {
    const comparing = execute('atlas.compareWithStudio');
    await vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: studio }).click();
    // It shows the Changes view first.
    await comparing;
    await execute('atlas.game.focus');
  };
  await using _other = await connectFakeStudio(studioUrl, place, { placeName: 'Lobby' }, await vscode.studioKey());
  await text(/Compared with place .* More than one Studio is connected\. Run Compare with Studio/);
  await picture(vscode.page, 'out/game-two-studios.png');
  await compareWith('Lobby');
  await text(/The plugin of Lobby cannot list its instances.* More than one Studio is connected/);
  await compareWith('studio-1');
  await text(/Compared with place/);
  await until('the instances of the place', 10_000, async () => {
    if (await row('Game', 'Lamp').isVisible()) return true;
    await expand('Workspace');
    return undefined;
  });
});

test('keeps the tree after Studio disconnected, and says when', async () => {
  const closing = execute('atlas.closePlaceHeadless');
  const button = vscode.page.getByRole('button', { name: 'Close Without Saving' });
  await Promise.race([closing, button.click().catch(() => undefined)]);
  await closing;
  await until('the message', 20_000, async () =>
    /place disconnected just now/.test(await message('Game').innerText()) ? true : undefined,
  );
  await row('Game', 'Lamp').waitFor();
  await execute('atlas.game.refresh');
  await until('the project', 10_000, async () =>
    /This is the project on disk/.test(await message('Game').innerText()) ? true : undefined,
  );
});

test('shows the project and says so when the plugin cannot list its instances', async () => {
  const { studioUrl = '' } = await atlasExports(vscode);
  const place = { ReplicatedStorage: { className: 'ReplicatedStorage' } };
  await using _studio = await connectFakeStudio(studioUrl, place, { placeName: 'Lobby' }, await vscode.studioKey());
  await until('the message', 10_000, async () =>
    /The plugin of Lobby cannot list its instances/.test(await message('Game').innerText()) ? true : undefined,
  );
  await expand('Workspace');
  const { outcome, error } = await until('the selection', 10_000, async () => {
    const answer = (await execute('atlas.game.select')) as { outcome: string; error?: { code: string } };
    return answer.outcome === 'refused' ? undefined : answer;
  });
  assert.deepEqual([outcome, error?.code], ['failed', 'STUDIO_UNSUPPORTED']);
});
