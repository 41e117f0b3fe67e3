import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../../scripts/vscode/launch-browser.ts';
import { type CodeServer, launchCodeServer, writeSettings } from '../../../scripts/vscode/launch-code-server.ts';
import { type DriverLink, listenForDriver } from './driver-link.ts';

/** How long a server waits for the next test file before it stops. */
const IDLE_MS = 5_000;
const viewport = { width: 1440, height: 860 };

/** A window of VS Code whose server and page are new or left over from an earlier window of this process. */
export interface ReusedWindow extends AsyncDisposable {
  readonly page: Page;
  readonly driver: DriverLink;
  readonly logs: string;
}

interface Parts extends AsyncDisposable {
  readonly dir: string;
  readonly server: CodeServer;
  readonly context: BrowserContext;
  readonly page: Page;
}
/** With the timer that stops them. A test may have several windows at the same time. */
const idle = new Map<Parts, NodeJS.Timeout>();

/**
 * Opens `?folder=…` with `settings` in a page that earlier windows of this process have used: the browser has compiled VS Code already, which
 * takes two thirds of the time of a start. Nothing else of earlier windows is left: settings, storage of server and browser, extension hosts.
 */
export async function openReusedWindow(
  query: string,
  settings: Readonly<Record<string, unknown>>,
  extensions: string,
): Promise<ReusedWindow> {
  const parts = takeIdle() ?? (await startParts(extensions));
  try {
    const driver = await listenForDriver(socketIn(parts.dir));
    writeSettings(parts.dir, settings, false);
    await parts.page.goto(`${parts.server.url}?${query}`);
    return {
      page: parts.page,
      driver,
      logs: parts.server.logs,
      async [Symbol.asyncDispose]() {
        const isClean = await leave(parts, driver).catch(() => false);
        await driver[Symbol.asyncDispose]();
        if (isClean) keepIdle(parts);
        else await parts[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await parts[Symbol.asyncDispose]();
    throw error;
  }
}

const socketIn = (dir: string): string => join(dir, 'driver.sock');

function takeIdle(): Parts | undefined {
  const [parts] = idle.keys();
  if (parts === undefined) return undefined;
  clearTimeout(idle.get(parts));
  idle.delete(parts);
  return parts;
}

function keepIdle(parts: Parts): void {
  const stop = (): void => {
    idle.delete(parts);
    void parts[Symbol.asyncDispose]();
  };
  idle.set(parts, setTimeout(stop, IDLE_MS));
}

async function startParts(extensions: string): Promise<Parts> {
  await using stack = new AsyncDisposableStack();
  // Short, because a socket path is limited to 107 bytes.
  const dir = mkdtempSync(join(tmpdir(), 'atlas-host-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const env = { ATLAS_DRIVER_SOCKET: socketIn(dir) };
  const server = stack.use(await launchCodeServer({ dir, extensions, env }));
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const owned = stack.move();
  return { dir, server, context, page, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Closes VS Code and removes everything that it stored. Resolves with `false` if an extension host still runs. */
async function leave({ context, page, server }: Parts, driver: DriverLink): Promise<boolean> {
  for (const other of context.pages()) if (other !== page) await other.close();
  // VS Code asks whether to leave when a document has unsaved edits.
  const accept = (dialog: { accept(): Promise<void> }): void => void dialog.accept();
  page.on('dialog', accept);
  await page.goto('about:blank');
  page.removeAllListeners();
  if (!(await driver.ended(10_000))) return false;
  const session = await context.newCDPSession(page);
  const { origin } = new URL(server.url);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await page.emulateMedia({});
  await page.setViewportSize(viewport);
  page.setDefaultTimeout(30_000);
  const user = join(server.logs, '..', 'User');
  for (const name of readdirSync(user)) rmSync(join(user, name), { recursive: true, force: true });
  return true;
}
