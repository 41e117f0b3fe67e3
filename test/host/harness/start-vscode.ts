import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { installedStudioKey } from '../../../src/adapters/node/json-studio-keys.ts';
import type { StudioKey } from '../../../src/ports/studio-keys.ts';
import { launchBrowser, windowContext } from '../../../scripts/vscode/launch-browser.ts';
import { type DriverLink, listenForDriver } from './driver-link.ts';
import { launchCodeServer } from '../../../scripts/vscode/launch-code-server.ts';
import { launchDesktop } from './launch-desktop.ts';
import { useOwnState } from '../../../scripts/set-up/own-state.ts';
import { systemLooks } from './picture.ts';
import type { VsCodeOptions } from './vscode-options.ts';
import { installTestExtensions } from '../../../scripts/vscode/test-extensions.ts';

useOwnState();

const lastLook = join(
  resolve(fileURLToPath(import.meta.url), '../../../../out'),
  `last-look-${basename(process.argv[1] ?? 'test', '.test.ts')}.png`,
);

/** Limit of each action and wait of Playwright, unless a call passes another one. */
export const ACTION_TIMEOUT_MS = 90_000;

/** A real VS Code with the extension, the driver, and a window that a test can operate. */
export interface RunningVsCode extends AsyncDisposable {
  readonly page: Page;
  readonly driver: DriverLink;
  /** The folder with the logs of VS Code and the extension host; for failure messages. */
  readonly logs: string;
  /** Reads the key that Studios of this VS Code's machine prove. */
  readonly studioKey: () => Promise<StudioKey>;
}

/**
 * Starts VS Code with the packaged and installed extension. Resolves when the extension host is running. Uses a downloaded desktop VS Code
 * with ATLAS_HOST=desktop, otherwise code-server with Chromium.
 */
export async function startVsCode(options: VsCodeOptions): Promise<RunningVsCode> {
  await using stack = new AsyncDisposableStack();
  // Short, because a socket path is limited to 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), 'atlas-host-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const driver = stack.use(await listenForDriver(join(dir, 'driver.sock')));
  const env = { ...options.env, ATLAS_DRIVER_SOCKET: driver.socketPath };
  const isDesktop = process.env['ATLAS_HOST'] === 'desktop';
  const window = stack.use(await (isDesktop ? launchDesktop(dir, options, env) : openInBrowser(dir, options, env)));
  window.page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  await driver.connected(180_000);
  // A screenshot of the final state, useful when the test failed.
  stack.defer(() =>
    window.page.screenshot({ path: lastLook }).then(
      () => undefined,
      () => undefined,
    ),
  );
  const owned = stack.move();
  const studioKey = installedStudioKey({ ...process.env, ...options.env });
  return { page: window.page, driver, logs: window.logs, studioKey, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openInBrowser(dir: string, options: VsCodeOptions, env: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(
    await launchCodeServer({
      dir,
      // Already installed once for all test files.
      extensions: process.env['ATLAS_EXTENSIONS'] ?? (await installTestExtensions(dir)),
      env,
      settings: { ...systemLooks, ...options.settings },
      asksForTrust: options.asksForTrust === true,
      ...(options.remote && { there: options.remote.there }),
    }),
  );
  const url = new URL(server.url);
  if (options.remote !== undefined) url.port = String(stack.use(await options.remote.forward(Number(url.port))).port);
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const context = await windowContext(browser);
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  const kind = options.folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  await page.goto(`${url.href}?${kind}=${encodeURIComponent(options.folder)}`);
  const owned = stack.move();
  return { page, logs: server.logs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
