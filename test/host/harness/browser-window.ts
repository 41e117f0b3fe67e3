import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser, quickWindows, WINDOW_SIZE, windowContext } from '../../../scripts/vscode/launch-browser.ts';
import { launchCodeServer, writeSettings } from '../../../scripts/vscode/launch-code-server.ts';
import type { DriverLink } from './driver-link.ts';
import { systemLooks } from './picture.ts';
import { settingsOf, type VsCodeOptions } from './vscode-options.ts';

/** Limit of the steps that empty a window. They take less than a second. */
const EMPTY_TIMEOUT_MS = 20_000;

/** A server of VS Code, and a page in Chromium that shows one of its windows. */
export interface BrowserWindow extends AsyncDisposable {
  readonly page: Page;
  readonly logs: string;
  /** Opens a folder or workspace with a new extension host. */
  open(options: Pick<VsCodeOptions, 'folder' | 'settings' | 'hasChat'>): Promise<void>;
  /** Closes the workspace and deletes the state of VS Code and of its extensions. @throws Error if something of it would remain */
  empty(driver: DriverLink): Promise<void>;
}

/** @param extensions the folder of the installed extensions */
export async function browserWindow(
  dir: string,
  options: VsCodeOptions,
  env: Readonly<Record<string, string>>,
  extensions: string,
): Promise<BrowserWindow> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(
    await launchCodeServer({
      dir,
      extensions,
      env,
      asksForTrust: options.asksForTrust === true,
      ...(options.remote && { there: options.remote.there }),
    }),
  );
  const userData = join(server.logs, '..');
  const url = new URL(server.url);
  if (options.remote !== undefined) url.port = String(stack.use(await options.remote.forward(Number(url.port))).port);
  const browser = await launchBrowser(quickWindows);
  stack.defer(() => browser.close());
  const context = await windowContext(browser);
  const page = await context.newPage();
  const owned = stack.move();
  return {
    page,
    logs: server.logs,
    async open({ folder, ...rest }) {
      writeSettings(userData, {
        settings: { ...systemLooks, ...settingsOf(rest) },
        asksForTrust: options.asksForTrust === true,
      });
      const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
      await page.goto(`${url.href}?${kind}=${encodeURIComponent(folder)}`);
    },
    async empty(driver) {
      // The server keeps terminals, for a window that reloads.
      await driver.call('execute', { command: 'workbench.action.terminal.killAll', args: [] });
      const { pid } = await driver.call('window', {});
      if (context.pages().length > 1) throw new Error('The window has a second page.');
      await page.goto('about:blank');
      await processEnded(pid);
      const devTools = await context.newCDPSession(page);
      await devTools.send('Storage.clearDataForOrigin', { origin: url.origin, storageTypes: 'all' });
      await devTools.detach();
      await page.unrouteAll();
      await context.clearPermissions();
      await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion: null });
      await page.setViewportSize(WINDOW_SIZE);
      for (const name of readdirSync(join(userData, 'User'))) rmSync(join(userData, 'User', name), { recursive: true });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** VS Code's server ends the extension host of a closed page, which ends the programs of its extensions first. */
async function processEnded(pid: number): Promise<void> {
  const end = performance.now() + EMPTY_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (performance.now() > end) throw new Error(`The extension host did not end in ${EMPTY_TIMEOUT_MS} ms.`);
    await delay(20);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
