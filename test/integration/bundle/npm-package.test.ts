import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Metafiles, type NpmPackage, packForNpm } from '../../../scripts/npm/pack-for-npm.ts';
import { ensureOldNodes, oldNodes } from '../../../scripts/set-up/old-nodes.ts';
import { ensureRelease } from '../../../scripts/vscode/pack-extension.ts';
import { quickVm } from '../../harness/cli-entry.ts';
import { assertPrints, guideSteps } from '../../harness/guide-steps.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const dist = join(root, 'dist');

let dir = '';
let packed: NpmPackage = { tarball: '', sbom: '', checksums: '' };
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-npm-'));
  await ensureRelease();
  // Written by each build of dist/.
  const metafiles = JSON.parse(readFileSync(join(root, 'out/bundles.json'), 'utf8')) as Metafiles;
  packed = await packForNpm(dist, metafiles, join(dir, 'first'));
  const again = await packForNpm(dist, metafiles, join(dir, 'second'));
  assert.deepEqual(readFileSync(again.checksums), readFileSync(packed.checksums), 'the package is reproducible');
  await ensureOldNodes();
  const home = join(dir, 'home');
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin/node'), `#!/bin/sh\nexec '${oldNodes.oldest}' ${quickVm.join(' ')} "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(home, 'package.json'), '{"private": true}');
  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--silent', packed.tarball];
  execFileSync('npm', npm, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
});
after(() => rmSync(dir, { recursive: true, force: true }));

test('the checksums are those of the package and of its bill of materials', () => {
  const lines = readFileSync(packed.checksums, 'utf8').trim().split('\n');
  assert.deepEqual(
    lines,
    [packed.tarball, packed.sbom].map(
      file => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}`,
    ),
  );
});

test('the bill of materials has every bundled package with its license', () => {
  const bom = JSON.parse(readFileSync(packed.sbom, 'utf8')) as {
    readonly bomFormat: string;
    readonly components: readonly {
      readonly name: string;
      readonly purl?: string;
      readonly licenses: readonly { readonly license: { readonly id: string } }[];
    }[];
  };
  assert.equal(bom.bomFormat, 'CycloneDX');
  const names = bom.components.map(({ name }) => name);
  for (const name of ['zod', 'ws', 'luau-web', '@noble/hashes']) assert.ok(names.includes(name), names.join(', '));
  assert.ok(!names.includes('preact'), 'the review page does not ship');
  for (const { name, licenses } of bom.components) assert.match(licenses[0]?.license.id ?? '', /^[\w.-]+$/, name);
});

/** Types commands as a reader does who installed the package into an empty folder and has the oldest supported Node. */
function type(lines: string, cwd: string): string {
  const options = { cwd, env: reader(), encoding: 'utf8', timeout: 60_000 } as const;
  return execFileSync('bash', ['--norc', '-euc', `exec 2>&1\n${lines}`], options);
}

const reader = (): NodeJS.ProcessEnv => ({
  // The line that starts with #! finds this Node.
  PATH: `${join(dir, 'home/bin')}:${join(dir, 'home/node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  HOME: join(dir, 'home'),
  XDG_STATE_HOME: join(dir, 'home/state'),
  EXAMPLES: join(root, 'examples'),
  GIT_AUTHOR_NAME: 'Reader',
  GIT_AUTHOR_EMAIL: 'reader@invalid',
  GIT_COMMITTER_NAME: 'Reader',
  GIT_COMMITTER_EMAIL: 'reader@invalid',
});

/** Follows a guide in a new folder, and returns the folder. Each step must print what the guide shows. */
function follow(guide: string, minSteps: number): string {
  const cwd = mkdtempSync(join(dir, 'reader-'));
  const steps = guideSteps(readFileSync(join(root, 'docs', guide), 'utf8'));
  assert.ok(steps.length >= minSteps);
  for (const { lines, prints } of steps) assertPrints(type(lines, cwd), prints);
  return cwd;
}

test('the package needs no other package, and finds its documentation', () => {
  assert.deepEqual(
    readdirSync(join(dir, 'home/node_modules')).filter(name => !name.startsWith('.')),
    ['atlas-bridge'],
  );
  assert.match(readFileSync(type('atlas-bridge doc', dir).trim(), 'utf8'), /^# Documentation/);
});

test('the commands of the tutorial print what it shows', () => {
  const shared = join(follow('tutorial.md', 6), 'obby/src/shared/Config');
  assert.match(readFileSync(join(shared, 'Game.luau'), 'utf8'), /respawnSeconds = 1,/, 'step 5 wrote the file');
  assert.match(readFileSync(join(shared, 'Shop.luau'), 'utf8'), /price = 12/, 'step 6 overwrote nothing');
});

test('the commands of the guide for switchers print what it shows, and npx serves its game', async () => {
  const game = join(follow('switching.md', 6), 'game');
  const serving = spawn('npx', ['--no-install', 'atlas-bridge', 'serve', game, '--port', '0'], {
    cwd: join(dir, 'home'),
    env: reader(),
    detached: true,
  });
  const ended = once(serving, 'close');
  let printed = '';
  for await (const text of serving.stdout.setEncoding('utf8')) {
    printed += String(text);
    if (printed.includes('Press Ctrl+C')) break;
  }
  // npx does not pass the signal on, so the whole group gets it, as by Ctrl+C.
  assert.ok(serving.pid !== undefined && process.kill(-serving.pid, 'SIGTERM'));
  await ended;
  assert.match(printed, /^Serving project .*\/reader-\w+\/game$/m);
});

test('the commands of the guide to tests of a game print what it shows', () => {
  follow('game-tests.md', 1);
});
