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

/** `activate()` in a real VS Code, a new extension host each time. The extension's own log says how long it took. */
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

  const times: number[] = [];
  while (times.length < ROUNDS) {
    const page = await browser.newPage();
    await page.goto(`${server.url}?folder=${encodeURIComponent(folder)}`);
    times.push(await loggedTime(server.logs, times.length));
    await page.close();
  }
  return [
    {
      name: 'activate() in VS Code',
      unit: 'ms',
      value: median(times),
      runs: ROUNDS,
      most: 50,
      detail: `${times.map(time => time.toFixed(1)).join(', ')} ms in new extension hosts`,
    },
  ];
}

/** The time in the log line after the first `seen` ones, in milliseconds. */
async function loggedTime(logs: string, seen: number): Promise<number> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const lines = globSync('**/Atlas Bridge.log', { cwd: logs })
      .sort()
      .flatMap(file => Array.from(readFileSync(join(logs, file), 'utf8').matchAll(/activated \{"ms":([\d.]+)/g)));
    const found = lines[seen]?.[1];
    if (found !== undefined) return Number(found);
    await delay(100);
  }
  throw new Error(`The extension did not say in ${logs} that it was activated.`);
}
