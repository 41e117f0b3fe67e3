import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { PlutoFailedAnswer, plutoAnswers } from '../../../src/cli/table/line-answers.ts';
import { PlutoTestAnswer } from '../../../src/protocol/pluto-tests.ts';
import { runCli } from '../../harness/run-cli.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Runs a command. What it prints with `--json` must fit its documented schema. */
async function pluto(...args: readonly string[]) {
  await using cli = await runCli('pluto', ...args);
  const exit = await cli.exit;
  const [command = ''] = args;
  const answer = Object.entries<z.ZodType>(plutoAnswers).find(([name]) => name === command)?.[1];
  const programArgs = args.indexOf('--');
  if (args.slice(0, programArgs === -1 ? args.length : programArgs).includes('--json') && answer !== undefined)
    z.union([answer, PlutoFailedAnswer]).parse(JSON.parse(cli.out.join('\n')));
  return { exit, out: cli.out.join('\n'), err: cli.err.join('\n') };
}

const main = 'import lib\n\n// The start.\nfn main() {\n    print(lib.one())\n}\n';
const lib = 'pub fn one() int {\n    return 1\n}\n';

test('check reports findings with positions, as text and as JSON', async () => {
  await using folder = await tempFolder({ 'main.pluto': main, 'lib.pt': lib.replace('return 1', 'return "1"') });
  const words = await pluto('check', folder.path);
  assert.equal(words.exit, 1);
  assert.match(words.err, /lib\.pt:2:\d+: error: /);
  const { exit, out } = await pluto('check', join(folder.path, 'lib.pt'), '--json');
  const { success, diagnostics } = JSON.parse(out) as { success: boolean; diagnostics: Record<string, unknown>[] };
  assert.deepEqual([exit, success, diagnostics.length], [1, false, 1]);
  const keys = ['code', 'column', 'file', 'line', 'message', 'severity', 'span'];
  assert.deepEqual(Object.keys(diagnostics[0] ?? {}).toSorted(), keys);
  assert.deepEqual(JSON.parse((await pluto('check', join(folder.path, 'main.pluto'), '--json')).out), {
    success: true,
    diagnostics: [],
  });
});

test('migrates text modules to containers, generates views and syncs their edits', async () => {
  await using folder = await tempFolder({ 'main.pluto': main, 'lib.pt': lib });
  const at = (name: string): string => join(folder.path, name);
  const migrated = JSON.parse((await pluto('migrate', folder.path, '--json')).out) as { migrated: string[] };
  assert.deepEqual(migrated.migrated.toSorted(), ['lib.pluto', 'main.pluto']);
  assert.equal((await pluto('generate-pt', folder.path)).exit, 0);
  const view = await readFile(at('main.pt'), 'utf8');
  await writeFile(at('main.pt'), view.replace('print(lib.one())', 'print(lib.one() + 1)'));
  assert.equal((await pluto('sync', at('main.pt'))).exit, 0);
  assert.equal((await pluto('analyze', at('main.pluto'))).exit, 0);
  const printed = await pluto('fmt', at('main.pluto'));
  assert.equal(`${printed.out}\n`, main.replace('print(lib.one())', 'print(lib.one() + 1)'));
  assert.equal((await pluto('emit-ast', at('lib.pt'), '-o', at('out.plto'))).exit, 0);
  assert.equal((await readFile(at('out.plto'))).subarray(0, 4).toString(), 'PLTO');
});

test('exits with 2 on invalid usage, and with 1 when the file is not a module', async () => {
  await using folder = await tempFolder({ 'bad.pluto': 'fn (' });
  assert.equal((await pluto('polish')).exit, 2);
  assert.equal((await pluto('fmt')).exit, 2);
  assert.equal((await pluto('check', join(folder.path, 'none.pluto'))).exit, 1);
  const { exit, err } = await pluto('fmt', join(folder.path, 'bad.pluto'), '--write');
  assert.deepEqual([exit, /cannot be parsed/.test(err)], [1, true]);
  assert.equal(await readFile(join(folder.path, 'bad.pluto'), 'utf8'), 'fn (');
});

const program = `fn main() int {
    print("hello")
    return 42
}

test "passes" {
    expect(1).to_equal(1)
}

test "fails" {
    print("before")
    expect(1).to_equal(2)
}
`;

