// Runs a TypeScript script of this repository on a machine with npm and Node 20 or newer: installs the packages of package-lock.json
// when node_modules differs from it, then starts the script with Node 24, which is one of the packages.
// Plain JavaScript, because Node 20 cannot read TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../..');
const packages = join(root, 'node_modules');
const node24 = join(packages, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/** Whether node_modules matches package-lock.json. npm writes its own lock file last, so an interrupted install has none. */
function isInstalled() {
  const installed = packagesIn(join(packages, '.package-lock.json'));
  const wanted = packagesIn(join(root, 'package-lock.json'));
  if (installed === undefined || wanted === undefined || !existsSync(node24)) return false;
  for (const [path, { version, optional, peer }] of Object.entries(wanted)) {
    if (path === '') continue;
    const found = installed[path];
    // Optional packages of other platforms are not installed.
    if (found === undefined ? optional !== true && peer !== true : found.version !== version) return false;
  }
  return Object.keys(installed).every(path => path in wanted);
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  console.error('Installing the packages of package-lock.json …');
  // The npm that runs this script; a different one may be first on the PATH.
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (done.status !== 0)
    fail(`npm ci failed (${done.error?.message ?? `exit code ${done.status}`}). See its output above.`);
  if (!existsSync(node24))
    fail(`npm ci left no ${node24}: allow the install script of the package "node" and run "npm ci" again.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(script, args) {
  const child = spawn(node24, [script, ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: join(packages, '.bin') + delimiter + (process.env.PATH ?? '') },
  });
  const forward = signal => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  child.on('error', error => fail(`${node24} did not start: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}

const [script, ...args] = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`error: Atlas Bridge requires Node 20 or newer to install its packages; this is Node ${process.versions.node}`);
if (script === undefined) fail('Usage: node scripts/bootstrap.mjs SCRIPT.ts [arguments]');
if (!isInstalled()) install();
run(resolve(root, script), args);
