import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { writeModel } from '../../../src/roblox/formats/model/model-file.ts';
import { typeCommand } from '../../harness/command-line.ts';
import { reflection } from '../../harness/reflection.ts';
import { instance, place, text } from '../../harness/syncback.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };

/** A project with a test and a Pluto module, a place, a folder `taken` and a file `file`. */
async function game() {
  const scripts = [instance('ModuleScript', 'Main', { Source: text('return 2\n') })];
  const bytes = writeModel(
    place(instance('ServerScriptService', 'ServerScriptService', {}, scripts)),
    'rbxl',
    reflection,
  );
  assert.ok(bytes.ok);
  return await tempFolder({
    'default.project.json': JSON.stringify({ name: 'Game', tree }),
    'src/Main.luau': 'return 1\n',
    'src/Main.spec.luau': 'return function() it("runs", function() end) end\n',
    'lib.pluto': 'fn main() { print("Pluto") }\n',
    'in.rbxl': bytes.value,
    'taken.rbxl/file': '',
    file: '',
  });
}

/** Commands that print with `-`, each with what it prints then. */
const printed: readonly (readonly [args: readonly string[], output: RegExp])[] = [
  [['sourcemap', '-o', '-'], /^\{.*"Main"/s],
  [['sourcemap', '--output=-', '--json'], /^\{.*"Main"/s],
  [['test', '--reporter', 'tap', '-o', '-'], /^TAP version 14\n/],
  [['pluto', 'generate-pt', 'lib.pluto', '-o', '-'], /fn main/],
];
for (const [args, output] of printed)
  test(`prints to standard output: ${args.join(' ')}`, async () => {
    await using at = await game();
    const { code, out, err } = await typeCommand(args, { cwd: at.path });
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, output);
    assert.ok(!existsSync(`${at.path}/-`));
  });

const refused: readonly (readonly string[])[] = [
  ['build', '-o', '-'],
  ['sourcemap', '--watch', '-o', '-'],
  ['test', '-o', '-'],
  ['pluto', 'emit-ast', 'lib.pluto', '-o', '-'],
  ['sync', '--place', 'in.rbxl', '--mode', 'fastfail', '--save', '-'],
  ['headless', '--place', 'in.rbxl', '--offline', '--save', '-'],
];
for (const args of refused)
  test(`refuses standard output: ${args.join(' ')}`, async () => {
    await using at = await game();
    const { code, out } = await typeCommand(args, { cwd: at.path });
    assert.deepEqual([code, out], [2, '']);
    assert.ok(!existsSync(`${at.path}/-`));
  });

/** Commands whose output file cannot be written. */
const blocked: readonly (readonly string[])[] = [
  ['test', '--reporter', 'tap', '-o', 'taken.rbxl'],
  ['test', '--reporter', 'junit', '-o', 'file/report.xml'],
  ['build', '-o', 'taken.rbxl'],
  ['sourcemap', '-o', 'taken.rbxl'],
  ['sync', '--place', 'in.rbxl', '--mode', 'fastfail', '--save', 'taken.rbxl'],
  ['headless', '--place', 'in.rbxl', '--offline', '--save', 'file/new.rbxl'],
];
for (const args of blocked)
  test(`does nothing before it refuses an output in whose place something else is: ${args.join(' ')}`, async () => {
    await using at = await game();
    const { code, out, err } = await typeCommand(args, { cwd: at.path });
    assert.deepEqual([code, out], [1, '']);
    const said = /^error: .* could not be written: a (?:folder is where a file|file is where a folder) is expected\n/m;
    assert.match(err, said);
    assert.match(
      err,
      /^hint: rename or move what is in its place, or choose another file, then run the command again$/m,
    );
    assert.equal(readFileSync(`${at.path}/src/Main.luau`, 'utf8'), 'return 1\n');
  });

test('asks nothing in a dry run with --confirm', async () => {
  await using at = await game();
  for (const json of [[], ['--json']]) {
    const args = ['syncback', '--input', 'in.rbxl', '--dry-run', '--confirm', ...json];
    const { code, out, err } = await typeCommand(args, { cwd: at.path, until: said => /yes|asking/.test(said) });
    assert.equal(code, 0, err);
    assert.doesNotMatch(out, /yes|asking/);
    assert.match(
      out + err,
      json.length > 0
        ? /^\{"ok":true,"dryRun":true,"writing":\["src\/Main\.luau"\]/
        : /Dry run: 1 file written, 1 removed/,
    );
    assert.equal(readFileSync(`${at.path}/src/Main.luau`, 'utf8'), 'return 1\n');
  }
});

test('speaks of the filter when it matches no test', async () => {
  await using at = await game();
  const { code, err } = await typeCommand(['test', '--filter', 'none'], { cwd: at.path });
  assert.equal(code, 1);
  assert.match(err, /^error: no test of default\.project\.json matches none\nhint: pass another --filter, or none\./im);
});
