import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { cliEntry, quickVm } from '../../harness/cli-entry.ts';
import { assertPrints, guideSteps } from '../../harness/guide-steps.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const guide = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');

let dir = '';
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-guides-'));
  mkdirSync(join(dir, 'bin'));
  const program = join(dir, 'bin/atlas-bridge');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' ${quickVm.join(' ')} '${cliEntry}' "$@"\n`);
  chmodSync(program, 0o755);
});
after(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the commands that a reader would type and returns the output. @throws Error if a command fails */
function type(lines: string, cwd: string): string {
  const env = {
    PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    EXAMPLES: join(root, 'examples'),
    GIT_AUTHOR_NAME: 'Reader',
    GIT_AUTHOR_EMAIL: 'reader@invalid',
    GIT_COMMITTER_NAME: 'Reader',
    GIT_COMMITTER_EMAIL: 'reader@invalid',
  };
  return execFileSync('bash', ['--norc', '-euc', `exec 2>&1\n${lines}`], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
}

test('the commands of the tutorial print what it shows', () => {
  const cwd = join(dir, 'tutorial');
  mkdirSync(cwd);
  const all = guideSteps(guide('tutorial.md'));
  assert.ok(all.length >= 6);
  for (const { lines, prints } of all) {
    assertPrints(type(lines, cwd), prints);
  }
  const file = (path: string): string => readFileSync(join(cwd, 'obby/src/shared/Config', path), 'utf8');
  assert.match(file('Game.luau'), /respawnSeconds = 1,/, 'step 5 wrote the file');
  assert.match(file('Shop.luau'), /price = 12/, 'step 6 overwrote nothing');
});

test('the commands of the guide for switchers print what it shows', () => {
  const cwd = join(dir, 'switching');
  mkdirSync(cwd);
  const all = guideSteps(guide('switching.md'));
  assert.ok(all.length >= 6);
  for (const { lines, prints } of all) {
    assertPrints(type(lines, cwd), prints);
  }
});

test('the commands and the workflow of the CI guide succeed', () => {
  const cwd = join(dir, 'ci');
  mkdirSync(cwd);
  cpSync(join(root, 'examples/obby'), join(cwd, 'game'), { recursive: true });
  const spec = join(cwd, 'game/src/shared/Config/Stages.spec.luau');
  const expecting = (count: string): string =>
    `return function() it("has stages", function() expect(#require(script.Parent.Stages) > 0).to.equal(${count}) end) end`;
  writeFileSync(spec, expecting('true'));
  const text = guide('ci.md');
  const [block] = guideSteps(text);
  assert.match(type(block?.lines ?? '', cwd), /"id":1.*true/);
  cpSync(join(cwd, 'built.rbxl'), join(cwd, 'published.rbxl'));

  const [github, gitlab] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => parse(yaml) as unknown);
  const { jobs } = github as { jobs: { check: { steps: readonly { run?: string; uses?: string }[] } } };
  const { image, ...stages } = gitlab as { image: string } & Record<string, { script: readonly string[] }>;
  assert.match(String(image), /^node:\d+$/);
  const pipelines = [
    jobs.check.steps.flatMap(({ run, uses }) => (run === undefined ? (assert.match(uses ?? '', /@v\d+$/), []) : [run])),
    Object.values(stages).flatMap(({ script }) => script),
  ];
  for (const lines of pipelines) {
    const install = 'npm install --global --offline ./tools/atlas-bridge.tgz';
    assert.ok(lines.includes(install), 'the package is tested by test/integration/bundle/npm-package.test.ts');
    const own = lines.filter(line => line !== install);
    assert.ok(own.length === 4 && own.every(line => line.startsWith('atlas-bridge ')), own.join('\n'));
    rmSync(join(cwd, 'game/sourcemap.json'), { force: true });
    for (const line of own) type(line, cwd);
    assert.match(readFileSync(join(cwd, 'game/sourcemap.json'), 'utf8'), /Stages\.luau/);
    const drift = own.find(line => line.startsWith('atlas-bridge sync ')) ?? '';
    const source = join(cwd, 'game/src/shared/Config/Stages.luau');
    const before = readFileSync(source, 'utf8');
    writeFileSync(source, `${before}-- drift\n`);
    assert.throws(() => type(drift, cwd), { status: 3 });
    writeFileSync(source, before);
    assert.match(readFileSync(join(cwd, 'tests.xml'), 'utf8'), /tests="1" failures="0"/);
    writeFileSync(spec, expecting('false'));
    const tests = own.find(line => line.startsWith('atlas-bridge test ')) ?? '';
    assert.throws(() => type(tests, cwd), { status: 1 });
    assert.match(readFileSync(join(cwd, 'tests.xml'), 'utf8'), /Stages\.spec\.luau/);
    writeFileSync(spec, expecting('true'));
  }
});

test('the commands of the guide to tests of a game print what it shows', () => {
  const cwd = join(dir, 'game-tests');
  mkdirSync(cwd);
  const all = guideSteps(guide('game-tests.md'));
  assert.equal(all.length, 1);
  for (const { lines, prints } of all) assertPrints(type(lines, cwd), prints);
});
