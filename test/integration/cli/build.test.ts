import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import { runBuild } from '../../../src/cli/build.ts';
import type { CliIo } from '../../../src/cli/io.ts';
import { runSourcemap } from '../../../src/cli/sourcemap.ts';
import { readModel } from '../../../src/roblox/formats/model/model-file.ts';
import { modelFormats } from '../../harness/built-tree.ts';
import { reflection } from '../../harness/reflection.ts';
import { runCli } from '../../harness/run-cli.ts';

interface Workbench {
  readonly folder: string;
  readonly out: string[];
  readonly err: string[];
  readonly io: CliIo;
  readonly stop: AbortController;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
}
async function workbench(t: TestContext, files: Readonly<Record<string, string>>): Promise<Workbench> {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-build-'));
  const state = await mkdtemp(join(tmpdir(), 'atlas-state-'));
  t.after(() => Promise.all([folder, state].map(one => rm(one, { recursive: true, force: true }))));
  const out: string[] = [];
  const err: string[] = [];
  const stop = new AbortController();
  const io = {
    out: (line: string): void => void out.push(line),
    err: (line: string): void => void err.push(line),
    cwd: folder,
    env: { XDG_STATE_HOME: state },
    stop: stop.signal,
    version: '1',
  };
  const write = async (more: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(more)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  await write(files);
  return { folder, out, err, io, stop, write };
}
const game = {
  'game/default.project.json':
    '{"name": "Game", "tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}}',
  'game/lib.project.json': '{"tree": {"$path": "src"}}',
  'game/src/A.server.luau': 'print(1)',
};

for (const format of modelFormats)
  test(`build writes .${format} and prints a summary`, async t => {
    const { folder, io, out, err } = await workbench(t, game);
    assert.equal(await runBuild(['game', '-o', `made/x.${format}`], io), 0);
    assert.deepEqual(err, []);
    assert.match(out.join('\n'), new RegExp(`^Built made[/\\\\]x\\.${format}: [23] instances, \\d+ bytes$`));
    const model = readModel(await readFile(join(folder, `made/x.${format}`)), reflection, nodeInflate);
    assert.ok(model.ok);
    assert.deepEqual(
      model.value.roots.map(root => root.name),
      [format.startsWith('rbxl') ? 'ReplicatedStorage' : 'Game'],
    );
    assert.deepEqual(await readdir(join(folder, 'made')), [`x.${format}`], 'no other file is written');
  });

test('build reads a named project file in the requested dialect', async t => {
  const { io, out } = await workbench(t, game);
  const run = (dialect: string): Promise<number> =>
    runBuild(['game/lib.project.json', '-o', 'x.rbxmx', '--dialect', dialect, '--json'], io);
  assert.equal(await run('rojo'), 0);
  assert.equal(await run('atlas'), 0);
  const answers = out.map(line => JSON.parse(line) as { ok: boolean; output: string; instances: number });
  assert.deepEqual(
    answers.map(({ ok, instances }) => [ok, instances]),
    [
      [true, 2],
      [true, 2],
    ],
  );
  const text = await readFile(answers[0]?.output ?? '', 'utf8');
  assert.match(text, /<token name="RunContext">1<\/token>/, 'Atlas runs server scripts by their RunContext');
});

test('build prints file:line:column, writes nothing and exits with 1 when a file is invalid', async t => {
  const { folder, io, out, err } = await workbench(t, {
    ...game,
    'game/src/bad.json': '{\n  "a": \n}',
    'game/src/bad.meta.json': '[]',
    'made/x.rbxl': 'old',
  });
  assert.equal(await runBuild(['game', '-o', 'made/x.rbxl'], io), 1);
  assert.match(err.join('\n'), /^game[/\\]src[/\\]bad\.json:3:1: error: expected a value/m);
  assert.deepEqual(out, []);
  assert.equal(await readFile(join(folder, 'made/x.rbxl'), 'utf8'), 'old');
  assert.equal(await runBuild(['game', '-o', 'made/x.rbxl', '--json'], io), 1);
  const answer = JSON.parse(out[0] ?? '') as { ok: boolean; error: { code: string }; problems: { line: number }[] };
  assert.deepEqual([answer.ok, answer.error.code, answer.problems[0]?.line], [false, 'PROJECT_INVALID', 3]);
});

const monorepo = {
  'games/a/default.project.json':
    '{"name": "A", "tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src", "Lib": {"$path": "../../lib"}}}}',
  'games/a/src/A.luau': '',
  'lib/init.luau': '',
  'lib/B.server.luau': '',
};
test('build follows paths outside the project folder within its repository', async t => {
  const { folder, io, out, err, write } = await workbench(t, monorepo);
  assert.equal(await runBuild(['games/a', '-o', 'x.rbxl'], io), 1);
  assert.match(
    err.join('\n'),
    /default\.project\.json:1:\d+: expected a path inside the git repository \(command line\) or the open folder \(VS Code\)/,
  );
  await write({ '.git/HEAD': '' });
  assert.equal(await runBuild(['games/a', '-o', 'x.rbxl'], io), 0);
  assert.match(out.join('\n'), /^Built x\.rbxl: 4 instances/);
  assert.equal(await runSourcemap(['games/a', '-o', join(folder, 'games/a/sourcemap.json')], io), 0);
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'games/a/sourcemap.json'), 'utf8')), {
    name: 'A',
    className: 'DataModel',
    filePaths: ['default.project.json'],
    children: [
      {
        name: 'ReplicatedStorage',
        className: 'ReplicatedStorage',
        children: [
          { name: 'A', className: 'ModuleScript', filePaths: ['src/A.luau'] },
          {
            name: 'Lib',
            className: 'ModuleScript',
            filePaths: ['../../lib/init.luau'],
            children: [{ name: 'B', className: 'Script', filePaths: ['../../lib/B.server.luau'] }],
          },
        ],
      },
    ],
  });
  await write({ 'games/a/.git': 'gitdir: elsewhere' });
  assert.equal(await runBuild(['games/a', '-o', 'x.rbxl'], io), 1);
});

