import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chooseFromMenu } from './harness/menu.ts';
import { picture } from './harness/picture.ts';
import { reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { pressEnterInPick } from './harness/palette.ts';
import { until } from './harness/until.ts';

const PLACE = `<roblox version="4"><Item class="StarterGui" referent="A">
  <Item class="ScreenGui" referent="B"><Properties><string name="Name">Hud</string><bool name="Enabled">false</bool></Properties></Item>
</Item></roblox>`;
const tree = {
  $className: 'DataModel',
  StarterGui: { $path: 'gui' },
  ReplicatedStorage: { $className: 'ReplicatedStorage', Packages: { $className: 'Folder', $path: 'Packages' } },
};

let dir = '';
let vscode: RunningVsCode;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-untracked-'));
  mkdirSync(join(dir, 'gui'));
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }, null, 2));
  writeFileSync(join(dir, 'gui/Hud.model.json'), JSON.stringify({ className: 'ScreenGui' }));
  writeFileSync(join(dir, 'place.rbxlx'), PLACE);
  writeFileSync(join(dir, 'wally.toml'), '[package]\n');
  // A fake Wally, which writes the folder that the project names.
  mkdirSync(join(dir, 'bin'));
  writeFileSync(
    join(dir, 'bin/wally'),
    '#!/bin/sh\n[ "$1" = install ] && mkdir Packages && echo "return $NoDefaultCurrentDirectoryInExePath" > Packages/Lib.luau\n',
  );
  chmodSync(join(dir, 'bin/wally'), 0o755);
  vscode = await startVsCode({
    folder: dir,
    settings: {
      'atlas.port': 0,
      'atlas.rojoPort': null,
      'terminal.integrated.env.linux': { PATH: `${join(dir, 'bin')}:${process.env['PATH']}` },
    },
  });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});
const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const showsStatus = (wanted: RegExp): Promise<true> =>
  until<true>(`${wanted} in the status bar`, 20_000, async () => {
    const now = await vscode.page.locator('.statusbar-item[id*="atlas.status"]').innerText();
    if (wanted.test(now)) return true;
    throw new Error(now);
  });

test('[atlas.installPackages] shows a missing path as a problem with the quick fix "wally install"', async () => {
  await showsStatus(/missing Packages/);
  await vscode.driver.call('show', { uri: `file://${join(dir, 'default.project.json')}` });
  await execute('workbench.actions.view.problems');
  const problem = vscode.page.getByText('expected a file or folder at "Packages"; run "wally install"').first();
  await problem.waitFor();
  await picture(vscode.page, 'out/host-missing-path.png');
  const fix = vscode.page.getByText('Run "wally install"', { exact: true }).first();
  const showFixes = async (): Promise<void> => {
    await problem.click();
    await vscode.page.keyboard.press('Control+.');
    await fix.waitFor();
  };
  await showFixes();
  await picture(vscode.page, 'out/host-missing-path-fix.png');
  await chooseFromMenu(fix, showFixes);
  await until('the package', 20_000, async () => (existsSync(join(dir, 'Packages/Lib.luau')) ? true : undefined));
  // On Windows, cmd.exe would otherwise run a program of the project with that name.
  await until('the text of the package', 20_000, async () =>
    readFileSync(join(dir, 'Packages/Lib.luau'), 'utf8') === 'return 1\n' ? true : undefined,
  );
  await showsStatus(/waiting for Studio at \d+$/);
  await problem.waitFor({ state: 'detached' });
});

test('[atlas.reviewChanges] lists a Studio-only property, and writes it when it is tracked', async () => {
  await execute('atlas.openPlaceHeadless', join(dir, 'place.rbxlx'));
  await showsStatus(/place/);
  await execute('notifications.clearAll');
  void execute('atlas.reviewChanges', 'untracked');
  const { frame: page } = reviewPage(vscode.page);
  await page.getByText(/propert(y is|ies are) only in Studio and not tracked/).click();
  await page.getByText('Hud.Enabled').waitFor();
  await picture(vscode.page, 'out/host-untracked-properties.png');
  await page.getByRole('button', { name: 'Track This Property: Enabled of StarterGui/Hud' }).click();
  const row = page.getByRole('row', { name: 'Hud' }).last();
  await row.waitFor();
  const apply = page.getByRole('button', { name: 'Apply', exact: true });
  await until('everything decided', 20_000, async () => {
    if (await apply.isEnabled()) return true;
    await page.getByRole('button', { name: 'Skip Undecided' }).click({ timeout: 2_000 });
    return undefined;
  });
  await apply.click();
  const file = join(dir, 'gui/Hud.model.json');
  await until('the file', 20_000, async () => (readFileSync(file, 'utf8').includes('Enabled') ? true : undefined));
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
    className: 'ScreenGui',
    properties: { Enabled: false },
  });
});

test('[atlas.restore] restores the file from before its property was tracked', async () => {
  const { page } = vscode;
  const file = join(dir, 'gui/Hud.model.json');
  await execute('workbench.action.closeAllEditors');
  void execute('atlas.restore');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  await picture(page, 'out/host-untracked-restore.png');
  await rows.last().click();
  await page.locator('.quick-input-title', { hasText: 'Restore: Choose Changes' }).waitFor();
  await pressEnterInPick(page);
  const review = reviewPage(page);
  await review.frame.getByRole('button', { name: 'Restore All' }).click();
  await review.apply();
  await until('the restored file', 20_000, async () =>
    readFileSync(file, 'utf8').includes('Enabled') ? undefined : true,
  );
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { className: 'ScreenGui' });
});
