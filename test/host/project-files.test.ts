import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { changeSettings } from './harness/change-settings.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { installWithLuauLsp, README_PICTURE } from './harness/luau-lsp-stand-in.ts';
import { pressEnterInPick } from './harness/palette.ts';
import { picture } from './harness/picture.ts';
import { pressRowAction } from './harness/press-row-action.ts';
import { reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { uncovered } from './harness/uncovered.ts';
import { until } from './harness/until.ts';

let dir = '';
let vscode: RunningVsCode;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-ws-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(join(dir, 'src/A.luau'), 'return 1\n');
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'atlas.sourcemap.autoWrite': true } });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const sourcemap = (): string => join(dir, 'sourcemap.json');
const holds = (what: string): true | undefined =>
  existsSync(sourcemap()) && readFileSync(sourcemap(), 'utf8').includes(what) ? true : undefined;

test('updates the sourcemap while the setting is on', async () => {
  await until('the sourcemap', 20_000, async () => holds('src/A.luau'));
  writeFileSync(join(dir, 'src/B.luau'), '');
  await until('the new script in it', 20_000, async () => holds('src/B.luau'));
});

test('Atlas Bridge: Build writes a place and returns what it wrote', async () => {
  const output = join(dir, 'made.rbxl');
  const answer = await vscode.driver.call('execute', { command: 'atlas.build', args: [{ output }] });
  assert.equal((answer as { outcome: string }).outcome, 'done');
  assert.equal(readFileSync(output).subarray(0, 8).toString('latin1'), '<roblox!');
});

test('shows a name that contains a command link as text', async () => {
  const name = '[made](command:workbench.action.closeWindow).rbxl';
  await vscode.driver.call('execute', { command: 'atlas.build', args: [{ output: join(dir, name) }] });
  // The message of progress names the file too.
  const message = (await listedNotice(vscode, /\[made\].*was written/)).locator('.notification-list-item-message');
  assert.equal(await message.locator('a').count(), 0);
  assert.equal((await message.innerText()).replaceAll('\u2060', ''), `${name} was written.`);
  await vscode.driver.call('execute', { command: 'notifications.hideList', args: [] });
});

test('Atlas Bridge: Build writes nothing for a broken project and shows the position', async () => {
  writeFileSync(join(dir, 'src/bad.json'), '{\n');
  const output = join(dir, 'broken.rbxl');
  const answer = await vscode.driver.call('execute', { command: 'atlas.build', args: [{ output }] });
  const { outcome, problems } = answer as { outcome: string; problems: readonly { file: string; line: number }[] };
  assert.deepEqual([outcome, problems[0]?.file, problems[0]?.line], ['failed', 'src/bad.json', 2]);
  assert.ok(!existsSync(output));
  rmSync(join(dir, 'src/bad.json'));
});