test('build names the project file when the root of a place is not a DataModel', async t => {
  const { io, err } = await workbench(t, game);
  assert.equal(await runBuild(['game/lib.project.json', '-o', 'x.rbxlx'], io), 1);
  assert.match(err.join('\n'), /game[/\\]lib\.project\.json:1:1: expected "\$className": "DataModel" at the root/);
});

test('build names an invalid project file relative to the current folder', async t => {
  const { io, out, err } = await workbench(t, { 'game/default.project.json': '{"name": ' });
  assert.equal(await runBuild(['game', '-o', 'x.rbxl'], io), 1);
  assert.match(err.join('\n'), /^error: game[/\\]default\.project\.json:1:\d+: expected a value/);
  assert.equal(await runBuild(['game', '-o', 'x.rbxl', '--json'], io), 1);
  assert.match(out[0] ?? '', /"message":"default\.project\.json:1:/);
});

test('build names a value that the format cannot store and writes nothing', async t => {
  const { folder, io, err } = await workbench(t, {
    'default.project.json':
      '{"tree": {"$className": "Folder", "$properties": {"Odd": {"Region3": [[0,0,0],[1,1,1]]}}}}',
  });
  assert.equal(await runBuild(['.', '-o', 'x.rbxm'], io), 1);
  assert.match(err.join('\n'), /error: the project cannot be written to .*x\.rbxm: Folder\.Odd/);
  assert.deepEqual(await readdir(folder), ['default.project.json']);
});

const misuses: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /^error: build requires --output <file>$/m],
  [['a', 'b', '-o', 'x.rbxl'], /^error: unexpected argument 'b'$/m],
  [['game'], /^error: build requires --output <file>$/m],
  [['game', '-o', 'x.txt'], /invalid output file 'x\.txt' \(\.rbxl, \.rbxlx, \.rbxm or \.rbxmx\)/],
  [['game', '-o', 'x.rbxl', '--dialect', 'pascal'], /unknown dialect 'pascal'/],
  [['game', '-o', 'x.rbxl', '--fast'], /--fast/],
];
for (const [args, expected] of misuses)
  test(`build ${args.join(' ')} is a usage error`, async t => {
    const { io, err } = await workbench(t, game);
    assert.equal(await runBuild(args, io), 2);
    assert.match(err.join('\n'), expected);
  });

test('build lists the expected file names when a folder has no project or does not exist', async t => {
  const { io, err } = await workbench(t, { 'empty/x.txt': '' });
  assert.equal(await runBuild(['empty', '-o', 'x.rbxl'], io), 1);
  assert.equal(await runBuild(['missing', '-o', 'x.rbxl'], io), 1);
  assert.match(err.join('\n'), /no project file in .*empty.*default\.project\.json[\s\S]*Looked for: missing/);
});

test('build uses the current folder when no project is given', async t => {
  const { folder, io } = await workbench(t, game);
  assert.equal(await runBuild(['-o', 'x.rbxl'], { ...io, cwd: join(folder, 'game') }), 0);
  assert.ok((await readdir(join(folder, 'game'))).includes('x.rbxl'));
});

test('sourcemap writes absolute paths when requested', async t => {
  const { folder, io, out } = await workbench(t, game);
  assert.equal(await runSourcemap(['game', '--absolute'], io), 0);
  const { filePaths } = JSON.parse(out.join('\n')) as { filePaths: readonly string[] };
  assert.deepEqual(filePaths, [join(await realpath(folder), 'game/default.project.json')]);
});

