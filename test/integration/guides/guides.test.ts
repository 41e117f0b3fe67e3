import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const guide = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');

let dir = '';
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-guides-'));
  mkdirSync(join(dir, 'bin'));
  const program = join(dir, 'bin/atlas-bridge');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'src/cli.ts')}' "$@"\n`);
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

/** Returns the `sh` blocks of a guide in order, each with the `text` block directly after it. */
function steps(markdown: string): readonly { readonly lines: string; readonly prints: string | undefined }[] {
  const found = markdown.matchAll(/```sh\n([\s\S]*?)```(?:\n```text\n([\s\S]*?)```)?/g);
  return [...found].map(([, lines = '', prints]) => ({ lines, prints }));
}

/** Matches printed text; `…` matches anything, for output that depends on the machine. */
const likePrinted = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trim()
      .split('…')
      .map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[\\s\\S]*')}$`,
  );
const sortedLines = (text: string): string => text.trim().split('\n').toSorted().join('\n');

test('the commands of the tutorial print what it shows', () => {
  const cwd = join(dir, 'tutorial');
  mkdirSync(cwd);
  const all = steps(guide('tutorial.md'));
  assert.ok(all.length >= 6);
  for (const { lines, prints } of all) {
    const printed = type(lines, cwd);
    if (prints === undefined) continue;
    // Messages and results use different streams, so their relative order is not guaranteed.
    if (prints.includes('…')) assert.match(printed.trim(), likePrinted(prints));
    else assert.equal(sortedLines(printed), sortedLines(prints));
  }
  const file = (path: string): string => readFileSync(join(cwd, 'obby/src/shared/Config', path), 'utf8');
  assert.match(file('Game.luau'), /respawnSeconds = 1,/, 'step 5 wrote the file');
  assert.match(file('Shop.luau'), /price = 12/, 'step 6 overwrote nothing');
});

test('the commands of the guide for switchers print what it shows', () => {
  const cwd = join(dir, 'switching');
  mkdirSync(cwd);
  const all = steps(guide('switching.md'));
  assert.ok(all.length >= 6);
  for (const { lines, prints } of all) {
    const printed = type(lines, cwd);
    if (prints === undefined) continue;
    if (prints.includes('…')) assert.match(printed.trim(), likePrinted(prints));
    else assert.equal(sortedLines(printed), sortedLines(prints));
  }
});

test('the commands and the workflow of the CI guide succeed', () => {
  const cwd = join(dir, 'ci');
  mkdirSync(cwd);
  cpSync(join(root, 'examples/obby'), join(cwd, 'game'), { recursive: true });
  const text = guide('ci.md');
  const [block] = steps(text);
  assert.match(type(block?.lines ?? '', cwd), /"id":1.*true/);
  cpSync(join(cwd, 'built.rbxl'), join(cwd, 'published.rbxl'));

  const workflow = parse(/```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '') as {
    jobs: { check: { steps: readonly { run?: string }[] } };
  };
  const cli = 'node "$RUNNER_TEMP/atlas-bridge/extension/dist/cli.js"';
  const runs = workflow.jobs.check.steps.flatMap(({ run }) => (run?.startsWith(cli) === true ? [run] : []));
  assert.equal(runs.length, 3);
  for (const run of runs) type(run.replace(cli, 'atlas-bridge'), cwd);
  assert.match(readFileSync(join(cwd, 'game/sourcemap.json'), 'utf8'), /Stages\.luau/);
});
