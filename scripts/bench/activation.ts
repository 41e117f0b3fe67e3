import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureCodeServer } from '../set-up/code-server.ts';
import { launchBrowser } from '../vscode/launch-browser.ts';
import { installExtensions, launchCodeServer } from '../vscode/launch-code-server.ts';
import { packExtension } from '../vscode/pack-extension.ts';
import { median, type Row } from './row.ts';

const ROUNDS = 5;

/** Times in the extension's log. */
interface Logged {
  /** From the call of `activate()` until its promise resolves, including work of other extensions in between. */
  readonly ms: number;
  /** Time for which the extension blocked the thread, in total and at a time. */
  readonly heldMs: number;
  readonly longestMs: number;
}

/** Measures `activate()` in a real VS Code, each time in a new extension host. */
export async function activation(): Promise<readonly Row[]> {
  await ensureCodeServer();
  await using stack = new AsyncDisposableStack();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const folder = join(dir, 'game');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'default.project.json'),
    JSON.stringify({ name: 'Bench', tree: { $className: 'DataModel' } }),
  );
  const extensions = await installExtensions(dir, [await packExtension(dir)]);
  const server = stack.use(await launchCodeServer({ dir, extensions, settings: { 'atlas.port': 0 } }));
  const browser = await launchBrowser();
  stack.defer(() => browser.close());

  const logged: Logged[] = [];
  while (logged.length < ROUNDS) {
    const page = await browser.newPage();
    await page.goto(`${server.url}?folder=${encodeURIComponent(folder)}`);
    logged.push(await nextLogged(server.logs, logged.length));
    await page.close();
  }
  const row = (name: string, most: number, read: (time: Logged) => number): Row => ({
    name,
    unit: 'ms',
    value: median(logged.map(read)),
    runs: ROUNDS,
    limit: most,
    detail: `${logged.map(time => read(time).toFixed(1)).join(', ')} ms in new extension hosts`,
  });
  return [
    row('activate() in VS Code until its promise resolves, with other extensions', 50, ({ ms }) => ms),
    row('part of it that blocks the thread', 50, ({ heldMs }) => heldMs),
    row('longest single block of it', 20, ({ longestMs }) => longestMs),
  ];
}

/** Waits for the log line after the first `seen` lines. */
async function nextLogged(logs: string, seen: number): Promise<Logged> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const lines = globSync('**/Atlas Bridge.log', { cwd: logs })
      .sort()
      .flatMap(file => Array.from(readFileSync(join(logs, file), 'utf8').matchAll(/activated (\{.*\})/g)));
    const found = lines[seen]?.[1];
    // Written by the extension under test, so its form is known.
    if (found !== undefined) return JSON.parse(found) as Logged;
    await delay(100);
  }
  throw new Error(`no log in ${logs} says that the extension was activated`);
}
