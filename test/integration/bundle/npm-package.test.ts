import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Metafiles, type NpmPackage, packForNpm } from '../../../scripts/npm/pack-for-npm.ts';
import { ensureOldNodes, oldNodes } from '../../../scripts/set-up/old-nodes.ts';
import { quickVm } from '../../harness/cli-entry.ts';
import { assertPrints, guideSteps } from '../../harness/guide-steps.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
/** The configuration is plain JavaScript, so its types are declared here. */
const { buildAll } = (await import(new URL('../../../esbuild.config.mjs', import.meta.url).href)) as {
  readonly buildAll: (release: boolean, outdir: string) => Promise<Metafiles>;
};

let dir = '';
let packed: NpmPackage = { tarball: '', sbom: '', checksums: '' };
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-npm-'));
  const metafiles = await buildAll(true, join(dir, 'dist'));
  packed = await packForNpm(join(dir, 'dist'), metafiles, join(dir, 'first'));
  const again = await packForNpm(join(dir, 'dist'), metafiles, join(dir, 'second'));
  assert.deepEqual(readFileSync(again.checksums), readFileSync(packed.checksums), 'the package is reproducible');
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

test('the package installed into an empty folder runs the tour on the oldest supported Node', async () => {
  await ensureOldNodes();
  const home = join(dir, 'home');
  const cwd = join(dir, 'tour');
  for (const folder of [home, cwd, join(home, 'bin')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"private": true}');
  // The line that starts with #! passes no arguments to Node, and NODE_OPTIONS accepts no options of the compiler.
  const flags = join(dir, 'flags.cjs');
  writeFileSync(flags, quickVm.map(flag => `require('node:v8').setFlagsFromString('${flag}');\n`).join(''));
  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--silent', packed.tarball];
  execFileSync('npm', npm, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  assert.deepEqual(
    readdirSync(join(home, 'node_modules')).filter(name => !name.startsWith('.')),
    ['atlas-bridge'],
    'it needs no other package',
  );
  const env = {
    // The line that starts with #! finds this Node.
    PATH: `${dirname(oldNodes.oldest)}:${join(home, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    NODE_OPTIONS: `--require=${flags}`,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    EXAMPLES: join(root, 'examples'),
    GIT_AUTHOR_NAME: 'Reader',
    GIT_AUTHOR_EMAIL: 'reader@invalid',
    GIT_COMMITTER_NAME: 'Reader',
    GIT_COMMITTER_EMAIL: 'reader@invalid',
  };
  const options = { cwd, env, encoding: 'utf8', timeout: 60_000 } as const;
  for (const name of ['tutorial', 'switching', 'game-tests']) {
    const folder = join(cwd, name);
    mkdirSync(folder);
    for (const { lines, prints } of guideSteps(readFileSync(join(root, `docs/${name}.md`), 'utf8')))
      assertPrints(
        execFileSync('bash', ['--norc', '-euc', `exec 2>&1\n${lines}`], { ...options, cwd: folder }),
        prints,
      );
  }
  const page = execFileSync('bash', ['--norc', '-euc', 'atlas-bridge doc'], options).trim();
  assert.match(readFileSync(page, 'utf8'), /^# Documentation/);

  const game = join(cwd, 'switching/game');
  const serving = spawn('npx', ['--no-install', 'atlas-bridge', 'serve', game, '--port', '0'], {
    cwd: home,
    env,
    detached: true,
  });
  const ended = once(serving, 'close');
  let printed = '';
  for await (const text of serving.stdout.setEncoding('utf8')) {
    printed += String(text);
    if (printed.includes('Press Ctrl+C')) break;
  }
  assert.match(printed, /^Serving project .*\/switching\/game$/m);
  // npx does not pass the signal on, so the whole group gets it, as by Ctrl+C.
  assert.ok(serving.pid !== undefined && process.kill(-serving.pid, 'SIGTERM'));
  await ended;
});