test('fmt and emit-ast refuse a text that is not UTF-8, and change nothing', async () => {
  await using folder = await tempFolder({ 'main.pt': '' });
  const file = join(folder.path, 'main.pt');
  const latin = Buffer.from('// caf\xE9\nfn  main() {}\n', 'latin1');
  await writeFile(file, latin);
  for (const args of [
    ['fmt', file],
    ['fmt', file, '--write'],
    ['emit-ast', file],
  ]) {
    const { exit, err } = await pluto(...args);
    assert.equal(exit, 1, args.join(' '));
    assert.match(err, /main\.pt cannot be read \(text_malformed\): the file is neither a container nor UTF-8 text/);
  }
  assert.deepEqual(await readFile(file), latin);
  assert.equal(existsSync(join(folder.path, 'main.plto')), false);
});

test('run exits with the status of the program, or 1 when it does not compile', async () => {
  await using folder = await tempFolder({ 'main.pluto': program, 'bad.pluto': 'fn main() {\n    print(x)\n}\n' });
  const at = (name: string): string => join(folder.path, name);
  assert.deepEqual(await pluto('run', at('main.pluto')), { exit: 42, out: 'hello', err: '' });
  const withArgs = await pluto('run', at('main.pluto'), '--', '--json', '-x');
  assert.deepEqual([withArgs.exit, /cannot read arguments/.test(withArgs.err)], [42, true]);
  const bad = await pluto('run', at('bad.pluto'));
  assert.deepEqual([bad.exit, bad.out, /bad\.pluto:2:\d+: error: /.test(bad.err)], [1, '', true]);
  assert.equal((await pluto('run', at('main.pluto'), '--json')).exit, 2);
});

test('stops an endless program when the command gets a signal', async () => {
  await using folder = await tempFolder({ 'main.pluto': 'fn main() {\n    print("begun")\n    while true {}\n}\n' });
  await using cli = await runCli('pluto', 'run', join(folder.path, 'main.pluto'));
  assert.equal(await cli.firstLine(), 'begun');
  cli.process.kill('SIGTERM');
  // Shells report 143 for both: a thread that does not stop within 200 ms ends with the process, by the signal.
  assert.ok([143, 'SIGTERM'].includes((await cli.exit) ?? cli.process.signalCode ?? 'no signal'));
});

test('test prints a verdict for each test as text and as JSON, and exits 1 on a failure', async () => {
  await using folder = await tempFolder({ 'main.pluto': program });
  const words = await pluto('test', join(folder.path, 'main.pluto'));
  const failed = ['test fails ... FAILED', 'before', 'FAIL (line 12): expected 1 to equal 2'];
  assert.deepEqual(words, {
    exit: 1,
    out: ['test passes ... ok', ...failed, '', '1 test passed, 1 failed.'].join('\n'),
    err: '',
  });
  const filtered = await pluto('test', join(folder.path, 'main.pluto'), '--filter', 'pass', '--json');
  const results = [{ name: 'passes', passed: true }];
  assert.deepEqual(
    [filtered.exit, JSON.parse(filtered.out)],
    [0, { success: true, passed: 1, failed: 0, results, summary: '1 test passed, 0 failed.', diagnostics: [] }],
  );
});

test('test names where each test failed in JSON, with files relative to the current folder', async () => {
  await using folder = await tempFolder({
    'main.pluto': 'import geo\n\ntest "wrong" {\n    expect(1).to_equal(2)\n}\n\ntest "raises" {\n    geo.half(0)\n}\n',
    'geo.pluto': 'pub fn half(x: int) int {\n    return 1 / x\n}\n',
  });
  const { out } = await pluto('test', join(folder.path, 'main.pluto'), '--json');
  const { results } = PlutoTestAnswer.parse(JSON.parse(out));
  const near = (file: string): string => relative(process.cwd(), join(folder.path, file));
  const shown = (file: string): string => (near(file).startsWith('..') ? join(folder.path, file) : near(file));
  assert.deepEqual(
    results?.map(({ name, stack }) => [name, stack]),
    [
      ['wrong', [{ file: shown('main.pluto'), line: 4 }]],
      [
        'raises',
        [
          { file: shown('geo.pluto'), line: 2 },
          { file: shown('main.pluto'), line: 8 },
        ],
      ],
    ],
  );
});