test('Atlas Bridge: Write Sourcemap writes to any path', async () => {
  const output = join(dir, 'other.json');
  const answer = await vscode.driver.call('execute', { command: 'atlas.writeSourcemap', args: [{ output }] });
  assert.equal((answer as { ok: boolean }).ok, true);
  assert.match(readFileSync(output, 'utf8'), /^\{"name":"Small","className":"DataModel"/);
});

test('Atlas Bridge: Syncback writes the content of a place to the files, as shown', async () => {
  const input = join(dir, 'made.rbxl');
  await vscode.driver.call('execute', { command: 'atlas.build', args: [{ output: input }] });
  writeFileSync(join(dir, 'src/B.luau'), 'return "moved on"');
  const choice = { input, confirmed: true };
  const answer = await vscode.driver.call('execute', { command: 'atlas.syncbackFromPlace', args: [choice] });
  const { outcome, written } = answer as { outcome: string; written: number };
  assert.deepEqual([outcome, written], ['done', 1]);
  assert.equal(readFileSync(join(dir, 'src/B.luau'), 'utf8'), '');
});

test('[atlas.syncbackFromPlace] shows each file as a diff, and lists the syncback in History', async () => {
  const input = join(dir, 'reviewed.rbxl');
  await vscode.driver.call('execute', { command: 'atlas.build', args: [{ output: input }] });
  writeFileSync(join(dir, 'src/B.luau'), 'return "not committed"');
  const running = vscode.driver.call('execute', { command: 'atlas.syncbackFromPlace', args: [{ input }] });
  const question = vscode.page.getByRole('dialog', { name: /Write 1 file\?/ });
  await question.waitFor();
  await picture(vscode.page, 'out/host-syncback-question.png');
  await question.getByRole('button', { name: 'Show Changes' }).click();
  await until('the diffs', 15_000, async () =>
    (await vscode.driver.call('tabs', {})).some(label => label.startsWith('Syncback from reviewed.rbxl'))
      ? true
      : undefined,
  );
  await uncovered('the first removed text', vscode.page.locator('.editor.original').getByText('not committed').first());
  await picture(vscode.page, 'out/host-syncback-diffs.png');
  await vscode.page.locator('.editor-actions').getByRole('button', { name: 'Apply Changes' }).click();
  assert.equal(((await running) as { outcome: string }).outcome, 'done');
  assert.equal(readFileSync(join(dir, 'src/B.luau'), 'utf8'), '');
  await vscode.driver.call('execute', { command: 'atlas.history.focus', args: [] });
  await vscode.page.locator('.monaco-list-row', { hasText: 'B.luau written by syncback' }).first().click();
  await picture(vscode.page, 'out/host-syncback-history.png');
});

test('shows deletions first, closes the diffs of a cancelled syncback, and writes nothing', async () => {
  const { page, driver } = vscode;
  const input = join(dir, 'cancelled.rbxl');
  await driver.call('execute', { command: 'atlas.build', args: [{ output: input }] });
  const written = readFileSync(join(dir, 'src/A.luau'), 'utf8');
  writeFileSync(join(dir, 'src/A.luau'), 'return "not committed either"');
  writeFileSync(join(dir, 'src/Extra.luau'), 'return "only on disk"');
  const running = driver.call('execute', { command: 'atlas.syncbackFromPlace', args: [{ input }] });
  await page
    .getByRole('dialog', { name: /Write 1 file and delete 1 file\?/ })
    .getByRole('button', { name: 'Show Changes' })
    .click();
  await page.locator('.editor.original').getByText('not committed either').first().waitFor();
  const topOf = async (text: string): Promise<number | undefined> =>
    (await page.locator('.editor.original').getByText(text).boundingBox({ timeout: 5_000 }))?.y;
  // VS Code moves the diffs while it draws them.
  await until('the deletion above the change', 15_000, async () => {
    const [deletion = Infinity, change = -Infinity] = [
      await topOf('only on disk'),
      await topOf('not committed either'),
    ];
    assert.ok(deletion < change, JSON.stringify({ deletion, change }));
    return true as const;
  });
  const progress = page.locator('.notification-list-item', { hasText: 'Syncback from cancelled.rbxl' });
  await progress.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(((await running) as { outcome: string }).outcome, 'refused');
  assert.equal((await driver.call('tabs', {})).filter(label => label.startsWith('Syncback from')).length, 0);
  assert.equal(readFileSync(join(dir, 'src/A.luau'), 'utf8'), 'return "not committed either"');
  assert.ok(existsSync(join(dir, 'src/Extra.luau')));
  rmSync(join(dir, 'src/Extra.luau'));
  writeFileSync(join(dir, 'src/A.luau'), written);
});

test('[atlas.restore] restores the file that a syncback has replaced, after a review', async () => {
  const { page, driver } = vscode;
  const file = join(dir, 'src/B.luau');
  assert.equal(readFileSync(file, 'utf8'), '');
  await pressRowAction(page.locator('.monaco-list-row'), 'B.luau written by syncback', 'Restore…');
  await page.locator('.quick-input-title', { hasText: 'Restore: Choose Changes' }).waitFor();
  await pressEnterInPick(page);
  const review = reviewPage(page);
  await review.frame.getByText('Disk: 1 restored.').waitFor();
  assert.equal(readFileSync(file, 'utf8'), '', 'nothing is written before Apply');
  await picture(page, 'out/host-syncback-restore.png');
  await review.apply();
  await until('the restored file', 20_000, async () =>
    readFileSync(file, 'utf8') === 'return "not committed"' ? true : undefined,
  );
  await driver.call('execute', { command: 'workbench.action.closeAllEditors', args: [] });
});

test('writes the sourcemap of a nested project where Luau LSP reads it', async t => {
  const outer = mkdtempSync(join(tmpdir(), 'atlas-mono-'));
  mkdirSync(join(outer, 'game/src'), { recursive: true });
  mkdirSync(join(outer, 'lib'));
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src', Lib: { $path: '../lib' } } };
  writeFileSync(join(outer, 'game/default.project.json'), JSON.stringify({ name: 'Game', tree }));
  writeFileSync(join(outer, 'lib/B.luau'), '');
  const extensions = mkdtempSync(join(tmpdir(), 'atlas-lsp-'));
  const installed = process.env['ATLAS_EXTENSIONS'];
  t.after(() => {
    if (installed === undefined) delete process.env['ATLAS_EXTENSIONS'];
    else process.env['ATLAS_EXTENSIONS'] = installed;
    for (const folder of [outer, extensions]) rmSync(folder, { recursive: true, force: true });
  });
  process.env['ATLAS_EXTENSIONS'] = await installWithLuauLsp(extensions);
  await using other = await startVsCode({
    folder: outer,
    settings: { 'atlas.port': 0, 'luau-lsp.sourcemap.sourcemapFile': 'map.json' },
  });
  const has = (name: string, what: string) => async (): Promise<true | undefined> => {
    const file = join(outer, 'game', name);
    return existsSync(file) && readFileSync(file, 'utf8').includes(what) ? true : undefined;
  };
  await until('the sourcemap beside the project file', 20_000, has('map.json', '"../lib/B.luau"'));
  writeFileSync(join(outer, 'lib/C.luau'), '');
  await until('what is new beside the project', 20_000, has('map.json', '"../lib/C.luau"'));
  writeFileSync(join(outer, 'game/second.json'), 'a file of the user');
  await changeSettings(other, { 'luau-lsp.sourcemap.sourcemapFile': 'second.json' });
  await until('the sourcemap under its new name', 20_000, has('second.json', '"../lib/C.luau"'));
  assert.equal(existsSync(join(outer, 'game/sourcemap.json')), false);
  await other.driver.call('execute', { command: 'atlas.history.focus', args: [] });
  await other.page.locator('.monaco-list-row', { hasText: 'second.json written by sourcemap' }).first().waitFor();
  assert.deepEqual(await other.driver.call('problems', { path: join(outer, 'game/default.project.json') }), []);

  // The package has its pictures as files, because the page of an extension refuses those that are data.
  assert.deepEqual(await pictureOnPage(other, 'Stand-in for Luau LSP', README_PICTURE), { source: null, width: 0 });
});

/** The picture of a README on VS Code's page of an extension. */
async function pictureOnPage({ driver, page }: RunningVsCode, extension: string, alt: string) {
  const args = [`@installed ${extension}`];
  driver.call('execute', { command: 'workbench.extensions.search', args }).catch(() => undefined);
  await page.locator('.extension-list-item', { hasText: extension }).first().click();
  return until(`the page of ${extension}`, 30_000, async () => {
    for (const frame of page.frames()) {
      const image = frame.locator(`img[alt="${alt}"]`);
      if ((await image.count()) > 0)
        return image.first().evaluate(one => {
          const { naturalWidth } = one as unknown as { readonly naturalWidth: number };
          return { source: one.getAttribute('src'), width: naturalWidth };
        });
    }
    return undefined;
  });
}
