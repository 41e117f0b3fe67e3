import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { runPluto } from '../../../src/pluto/cli/pluto.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const cli = resolve(fileURLToPath(import.meta.url), '../../../../src/cli.ts');
/** Prints at the end how many threads a process has started. */
const COUNT_THREADS = [
  '--import',
  'data:text/javascript,let n=0;process.on("worker",()=>n++);process.on("exit",()=>process.stderr.write(`threads: ${n}`))',
];

/** Runs the command in this process. */
async function plutoIn(cwd: string, ...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const stop = new AbortController().signal;
  const say = (lines: string[]) => (line: string) => void lines.push(line);
  const env = { XDG_STATE_HOME: join(cwd, 'state') };
  const exit = await runPluto(args, { out: say(out), err: say(err), cwd, env, stop, version: '0' });
  return { exit, out: out.join('\n'), err: err.join('\n') };
}

test('does not format a container with syntax errors, which would lose text', async () => {
  await using folder = await tempFolder({ 'bad.pluto': 'fn main( {\n    print("kept")\n' });
  const file = join(folder.path, 'bad.pluto');
  assert.equal((await plutoIn(folder.path, 'migrate', 'bad.pluto')).exit, 0);
  const before = await readFile(file);
  for (const options of [[], ['--write']]) {
    const { exit, out, err } = await plutoIn(folder.path, 'fmt', 'bad.pluto', ...options);
    assert.deepEqual([exit, out], [1, '']);
    assert.match(err, /bad\.pluto cannot be parsed: 1:/);
  }
  assert.deepEqual(await readFile(file), before);
});

test('names an invalid path as written, with the reason', async () => {
  await using folder = await tempFolder({ 'p/a.pluto': 'fn main() {}\n', 'v.pluto': 'fn main() {}\n', 'v.pt': '' });
  const firstLine = async (...args: readonly string[]): Promise<string | undefined> => {
    const { exit, err } = await plutoIn(folder.path, ...args);
    assert.equal(exit, 1);
    return err.split('\n')[0];
  };
  for (const command of ['run', 'test', 'compile', 'analyze', 'sync', 'emit-ast', 'fmt'])
    assert.equal(await firstLine(command, 'p'), 'error: invalid path p: expected a file, found a folder');
  const elsewhere = await firstLine('check', 'p/a.pluto', '--project', 'none');
  assert.equal(elsewhere, 'error: invalid path none: the folder does not exist');
  await symlink('loop.pluto', join(folder.path, 'loop.pluto'));
  assert.match((await firstLine('check', 'loop.pluto')) ?? '', /^error: cannot access .*loop\.pluto: its links/);
  for (const command of ['run', 'test', 'compile', 'analyze', 'generate-pt', 'migrate'])
    assert.equal(await firstLine(command, 'v.pt'), 'error: invalid path v.pt: it is a view of v.pluto', command);
  const noView = 'error: invalid path p/a.pluto: expected a .pt file';
  assert.equal(await firstLine('sync', 'p/a.pluto'), noView);
});

test('says that JavaScript runs when Node lacks garbage-collected WebAssembly', async t => {
  const loop = 'fn add(n: int) int {\n    let mut sum = 0\n    for i in 0..n { sum += i }\n    return sum\n}\n';
  await using folder = await tempFolder({
    'loop.pt': `${loop}fn main() int { return add(4) }\ntest "adds" { expect(add(4)).to_equal(6) }\n`,
  });
  assert.deepEqual(await plutoIn(folder.path, 'run', 'loop.pt'), { exit: 6, out: '', err: '' });
  t.mock.method(
    (globalThis as unknown as { WebAssembly: { validate(): boolean } }).WebAssembly,
    'validate',
    () => false,
  );
  const warning = /^warning: JavaScript ran instead of WebAssembly, .* use Node 22 or newer for speed\.$/;
  const ran = await plutoIn(folder.path, 'run', 'loop.pt');
  assert.equal(ran.exit, 6);
  assert.match(ran.err, warning);
  const tested = await plutoIn(folder.path, 'test', 'loop.pt');
  assert.match(tested.out, /^1 tests passed$/m);
  assert.match(tested.err, warning);
});

/** Programs that are short, each with its exit code and its output. */
const shortPrograms: readonly (readonly [what: string, body: string, exit: number, out: string, err?: string])[] = [
  ['prints a text', 'print("hello ä")', 0, 'hello ä'],
  ['computes with 64 bits', 'print(f"{9223372036854775807 + 1}")\n return 300', 300 % 256, '-9223372036854775808'],
  ['fails', 'let zero = 0\n return 1 / zero', 1, '', 'pluto: division by zero'],
];
for (const [what, body, exit, out, err = ''] of shortPrograms)
  test(`runs a program that ${what} without a thread, as it runs in one`, async () => {
    const source = (before: string): string => `fn main() int {\n ${before}${body}\n return 0\n}\n`;
    await using folder = await tempFolder({ 'a.pt': source(''), 'b.pt': source('for i in 0..1 {} ') });
    const run = (file: string) =>
      spawnSync(process.execPath, [...COUNT_THREADS, cli, 'pluto', 'run', file], {
        cwd: folder.path,
        encoding: 'utf8',
      });
    for (const [file, threads] of [
      ['a.pt', 0],
      ['b.pt', 1],
    ] as const) {
      const { status, stdout, stderr } = run(file);
      const [count, ...rest] = stderr.split('\n').toReversed();
      assert.deepEqual([status, stdout.trim(), count], [exit, out, `threads: ${threads}`], stderr);
      assert.ok(rest.join('').includes(err), stderr);
    }
  });

test('names files relative to the current folder, and says when there are none', async () => {
  await using folder = await tempFolder({ 'p/a.pluto': 'fn main() {}\n', 'empty/note.txt': '' });
  const said = async (...args: readonly string[]): Promise<string> => (await plutoIn(folder.path, ...args)).out;
  assert.equal(await said('analyze', 'p/a.pluto'), 'p/a.pluto: analyzed 1 function, computed 1 error set');
  assert.equal(await said('generate-pt', 'p'), 'p/a.pt: written');
  assert.equal(await said('sync', 'p/a.pt'), 'p/a.pluto and p/a.pt are in sync');
  assert.equal(await said('fmt', 'p/a.pluto', '--write'), 'p/a.pluto: already canonical');
  for (const command of ['check', 'generate-pt', 'migrate'])
    assert.equal(await said(command, 'empty'), 'empty: no Pluto modules found', command);
});