test('test prints the output of passed tests too', async () => {
  const chatty = 'test "says so" {\n    print("one")\n    print("two")\n}\ntest "is silent" {}\n';
  await using folder = await tempFolder({ 'chatty.pluto': chatty });
  const { exit, out } = await pluto('test', join(folder.path, 'chatty.pluto'));
  const said = ['test says so ... one', 'two', 'ok', 'test is silent ... ok'];
  assert.deepEqual([exit, out.split('\n')], [0, [...said, '', '2 tests passed']]);
});

test('test exits 1 with the reason when there are no tests', async () => {
  await using folder = await tempFolder({ 'main.pluto': program, 'bare.pluto': 'fn main() {\n}\n' });
  const file = join(folder.path, 'main.pluto');
  const unfit = await pluto('test', file, '--filter', 'passed');
  assert.deepEqual(unfit, { exit: 1, out: `${file} has no test whose name contains "passed".`, err: '' });
  const bare = await pluto('test', join(folder.path, 'bare.pluto'));
  assert.deepEqual([bare.exit, bare.out, /no tests found in bare\.pluto/.test(bare.err)], [1, '', true]);
});

test('ends a program silently when its output is closed', async () => {
  await using folder = await tempFolder({ 'main.pluto': 'fn main() {\n    while true { print("line") }\n}\n' });
  await using cli = await runCli('pluto', 'run', join(folder.path, 'main.pluto'));
  await cli.firstLine();
  cli.process.stdout?.destroy();
  assert.deepEqual([await cli.exit, cli.err], [141, []]);
});

test('runs a recursion of 100,000 calls when its functions may wait', async () => {
  const deep = `fn down(n: int, inbox: Receiver<int>) int {
    if n == 0 { return inbox.recv()! }
    return 1 + down(n - 1, inbox)!
}
fn main() {
    let (tx, rx) = chan<int>(1)
    tx.send(0)!
    print(down(100000, rx)!)
}
`;
  await using folder = await tempFolder({ 'main.pluto': deep });
  assert.deepEqual(await pluto('run', join(folder.path, 'main.pluto')), { exit: 0, out: '100000', err: '' });
});

test('gives a program fresh temporary folders, and removes them when it ends', async () => {
  const temporary = `import std.fs

fn main() {
    let first = fs.temp_dir()
    let second = fs.temp_dir()
    fs.write_all(first + "/file", "text")!
    print(first)
    print(first != second && fs.is_dir(second))
}
`;
  await using folder = await tempFolder({ 'main.pluto': temporary });
  const { exit, out } = await pluto('run', join(folder.path, 'main.pluto'));
  const [first = '', areTwo] = out.split('\n');
  assert.deepEqual([exit, areTwo, existsSync(first), existsSync(dirname(first))], [0, 'true', false, false]);
});

/** Lines that use up the memory by small blocks, by blocks of many megabytes, and by one that is larger than all of it. */
const hungry: Readonly<Record<string, readonly string[]>> = {
  lists: ['let mut all: [[int]] = []', 'while true { all.push([1, 2, 3]) }'],
  maps: ['let all = Map<int, string> {}', 'for i in 0..1000000000 { all[i * 3] = "" }'],
  strings: ['let mut s = "abcd"', 'while true { s = s + s }'],
  'long strings': [
    'let mut s = "abcdefgh"',
    'for i in 0..22 { s += s }',
    'let mut all: [string] = []',
    'for i in 0..1000000 {',
    '    all.push(f"{s}{i}")',
    '    if all[i].contains("?") { print(i) }',
    '}',
  ],
  'parts of a string': ['let mut s = "abcd"', 'for i in 0..26 { s += s }', 'print(s.split("c").len())'],
};

