/** `npm start`: the example in a real VS Code, headless Studio beside it, and something to decide. */
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HTTP_LIMITS } from '../../src/protocol/limits.ts';
import { ensureCodeServer } from '../set-up/code-server.ts';
import { findOnPath } from '../set-up/find-on-path.ts';
import { launchCode } from '../vscode/launch-code.ts';
import { installExtensions, launchCodeServer } from '../vscode/launch-code-server.ts';
import { packExtension } from '../vscode/pack-extension.ts';
import { freePort } from './free-port.ts';
import { startHeadlessStudio } from './headless-process.ts';
import { meetOnce } from './meet-once.ts';
import { prepareExample } from './prepare-example.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
/** Replaced at each start. */
const dir = process.env['ATLAS_DEMO_DIR'] ?? join(root, 'out/demo');
const CODE_SERVER_PORT = 8080;

/** Runs until `stop` aborts; then everything that it started has ended. */
export async function runDemo(stop: AbortSignal, print: (line: string) => void): Promise<void> {
  await using stack = new AsyncDisposableStack();
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const project = join(dir, 'obby');
  print('Preparing the example, and a place that is in step with it …');
  await prepareExample(project);
  const port = await freePort(HTTP_LIMITS.defaultPort);
  const studio = stack.use(await startHeadlessStudio(dir, port));
  await meetOnce({ project, studio, port, dir });
  if (stop.aborted) return;

  const vscode = stack.use(await openVsCode(project, port));
  for (const line of [
    `Atlas Bridge works on a copy of examples/obby: ${relative(root, project)}, with a git history of its own.`,
    `  VS Code   ${vscode.where}`,
    `  Studio    headless, with the place ${relative(root, studio.place)}; it connects to port ${port} as soon as VS Code is open`,
    `  Agents    http://127.0.0.1:${port}/mcp; the chat of that VS Code knows it already`,
    '  Try       "Atlas: Sync" in the command palette (F1): four changes differ, one needs you. Ctrl+C here stops everything.',
  ])
    print(line);
  await new Promise<void>(done => stop.addEventListener('abort', () => done(), { once: true }));
}

async function openVsCode(folder: string, atlasPort: number): Promise<AsyncDisposable & { readonly where: string }> {
  const vscodeDir = join(dir, 'vscode');
  mkdirSync(vscodeDir, { recursive: true });
  const vsix = await packExtension(vscodeDir);
  const settings = { 'atlas.port': atlasPort };
  // ATLAS_HOST=server: no window, even where there could be one.
  const code = process.env['ATLAS_HOST'] === 'server' ? undefined : findOnPath('code');
  if (code !== undefined) {
    const window = await launchCode({ code, dir: vscodeDir, folder, vsix, settings });
    return { where: 'a window of its own has opened', [Symbol.asyncDispose]: () => window[Symbol.asyncDispose]() };
  }
  await ensureCodeServer();
  const port = await freePort(CODE_SERVER_PORT);
  const extensions = await installExtensions(vscodeDir, [vsix]);
  const server = await launchCodeServer({ dir: vscodeDir, extensions, settings, port });
  const where = `${server.url}?folder=${encodeURIComponent(folder)} (open it in a browser on this machine)`;
  return { where, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