test('sourcemap writes to the output or to a file', async t => {
  const { folder, io, out } = await workbench(t, game);
  assert.equal(await runSourcemap(['game'], io), 0);
  const expected = {
    name: 'Game',
    className: 'DataModel',
    filePaths: ['default.project.json'],
    children: [
      {
        name: 'ReplicatedStorage',
        className: 'ReplicatedStorage',
        children: [{ name: 'A', className: 'Script', filePaths: ['src/A.server.luau'] }],
      },
    ],
  };
  assert.deepEqual(JSON.parse(out.join('\n')), expected);
  assert.equal(await runSourcemap(['game', '-o', 'game/sourcemap.json'], io), 0);
  assert.equal(await readFile(join(folder, 'game/sourcemap.json'), 'utf8'), JSON.stringify(expected));
  assert.equal(await runSourcemap(['game', '--watch'], io), 2);
});

test('sourcemap includes all instances, reads the other dialect and prints JSON when requested', async t => {
  const { folder, io, out, write } = await workbench(t, game);
  await write({ 'game/src/Note.txt': '', 'game/src/Door~2.luau': '' });
  const args = ['game', '-o', 'map.json', '--include-non-scripts', '--dialect', 'atlas', '--json'];
  assert.equal(await runSourcemap(args, io), 0);
  const { ok, output } = JSON.parse(out.join('\n')) as { ok: boolean; output: string };
  assert.deepEqual([ok, output], [true, join(folder, 'map.json')]);
  const { children } = JSON.parse(await readFile(output, 'utf8')) as { children: readonly { children: object }[] };
  assert.deepEqual(children[0]?.children, [
    { name: 'A', className: 'Script', filePaths: ['src/A.server.luau'] },
    { name: 'Door', className: 'ModuleScript', filePaths: ['src/Door~2.luau'] },
    { name: 'Note', className: 'StringValue', filePaths: ['src/Note.txt'] },
  ]);
  await write({ 'game/src/bad.json': '{' });
  assert.equal(await runSourcemap(args, io), 1);
  out.length = 0;
  assert.equal(await runSourcemap(['game', '--json'], io), 1);
  assert.equal((JSON.parse(out.join('\n')) as { error: { code: string } }).error.code, 'PROJECT_INVALID');
  assert.equal(await runSourcemap(['game', '--help'], io), 0);
});

test('sourcemap --json without a file prints the sourcemap on one line and its size in bytes', async t => {
  const { folder, io, out, write } = await workbench(t, game);
  await write({ 'game/src/Türchen.luau': '' });
  assert.equal(await runSourcemap(['game', '--json'], io), 0);
  assert.equal((JSON.parse(out.join('\n')) as { name: string }).name, 'Game');
  out.length = 0;
  assert.equal(await runSourcemap(['game', '--json', '-o', 'map.json'], io), 0);
  const { bytes } = JSON.parse(out.join('\n')) as { bytes: number };
  assert.equal(bytes, (await readFile(join(folder, 'map.json'))).length);
});

test('sourcemap keeps the path of the project for a linked folder', async t => {
  const { folder, io, out, write } = await workbench(t, game);
  await write({ 'game/real/In.luau': '' });
  await symlink(join(folder, 'game/real'), join(folder, 'game/src/link'));
  assert.equal(await runSourcemap(['game'], io), 0);
  assert.match(out.join('\n'), /"filePaths":\["src\/link\/In\.luau"\]/);
});

test('sourcemap --watch updates the file until it is stopped', async t => {
  const { folder, io, out, stop, write } = await workbench(t, game);
  const heard: (() => void)[] = [];
  const lines = (count: number): Promise<void> =>
    new Promise(resolve => {
      const look = (): void => (out.length >= count ? resolve() : void heard.push(look));
      look();
    });
  const reporting: CliIo = {
    ...io,
    out: line => {
      io.out(line);
      for (const look of heard.splice(0)) look();
    },
  };
  const ended = runSourcemap(['game', '-o', 'map.json', '--watch'], reporting);
  await lines(1);
  await write({ 'game/src/B.luau': '' });
  await lines(2);
  assert.match(await readFile(join(folder, 'map.json'), 'utf8'), /src\/B\.luau/);
  stop.abort();
  assert.equal(await ended, 0);
});

test('the program runs build and sourcemap', async t => {
  const { folder } = await workbench(t, game);
  await using build = await runCli('build', join(folder, 'game'), '-o', join(folder, 'x.rbxl'), '--json');
  await using map = await runCli('sourcemap', join(folder, 'game'));
  await using misuse = await runCli('build');
  assert.equal((JSON.parse(await build.firstLine()) as { ok: boolean }).ok, true);
  assert.match(await map.firstLine(), /^\{"name":"Game"/);
  assert.deepEqual([await build.exit, await map.exit, await misuse.exit], [0, 0, 2]);
});

test('a name with terminal escapes is printed as text', async t => {
  const { folder } = await workbench(t, game);
  await using build = await runCli('build', join(folder, 'game'), '-o', join(folder, '\u001b[2Jx\u202e.rbxl'));
  assert.match(await build.firstLine(), /\\u001b\[2Jx\\u202e\.rbxl/);
  assert.equal(await build.exit, 0);
});