for (const [what, lines] of Object.entries(hungry))
  test(`ends a program without text of the engine when its memory is used up by ${what}`, async () => {
    const body = lines.map(line => `    ${line}\n`).join('');
    const files = { 'main.pluto': `fn main() {\n${body}}\n`, 'tested.pluto': `test "hungry" {\n${body}}\n` };
    await using folder = await tempFolder(files);
    process.env['NODE_OPTIONS'] = '--max-old-space-size=200';
    try {
      const { exit, err } = await pluto('run', join(folder.path, 'main.pluto'));
      assert.equal(exit, 1, err);
      assert.match(err, /^pluto: out of memory[^\n]*(?:\n {2}at main\.pluto:\d)?$/);
      const tested = await pluto('test', join(folder.path, 'tested.pluto'));
      assert.equal(tested.exit, 1);
      assert.match(tested.out, /out of memory|exceeded the memory limit/);
      assert.doesNotMatch(tested.out + tested.err, /heap|node:|RangeError|0 megabytes/);
    } finally {
      delete process.env['NODE_OPTIONS'];
    }
  });

test('reads only a file and what it imports', async () => {
  await using folder = await tempFolder({
    'main.pt': 'import lib.tools\n\nfn main() {\n    print(tools.one())\n}\n',
    'lib/tools.pt': 'pub fn one() int {\n    return 1\n}\n',
    'unreadable.pluto': Uint8Array.of(0x50, 0x4c, 0x54, 0x4f),
    'other/also.pluto': Uint8Array.of(0x50, 0x4c, 0x54, 0x4f),
    'same.pt': 'fn main() {\n    print(helper())\n}\n',
    'helper.pt': 'fn helper() int {\n    return 2\n}\n',
    'tested.pt': 'import lib.tools\n\ntest "one" {\n    expect(tools.one()).to_equal(1)\n}\n',
  });
  const at = (name: string): string => join(folder.path, name);
  await chmod(at('other'), 0);
  try {
    assert.deepEqual(await pluto('run', at('main.pt')), { exit: 0, out: '1', err: '' });
    assert.equal((await pluto('check', at('main.pt'))).exit, 0);
    assert.equal((await pluto('test', at('tested.pt'))).exit, 0);
    const sibling = await pluto('run', at('same.pt'));
    assert.deepEqual([sibling.exit, sibling.out], [0, '2'], 'a name of another file of the folder');
  } finally {
    await chmod(at('other'), 0o700);
  }
});

test('check of a file fails when a module that it imports has an error', async () => {
  const lib = 'pub fn one( int {\n    return 1\n}\n';
  await using folder = await tempFolder({
    'main.pt': 'import lib\n\nfn main() {}\n',
    'lib.pt': lib,
    'free.pt': 'fn (',
  });
  const { exit, err } = await pluto('check', join(folder.path, 'main.pt'));
  assert.equal(exit, 1);
  assert.match(err, /lib\.pt:1:\d+: error: /);
  assert.doesNotMatch(err, /free\.pt/);
});

test('compile says why an existing output cannot be read', async () => {
  await using folder = await tempFolder({ 'main.pluto': main, 'lib.pt': lib });
  const at = (name: string): string => join(folder.path, name);
  await symlink('loop.js', at('loop.js'));
  await mkdir(at('folder.js'));
  const failure = async (output: string): Promise<string> =>
    (await pluto('compile', at('main.pluto'), '-o', at(output))).err;
  assert.match(await failure('loop.js'), /^error: cannot access .*loop\.js: its links/);
  assert.match(await failure('folder.js'), /^error: .*folder\.js already exists/);
});

test('prints answers of the documented schema with --json for every command', async () => {
  await using folder = await tempFolder({ 'main.pluto': main, 'lib.pt': lib, 'bad.pluto': 'fn (' });
  const at = (name: string): string => join(folder.path, name);
  for (const args of [
    ['migrate', at('main.pluto')],
    ['migrate', folder.path],
    ['generate-pt', at('main.pluto')],
    ['generate-pt', at('main.pluto'), '-o', '-'],
    ['generate-pt', at('main.pluto'), '-o', at('text.pt')],
    ['sync', at('main.pt')],
    ['analyze', at('main.pluto')],
    ['test', at('main.pluto')],
    ['compile', at('main.pluto'), '-o', at('main.js')],
    ['compile', at('bad.pluto')],
    ['emit-ast', at('main.pluto'), '-o', at('out.plto')],
    ['fmt', at('main.pluto')],
    ['fmt', at('main.pluto'), '--write'],
    ['fmt', at('missing.pluto')],
  ])
    assert.notEqual((await pluto(...args, '--json')).exit, 2, args.join(' '));
});
