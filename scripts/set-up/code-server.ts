/**
 * Installs VS Code for the in-host tests and for `npm start`: the npm package code-server, in `test/host`.
 *
 * Its own install script compiles native modules, which needs a compiler and the headers of four libraries. None of them is
 * needed here: the terminal and the file watcher come prebuilt, the log has a stand-in of ours, and without the rest (Kerberos,
 * Windows' registry) the server carries on. So install scripts stay off, and what they would do beside compiling is done below.
 */
import { copyFileSync, existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const folder = resolve(fileURLToPath(import.meta.url), '../../../test/host');
const codeServer = join(folder, 'node_modules/code-server');
const stamp = join(folder, 'node_modules/.atlas-installed');

/** Node's entry point of code-server. */
export const codeServerEntry = join(codeServer, 'out/node/entry.js');

/** Changes with the version and with how it is set up. */
const stampText = (): string => `set-up 2\n${readFileSync(join(folder, 'package-lock.json'), 'utf8')}`;

const isCodeServerInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === stampText();

/** Installs it unless the version of the lock file is there already; about 15 seconds and 600 MB. */
export async function ensureCodeServer(): Promise<void> {
  if (isCodeServerInstalled()) return;
  console.error('Installing code-server, the VS Code that the in-host tests run in …');
  const npm = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const server = join(codeServer, 'lib/vscode');
  await run('npm', ['ci', ...npm], { cwd: folder });
  // These two come with their own shrinkwrap, which `npm install` keeps to.
  await run('npm', ['install', '--omit=dev', ...npm], { cwd: server });
  await run('npm', ['install', '--omit=dev', ...npm], { cwd: join(server, 'extensions') });
  link(join(server, 'bin/remote-cli'), 'code-linux.sh', 'code-server');
  link(join(server, 'bin/helpers'), 'browser-linux.sh', 'browser.sh');
  copyFileSync(new URL('./spdlog-stand-in.cjs', import.meta.url), join(server, 'node_modules/@vscode/spdlog/index.js'));
  writeFileSync(stamp, stampText());
}

function link(inFolder: string, target: string, name: string): void {
  const path = join(inFolder, name);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) rmSync(path);
  if (existsSync(join(inFolder, target))) symlinkSync(target, path);
}
