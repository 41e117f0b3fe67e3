import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { ensureCodeServer } from '../../scripts/set-up/code-server.ts';
import { ensureRelease } from '../../scripts/vscode/pack-extension.ts';
import { launchBrowser, quickWindows, windowContext } from '../../scripts/vscode/launch-browser.ts';
import { launchCodeServer } from '../../scripts/vscode/launch-code-server.ts';
import { runFromPalette } from './harness/palette.ts';
import { until } from './harness/until.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const label = 'Example with headless Studio';

/** Lets windows of a built VS Code be extension development hosts, as in the desktop VS Code. Code-server has no option for it. */
const allowDevelopmentHosts = `{
  const own = Element.prototype.getAttribute;
  Element.prototype.getAttribute = function (name) {
    const value = own.call(this, name);
    if (this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings' || value === null) return value;
    const settings = JSON.parse(value);
    const developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
    return JSON.stringify({ ...settings, developmentOptions });
  };
}`;

/** Presses F5 until its task runs: a new window ignores it while the debugger is being loaded. */
const pressF5 = (page: Page): Promise<true> =>
  until('the task of F5', 90_000, async () => {
    const task = page.locator('.statusbar-item', { hasText: label });
    if ((await task.count()) > 0) return true;
    await page.keyboard.press('F5');
    return task.waitFor({ timeout: 10_000 }).then(
      () => true as const,
      () => undefined,
    );
  });

test('opens the example with headless Studio in an extension development host when F5 is pressed', async t => {
  await ensureCodeServer();
  await ensureRelease();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-f5-'));
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const env = { HOME: join(dir, 'home'), XDG_STATE_HOME: join(dir, 'state'), ATLAS_DIST: 'ready' };
  for (const folder of ['home', 'state', 'extensions']) mkdirSync(join(dir, folder));
  await using server = await launchCodeServer({ dir, extensions: join(dir, 'extensions'), env });
  await using ends = new AsyncDisposableStack();
  const browser = await launchBrowser(quickWindows);
  ends.defer(() => browser.close());
  const context = await windowContext(browser);
  await context.addInitScript(allowDevelopmentHosts);
  const page = await context.newPage();
  const opened = page.waitForEvent('popup', { timeout: 180_000 });
  opened.catch(() => undefined);
  await page.goto(`${server.url}?folder=${encodeURIComponent(root)}`);
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
  await pressF5(page);

  const host = await opened;
  ends.defer(() =>
    host.screenshot({ path: join(root, 'out/last-look-f5.png') }).then(
      () => undefined,
      () => undefined,
    ),
  );
  const url = new URL(host.url());
  assert.equal(url.searchParams.get('folder'), join(root, 'out/demo/obby'));
  await host
    .locator('.window-title, .command-center', { hasText: '[Extension Development Host] obby' })
    .first()
    .waitFor({ timeout: 60_000 });
  // The window waits for its debugger, which code-server does not attach.
  const payload = JSON.parse(url.searchParams.get('payload') ?? '[]') as readonly (readonly [string, string])[];
  assert.ok(payload.some(([key]) => key === 'inspect-brk-extensions'));
  const withoutDebugger = payload.filter(([key]) => key !== 'inspect-brk-extensions');
  url.searchParams.set('payload', JSON.stringify(withoutDebugger));
  await host.goto(url.href);
  // The name of the place, which only the headless Studio of the task has open.
  await host.locator('.statusbar-item[id*="atlas.status"]', { hasText: /: obby$/ }).waitFor({ timeout: 150_000 });
  await page.bringToFront();
  await page.keyboard.press('Shift+F5');
  await runFromPalette(page, 'Tasks: Terminate Task');
});
