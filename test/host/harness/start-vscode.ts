import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/vscode/launch-browser.ts';
import { type DriverLink, listenForDriver } from './driver-link.ts';
import { launchCodeServer } from '../../../scripts/vscode/launch-code-server.ts';
import { launchDesktop } from './launch-desktop.ts';
import type { VsCodeOptions } from './vscode-options.ts';
import { installTestExtensions } from '../../../scripts/vscode/test-extensions.ts';

const lastLook = join(
  resolve(fileURLToPath(import.meta.url), '../../../../out'),
  `last-look-${basename(process.argv[1] ?? 'test', '.test.ts')}.png`,
);

/** A real VS Code with our extension and the driver in it, and a window that a test can click in. */
export interface RunningVsCode extends AsyncDisposable {
  readonly page: Page;
  readonly driver: DriverLink;
  /** The folder with the logs of VS Code and the extension host; for failure messages. */
  readonly logs: string;
}

/**
 * The whole way of a user: the extension is packed, installed and activated by VS Code itself. Resolves when the extension host runs.
 * With ATLAS_HOST=desktop it is a downloaded desktop VS Code, otherwise code-server with Chromium.
 */
export async function startVsCode(options: VsCodeOptions): Promise<RunningVsCode> {
  await using stack = new AsyncDisposableStack();
  // Short, because the path of a socket has at most 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), 'atlas-host-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const driver = stack.use(await listenForDriver(join(dir, 'driver.sock')));
  const env = { ...options.env, ATLAS_DRIVER_SOCKET: driver.socketPath };
  const isDesktop = process.env['ATLAS_HOST'] === 'desktop';
  const window = stack.use(await (isDesktop ? launchDesktop(dir, options, env) : openInBrowser(dir, options, env)));
  await driver.connected(60_000);
  // The last look of a failed test; a passed one overwrites nothing that anybody reads.
  stack.defer(() =>
    window.page.screenshot({ path: lastLook }).then(
      () => undefined,
      () => undefined,
    ),
  );
  const owned = stack.move();
  return { page: window.page, driver, logs: window.logs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openInBrowser(dir: string, options: VsCodeOptions, env: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(
    await launchCodeServer({
      dir,
      // The ring has had them installed, for all its files.
      extensions: process.env['ATLAS_EXTENSIONS'] ?? (await installTestExtensions(dir)),
      env,
      settings: options.settings ?? {},
      asksForTrust: options.asksForTrust === true,
      ...(options.remote && { there: options.remote.there }),
    }),
  );
  const url = new URL(server.url);
  if (options.remote !== undefined) url.port = String(stack.use(await options.remote.forward(Number(url.port))).port);
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1440, height: 860 } });
  const page = await context.newPage();
  const kind = options.folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  await page.goto(`${url.href}?${kind}=${encodeURIComponent(options.folder)}`);
  const owned = stack.move();
  return { page, logs: server.logs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
