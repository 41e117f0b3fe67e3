import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WINDOW_SIZE } from '../../scripts/vscode/launch-browser.ts';
import { startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

let dir = '';
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-shared-'));
  for (const name of ['first', 'second']) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'default.project.json'), JSON.stringify({ name, tree: { $className: 'DataModel' } }));
  }
});
after(() => rmSync(dir, { recursive: true, force: true }));

const state = (): readonly string[] =>
  readdirSync(process.env['XDG_STATE_HOME'] ?? '', { recursive: true }).map(String);

test(
  'opens the window of an earlier file without its workspace, editors, settings and state',
  { skip: process.env['ATLAS_HOST'] === 'desktop' ? 'a desktop window is not shared' : false },
  async () => {
    const settings = {
      'atlas.port': 0,
      'files.autoSave': 'off',
      'editor.fontSize': 30,
      'workbench.colorTheme': 'Default Dark+',
    };
    const first = await startVsCode({ folder: join(dir, 'first'), settings });
    const { pid } = await first.driver.call('window', {});
    await first.driver.call('show', { uri: `file://${join(dir, 'first/default.project.json')}` });
    await first.driver.call('edit', { before: 'first', after: 'unsaved' });
    await first.driver.call('execute', { command: 'workbench.action.terminal.new', args: [] });
    await first.page.locator('.terminal-wrapper').waitFor();
    await first.driver.call('execute', { command: 'atlas.changes.focus', args: [] });
    await first.page.setViewportSize({ width: 700, height: 500 });
    await until('the state of the bridge', 30_000, async () => (state().length > 0 ? true : undefined));
    await first[Symbol.asyncDispose]();
    assert.deepEqual(state(), []);
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });

    await using second = await startVsCode({ folder: join(dir, 'second'), settings: { 'atlas.port': 0 } });
    assert.equal(second.page, first.page);
    const { opened } = await second.driver.call('window', {});
    assert.equal(opened, join(dir, 'second'));
    assert.deepEqual(await second.driver.call('tabs', {}), []);
    const { page } = second;
    assert.deepEqual(page.viewportSize(), WINDOW_SIZE);
    await page.locator('.monaco-workbench.vs').waitFor();
    await page.getByRole('treeitem', { name: /default\.project\.json/ }).waitFor();
    assert.equal(await page.locator('.terminal-wrapper').count(), 0);
    await second.driver.call('show', { uri: `file://${join(dir, 'second/default.project.json')}` });
    const line = await page.locator('.monaco-editor .view-line').first().boundingBox();
    assert.ok((line?.height ?? 0) < 25, `a line has ${line?.height} pixels`);
  },
);
