import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { settingDefinitions } from '../../src/ports/settings.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { reloadWindow } from './harness/reload-window.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

const dir = mkdtempSync(join(tmpdir(), 'atlas-renamed-'));
let vscode: RunningVsCode;

before(async () => {
  for (const folder of ['game', 'old', 'new']) mkdirSync(join(dir, folder));
  const tree = { $className: 'DataModel' };
  writeFileSync(join(dir, 'game/default.project.json'), JSON.stringify({ name: 'Game', tree }));
  writeFileSync(join(dir, 'old/note.md'), 'old\n');
  const environment = { DOCS_ROOTS: 'old', ROOT_OLD_PATH: join(dir, 'old') };
  vscode = await startVsCode({
    folder: join(dir, 'game'),
    settings: { 'atlas.port': 0, 'atlas.docs.environment': environment, 'atlas.changes.autoRefresh': false },
  });
  await until('the bridge running', 30_000, async () =>
    (await atlasExports(vscode)).state === 'running' ? true : undefined,
  );
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const roots = async (): Promise<readonly string[]> =>
  vscode.page
    .locator('.pane-body .monaco-list-row[role="treeitem"]')
    .evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''));
const shows = (root: RegExp): Promise<true> =>
  until(`the root ${String(root)}`, 20_000, async () =>
    (await roots()).some(line => root.test(line)) ? true : undefined,
  );

test('shows the new name of each setting that is set under its old name', async () => {
  await listedNotice(vscode, 'atlas.docs.environment is now called atlas.docs.roots');
  await listedNotice(vscode, 'atlas.changes.autoRefresh is now called atlas.changes.autoCompare');
});

test('reads the old name until the new one is set', async () => {
  await vscode.driver.call('execute', { command: 'atlas.roots.focus', args: [] });
  await shows(/^old, local/);
  await changeSettings(vscode, { 'atlas.docs.roots': [{ id: 'new', path: join(dir, 'new') }] });
  await shows(/^new, local/);
  assert.ok(!(await roots()).some(line => line.startsWith('old,')));
});

test('does not show it again after a reload', async () => {
  // All names of a start are shown together, so this one says that they were.
  const { key, oldKey } = settingDefinitions.timeoutMultiplier;
  await changeSettings(vscode, { [`atlas.${oldKey}`]: 1 });
  await reloadWindow(vscode);
  const shown = await listedNotice(vscode, 'is now called');
  assert.ok((await shown.innerText()).includes(`atlas.${oldKey} is now called atlas.${key}`));
});
