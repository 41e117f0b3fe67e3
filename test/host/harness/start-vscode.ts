import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { after, afterEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { installedStudioKey } from '../../../src/adapters/node/json-studio-keys.ts';
import type { StudioKey } from '../../../src/ports/studio-keys.ts';
import { type BrowserWindow, browserWindow } from './browser-window.ts';
import { type DriverLink, listenForDriver } from './driver-link.ts';
import { failureCount, KeptForNext } from './keep-for-next.ts';
import { launchDesktop } from './launch-desktop.ts';
import { clearOwnState, useOwnState } from '../../../scripts/set-up/own-state.ts';
import type { VsCodeOptions } from './vscode-options.ts';
import { installTestExtensions } from '../../../scripts/vscode/test-extensions.ts';

useOwnState();

const root = resolve(fileURLToPath(import.meta.url), '../../../..');

/** Limit of each action and wait of Playwright, unless a call passes another one. */
export const ACTION_TIMEOUT_MS = 90_000;

const START_TIMEOUT_MS = 180_000;

/** A real VS Code with the extension, the driver, and a window that a test can operate. */
export interface RunningVsCode extends AsyncDisposable {
  readonly page: Page;
  readonly driver: DriverLink;
  /** The folder with the logs of VS Code and the extension host; for failure messages. */
  readonly logs: string;
  /** Reads the key that Studios of this VS Code's machine prove. */
  readonly studioKey: () => Promise<StudioKey>;
}

/** A window with its server and its link to the driver. */
interface KeptWindow extends AsyncDisposable {
  readonly window: BrowserWindow;
  readonly driver: DriverLink;
  readonly isShareable: boolean;
}

/** The window of an earlier test file of this process, without a workspace: opening it costs 9 CPU seconds instead of 15. */
const free = new KeptForNext<KeptWindow>();
const installed = process.env['ATLAS_EXTENSIONS'];
/** The suite of a file that shares its process is named like the file. */
let lastFile = basename(process.argv[1] ?? 'test');
afterEach(context => {
  const [suite = ''] = context.fullName.split(' > ');
  if (suite.endsWith('.test.ts')) lastFile = basename(suite);
});
after(() => free.end());

/**
 * Starts VS Code with the packaged and installed extension. Resolves when the extension host is running. Uses a downloaded desktop VS Code
 * with ATLAS_HOST=desktop, otherwise code-server with Chromium. The window of a test file that passed is emptied for the next file of the process.
 */
export async function startVsCode(options: VsCodeOptions): Promise<RunningVsCode> {
  const failuresBefore = failureCount();
  if (process.env['ATLAS_HOST'] === 'desktop') return await startDesktop(options);
  const { window, driver, ...kept } = (await reopen(options)) ?? (await launch(options));
  window.page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return {
    ...running(window, driver, options),
    async [Symbol.asyncDispose]() {
      await screenshot(window.page);
      const one = { window, driver, ...kept };
      await free.giveBack(one, failuresBefore, async () => one.isShareable && (await isEmptied(one)));
    },
  };
}

/** Whether it is a window of the default kind; extensions, environment variables and trust belong to the server. */
const isDefault = ({ asksForTrust, remote, env }: VsCodeOptions): boolean =>
  process.env['ATLAS_EXTENSIONS'] === installed && asksForTrust !== true && remote === undefined && env === undefined;

const isEmptied = ({ window, driver }: KeptWindow): Promise<boolean> =>
  window.empty(driver).then(
    () => {
      clearOwnState();
      return true;
    },
    () => false,
  );

/** Opens the free window; `undefined` if there is none for these options, or if it does not open the folder. */
async function reopen(options: VsCodeOptions): Promise<KeptWindow | undefined> {
  const kept = isDefault(options) ? await free.take() : undefined;
  if (kept === undefined) return undefined;
  try {
    await kept.window.open(options);
    await kept.driver.connected(START_TIMEOUT_MS);
    const { opened } = await kept.driver.call('window', {});
    assert.equal(opened, options.folder);
    return kept;
  } catch (error) {
    console.error(`A shared window did not open ${options.folder}, so another one is started:`, error);
    await kept[Symbol.asyncDispose]();
    return undefined;
  }
}

async function launch(options: VsCodeOptions): Promise<KeptWindow> {
  await using stack = new AsyncDisposableStack();
  const { dir, driver, env } = await folderWithDriver(stack, options);
  const isShareable = isDefault(options);
  // Already installed once for all test files.
  const extensions = process.env['ATLAS_EXTENSIONS'] ?? (await installTestExtensions(dir));
  const window = stack.use(await browserWindow(dir, options, env, extensions));
  await window.open(options);
  await driver.connected(START_TIMEOUT_MS);
  const owned = stack.move();
  return { window, driver, isShareable, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startDesktop(options: VsCodeOptions): Promise<RunningVsCode> {
  await using stack = new AsyncDisposableStack();
  const { dir, driver, env } = await folderWithDriver(stack, options);
  const window = stack.use(await launchDesktop(dir, options, env));
  window.page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  await driver.connected(START_TIMEOUT_MS);
  stack.defer(() => screenshot(window.page));
  const owned = stack.move();
  return { ...running(window, driver, options), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function folderWithDriver(stack: AsyncDisposableStack, options: VsCodeOptions) {
  // Short, because a socket path is limited to 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), 'atlas-host-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const driver = stack.use(await listenForDriver(join(dir, 'driver.sock')));
  return { dir, driver, env: { ...options.env, ATLAS_DRIVER_SOCKET: driver.socketPath } };
}

const running = ({ page, logs }: Pick<RunningVsCode, 'page' | 'logs'>, driver: DriverLink, { env }: VsCodeOptions) => ({
  page,
  driver,
  logs,
  studioKey: installedStudioKey({ ...process.env, ...env }),
});

/** Takes a picture of the last state, useful when the test failed. */
const screenshot = (page: Page): Promise<void> =>
  page.screenshot({ path: join(root, `out/last-look-${basename(lastFile, '.test.ts')}.png`) }).then(
    () => undefined,
    () => undefined,
  );
