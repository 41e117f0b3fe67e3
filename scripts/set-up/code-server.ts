/**
 * Installs VS Code for the in-host tests and for `npm start`: the npm package code-server, in `test/host`.
 *
 * Its install script compiles native modules, which requires a compiler and the headers of four libraries. None of the modules is
 * required here: the terminal and the file watcher are prebuilt, a script of this folder replaces the log, and the server works without the
 * others (Kerberos, Windows registry). So install scripts are disabled, and their other steps are done below.
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

/** Content of the stamp file. It changes with the version and with the steps of the setup. */
const stampText = (): string => `set-up 2\n${readFileSync(join(folder, 'package-lock.json'), 'utf8')}`;

const isCodeServerInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === stampText();

/** Installs code-server unless the version of the lock file is installed; about 15 seconds and 600 MB. */
export async function ensureCodeServer(): Promise<void> {
  if (isCodeServerInstalled()) return;
  console.error('Installing code-server, the VS Code that the in-host tests run in …');
  const npm = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const server = join(codeServer, 'lib/vscode');
  await run('npm', ['ci', ...npm], { cwd: folder });
  // These two have their own shrinkwrap, which `npm install` uses.
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
