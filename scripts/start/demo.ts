/** `npm start`: the example in VS Code, with headless Studio and four changes to decide. */
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
import { type HeadlessStudio, startHeadlessStudio } from './headless-process.ts';
import { syncThenEdit } from './sync-then-edit.ts';
import { prepareExample } from './prepare-example.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
/** Replaced at each start. */
const dir = process.env['ATLAS_DEMO_DIR'] ?? join(root, 'out/demo');
const project = join(dir, 'obby');
const CODE_SERVER_PORT = 8080;

/** Opens the example in VS Code. Resolves after `stop` aborts, when every program that it started has ended. */
export async function runDemo(stop: AbortSignal, print: (line: string) => void): Promise<void> {
  const port = await freePort(HTTP_LIMITS.defaultPort);
  await using example = await openExample(port, print);
  if (stop.aborted) return;
  await using vscode = await openVsCode(project, port);
  for (const line of [
    `Atlas Bridge uses a copy of examples/obby with its own git history: ${relative(root, project)}`,
    `  VS Code   ${vscode.where}`,
    `  Studio    headless, with the place ${relative(root, example.place)}; it connects to port ${port} when VS Code is open`,
    `  Agents    http://127.0.0.1:${port}/mcp; the chat of that VS Code is already connected`,
    '  Try       "Atlas Bridge: Sync" in the command palette (F1): four changes differ, one needs you. Press Ctrl+C here to stop.',
  ])
    print(line);
  await aborted(stop);
}

/** Prepares the demo without VS Code, for an extension host under a debugger, which opens the copy and listens on the default port. */
export async function runExample(stop: AbortSignal, print: (line: string) => void): Promise<void> {
  // Tests choose another port, because bridges of other tests listen on the default one.
  const port = Number(process.env['ATLAS_DEMO_PORT'] ?? HTTP_LIMITS.defaultPort);
  await using example = await openExample(port, print);
  if (stop.aborted) return;
  print(
    `Ready: ${relative(root, project)}; ${relative(root, example.place)} connects to port ${port}. Press Ctrl+C to stop.`,
  );
  await aborted(stop);
}

/** Copies the example, opens a place with the same content in headless Studio, and makes four changes. */
async function openExample(port: number, print: (line: string) => void): Promise<HeadlessStudio> {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  print('Preparing the example and its place …');
  await prepareExample(project);
  await using stack = new AsyncDisposableStack();
  const studio = stack.use(await startHeadlessStudio(dir, port));
  await syncThenEdit({ project, studio, port, dir });
  stack.move();
  return studio;
}

const aborted = (stop: AbortSignal): Promise<void> =>
  new Promise(done => {
    if (stop.aborted) done();
    else stop.addEventListener('abort', () => done(), { once: true });
  });

async function openVsCode(folder: string, atlasPort: number): Promise<AsyncDisposable & { readonly where: string }> {
  const vscodeDir = join(dir, 'vscode');
  mkdirSync(vscodeDir, { recursive: true });
  const vsix = await packExtension(vscodeDir);
  const settings = { 'atlas.port': atlasPort };
  // ATLAS_HOST=server uses the browser even if VS Code is installed.
  const code = process.env['ATLAS_HOST'] === 'server' ? undefined : findOnPath('code');
  if (code !== undefined) {
    const window = await launchCode({ code, dir: vscodeDir, folder, vsix, settings });
    return { where: 'opened in a new window', [Symbol.asyncDispose]: () => window[Symbol.asyncDispose]() };
  }
  await ensureCodeServer();
  const port = await freePort(CODE_SERVER_PORT);
  const extensions = await installExtensions(vscodeDir, [vsix]);
  const server = await launchCodeServer({ dir: vscodeDir, extensions, settings, port });
  const where = `${server.url}?folder=${encodeURIComponent(folder)} (open it in a browser on this machine)`;
  return { where, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
