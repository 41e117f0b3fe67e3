import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { installedStudioKey } from '../../../src/adapters/node/json-studio-keys.ts';
import type { StudioKey } from '../../../src/ports/studio-keys.ts';
import { launchBrowser } from '../../../scripts/vscode/launch-browser.ts';
import { type DriverLink, listenForDriver } from './driver-link.ts';
import { launchCodeServer } from '../../../scripts/vscode/launch-code-server.ts';
import { launchDesktop } from './launch-desktop.ts';
import { openReusedWindow, type ReusedWindow } from './reused-window.ts';
import type { VsCodeOptions } from './vscode-options.ts';
import { installTestExtensions } from '../../../scripts/vscode/test-extensions.ts';

const out = resolve(import.meta.dirname, '../../../out');
/** The test file that asks for a window, from the stack; a process runs several files. */
const askingFile = (): string => /([\w-]+)\.test\.ts/.exec(new Error().stack ?? '')?.[1] ?? 'test';

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
  const lastLook = join(out, `last-look-${askingFile()}.png`);
  await using stack = new AsyncDisposableStack();
  const window = stack.use(await openWindow(options));
  await window.driver.connected(60_000);
  // A screenshot of the final state, useful when the test failed.
  stack.defer(() =>
    window.page.screenshot({ path: lastLook }).then(
      () => undefined,
      () => undefined,
    ),
  );
  const owned = stack.move();
  const studioKey = installedStudioKey({ ...process.env, ...options.env });
  const { page, driver, logs } = window;
  return { page, driver, logs, studioKey, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openWindow(options: VsCodeOptions): Promise<ReusedWindow> {
  await using stack = new AsyncDisposableStack();
  const isDesktop = process.env['ATLAS_HOST'] === 'desktop';
  const isOrdinary = options.asksForTrust !== true && options.remote === undefined && options.env === undefined;
  const extensions = process.env['ATLAS_EXTENSIONS'];
  if (!isDesktop && isOrdinary && extensions !== undefined)
    return await openReusedWindow(queryOf(options), options.settings ?? {}, extensions);
  // Short, because a socket path is limited to 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), 'atlas-host-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const driver = stack.use(await listenForDriver(join(dir, 'driver.sock')));
  const env = { ...options.env, ATLAS_DRIVER_SOCKET: driver.socketPath };
  const window = stack.use(await (isDesktop ? launchDesktop(dir, options, env) : openInBrowser(dir, options, env)));
  const owned = stack.move();
  return { page: window.page, driver, logs: window.logs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const queryOf = ({ folder }: VsCodeOptions): string =>
  `${folder.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(folder)}`;

async function openInBrowser(dir: string, options: VsCodeOptions, env: Readonly<Record<string, string>>) {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(
    await launchCodeServer({
      dir,
      // Already installed once for all test files.
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
  await page.goto(`${url.href}?${queryOf(options)}`);
  const owned = stack.move();
  return { page, logs: server.logs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
