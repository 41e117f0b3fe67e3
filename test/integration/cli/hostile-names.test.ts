import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createLineLogger } from '../../../src/adapters/node/logger.ts';
import { AppError } from '../../../src/base/errors.ts';
import { answerFailed } from '../../../src/cli/command-answer.ts';
import { createCliOutput } from '../../../src/cli/io.ts';
import { commandLog } from '../../../src/cli/log-level.ts';
import { commandTable } from '../../../src/cli/table/command-table.ts';
import { typeCommand, type Typed, typeWithStudio } from '../../harness/command-line.ts';

/** Names of files, instances and projects from outside. On disk, a name has at most 255 bytes. */
const names: Readonly<Record<string, string>> = {
  'line feed': 'a\nerror: forged\nb',
  'carriage return': 'a\rerror: forged\r\nerror: forged',
  escapes: 'a\u001b[2J\u001b]0;forged\u0007\u009b1A',
  bidi: 'a\u202egnp.forged\u2066\u200f',
  'line separators': 'a\u2028error: forged\u2029\u0085error: forged',
};
const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
const project = (more: object = {}): string => JSON.stringify({ name: 'Game', tree, ...more });
const model = (name: string): string =>
  `<roblox version="4"><Item class="ReplicatedStorage" referent="s"><Properties/><Item class="Folder" referent="r"><Properties><string name="Name">${Array.from(
    name,
    character => `&#${character.codePointAt(0)};`,
  )
    .join('')
    .replaceAll(/&#(?:27|7);/g, 'e')}</string></Properties></Item></Item></roblox>`;

interface Case {
  readonly files: (name: string) => Readonly<Record<string, string>>;
  readonly args: (name: string) => readonly string[];
  readonly until?: (out: string) => boolean;
  readonly type?: typeof typeCommand;
  readonly env?: (name: string) => Readonly<Record<string, string>>;
  /** Whether one name with everything is enough, because the command takes seconds. */
  readonly isSlow?: boolean;
}
const empty = (): Readonly<Record<string, string>> => ({});
const game = (): Readonly<Record<string, string>> => ({ 'default.project.json': project(), 'src/.gitkeep': '' });
const named = (name: string): Readonly<Record<string, string>> => ({
  'default.project.json': JSON.stringify({ name, tree }, null, 2),
  [`src/${name}.model.json`]: '{"className": "Folder", "unknown": 1, "properties": {"Nope": 1}}',
  [`src/${name}/x.meta.json`]: '{',
});
const isServing = (out: string): boolean => out !== '';

/** Each command with the names that it prints. */
const cases: Readonly<Record<string, Case>> = {
  'fmt-project --check': {
    files: name => ({ [`${name}.project.json`]: '{"name":"Game","tree":{"$className":"Folder"}}' }),
    args: name => ['fmt-project', '--check', `${name}.project.json`],
  },
  'fmt-project': {
    files: name => ({ [`${name}.project.json`]: '{"name":"Game","tree":{"$className":"Folder"}}' }),
    args: name => ['fmt-project', `${name}.project.json`],
  },
  'fmt-project of a broken file': {
    files: name => ({ [`${name}.project.json`]: '{"name":' }),
    args: name => ['fmt-project', `${name}.project.json`],
  },
  'a command that is not there': { files: empty, args: name => [name] },
  'an option that is not there': { files: empty, args: name => ['build', `--${name}`] },
  'one argument too many': { files: empty, args: name => ['build', 'a', name] },
  'an invalid setting': { files: game, args: name => ['sync', '--set', `port=${name}`, '--place', 'x.rbxl'] },
  'a missing folder': { files: empty, args: name => ['build', name, '-o', 'x.rbxl'] },
  build: { files: named, args: name => ['build', '-o', `${name}.rbxl`] },
  'build without a problem': { files: game, args: name => ['build', '-o', `${name}.rbxl`] },
  'build --plugin': {
    files: () => ({ 'default.project.json': '{"name": "P", "tree": {"$className": "Folder"}}' }),
    args: name => ['build', '--plugin', `${name}.rbxm`],
    type: typeWithStudio,
  },
  sourcemap: { files: named, args: () => ['sourcemap', '--include-non-scripts'] },
  'sourcemap -o': { files: game, args: name => ['sourcemap', '-o', `${name}.json`] },
  'syncback --list': {
    files: name => ({ ...game(), [`${name}.rbxlx`]: model(name) }),
    args: name => ['syncback', '--input', `${name}.rbxlx`, '--list', '--dry-run'],
  },
  'syncback of a broken file': {
    files: name => ({ ...game(), [`${name}.rbxlx`]: '<roblox' }),
    args: name => ['syncback', '--input', `${name}.rbxlx`],
  },
  'restore of an unknown run': { files: game, args: name => ['restore', '--run', name] },
  init: { files: empty, args: name => ['init', name, '--skip-git'] },
  'upload without a key': {
    files: named,
    args: name => ['upload', '--asset-id', '1', '--universe-id', name],
  },
  test: {
    files: name => ({
      ...game(),
      [`src/${name}.spec.luau`]: `return function() it(${JSON.stringify(name)}, function() error(${JSON.stringify(name)}) end) end`,
    }),
    args: () => ['test'],
    isSlow: true,
  },
  'test --reporter tap': {
    files: name => ({ ...game(), [`src/${name}.spec.luau`]: `return function() it("x", function() end) end` }),
    args: () => ['test', '--reporter', 'tap'],
    isSlow: true,
  },
  'pluto check': { files: name => ({ [`${name}.pluto`]: 'let = 1' }), args: () => ['pluto', 'check'] },
  'pluto fmt --write': {
    files: name => ({ [`${name}.pluto`]: 'let x =   1\n' }),
    args: name => ['pluto', 'fmt', '--write', `${name}.pluto`],
  },
  'pluto run of a missing file': { files: empty, args: name => ['pluto', 'run', `${name}.pluto`] },
  serve: { files: named, args: () => ['serve', '--port', '0'], until: isServing },
  'serve with argon.toml': {
    files: name => ({ ...game(), 'argon.toml': `host = ${JSON.stringify(name)}\n${JSON.stringify(name)} = 1\n` }),
    args: () => ['serve', '--port', '0'],
    until: isServing,
  },
  'serve of a missing folder': { files: empty, args: name => ['serve', name] },
  'a log filter': { files: game, args: () => ['sourcemap'], env: name => ({ ATLAS_BRIDGE_LOG: name }) },
};

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-hostile-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const ACTING = /(?!\n)[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** With the ellipsis. */
const MAX_LINE_LENGTH = 4097;

function assertHarmless({ out, err }: Typed): void {
  const lines = `${out}\n${err}`.split('\n');
  assert.ok(
    lines.some(line => line !== ''),
    'nothing was printed',
  );
  for (const line of lines) {
    assert.ok(line.length <= MAX_LINE_LENGTH, `${line.length} characters`);
    assert.doesNotMatch(line, ACTING, JSON.stringify(line));
    // The message of a failed test may have several lines, which are indented.
    assert.doesNotMatch(line, /^(?:error: )?(?:forged|b$)/, JSON.stringify(lines));
  }
}

for (const [command, { files, args, until, type = typeCommand, env, isSlow }] of Object.entries(cases))
  test(`prints names as text: ${command}`, async t => {
    const all = Object.values(names);
    for (const name of isSlow === true ? [all.join('')] : all) {
      const cwd = folderWith(t, files(name));
      assertHarmless(await type(args(name), { cwd, ...(until && { until }), env: env?.(name) ?? {} }));
    }
  });

test('every command that prints a name is in the table', () => {
  const typed = new Set(Object.values(cases).map(({ args }) => args('x')[0]));
  // These print texts of Atlas Bridge, or have a separate test.
  const others = ['doc', 'completions', 'man', 'mcp', 'plugin', 'headless'];
  assert.deepEqual(
    commandTable.map(({ name }) => name).filter(name => !typed.has(name) && !others.includes(name)),
    [],
  );
});

test('cuts lines for people, and never data', () => {
  const written: string[] = [];
  const io = createCliOutput(
    text => written.push(text),
    text => written.push(text),
  );
  const long = '\u0007'.repeat(10_000);
  io.out(long);
  io.err(`error: ${long}`);
  for (const text of written) assert.ok(text.length <= MAX_LINE_LENGTH + 1 && text.endsWith('…\n'), `${text.length}`);
  written.length = 0;
  io.out(JSON.stringify({ name: 'x'.repeat(10_000) }), 'data');
  assert.equal((JSON.parse(written.join('')) as { name: string }).name.length, 10_000);
});

test('prints the stack of an unexpected error and the cause of a log line indented', () => {
  const written: string[] = [];
  const write = (text: string): unknown => written.push(text);
  const io = {
    ...createCliOutput(write, write),
    cwd: '/',
    env: { ATLAS_BRIDGE_LOG: 'debug' },
    stop: new AbortController().signal,
    version: '1',
  };
  for (const json of [false, true]) answerFailed(AppError.from(new Error('a\nerror: forged')), [], { json, io });
  commandLog(io, 'info').error('a\nerror: forged', new Error('b\nerror: forged'));
  createLineLogger(line => io.err(line), 'info').info('a\nerror: forged');
  for (const line of written.join('').split('\n')) assert.doesNotMatch(line, /^error: forged/);
  assert.match(written.join(''), / {2}error: forged/);
});
