import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import { commandJournal } from '../../../src/adapters/node/journal/known-journals.ts';
import { stateFolder } from '../../../src/adapters/node/state-folder.ts';
import type { CliIo } from '../../../src/cli/io.ts';
import { runCommandLine } from '../../../src/cli/main.ts';
import { writeCommandOutput } from '../../../src/cli/write-command-output.ts';
import { writeModel } from '../../../src/roblox/formats/model/model-file.ts';
import { typeCommand } from '../../harness/command-line.ts';
import { reflection } from '../../harness/reflection.ts';
import { instance, place, text } from '../../harness/syncback.ts';

const project =
  '{ "name": "Game",   "tree": { "$className": "DataModel", "ServerScriptService": { "$path": "src" } } }\n';
const mine = 'the work of a person\n';

/** A project with a script, a test and a Pluto module. */
function game(t: TestContext): string {
  const cwd = mkdtempSync(join(tmpdir(), 'atlas-replaced-'));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'default.project.json'), project);
  writeFileSync(join(cwd, 'src/Main.luau'), 'return 1\n');
  writeFileSync(join(cwd, 'src/Main.spec.luau'), 'return function() it("runs", function() end) end\n');
  writeFileSync(join(cwd, 'lib.pluto'), 'pub fn   one() int {\n    return 1\n}\n');
  return cwd;
}

/** Writes `in.rbxl`, a place with the script `Main`. Returns its bytes. */
function writePlace(cwd: string, source: string): Uint8Array {
  const scripts = [instance('ModuleScript', 'Main', { Source: text(source) })];
  const root = place(instance('ServerScriptService', 'ServerScriptService', {}, scripts));
  const bytes = writeModel(root, 'rbxl', reflection);
  assert.ok(bytes.ok);
  writeFileSync(join(cwd, 'in.rbxl'), bytes.value);
  return new Uint8Array(bytes.value);
}

interface Listed {
  readonly runId: string;
  readonly requestedBy: string;
}
const recorded = async (cwd: string): Promise<readonly Listed[]> =>
  (JSON.parse((await typeCommand(['restore', '--json'], { cwd })).out) as { runs: readonly Listed[] }).runs;

/** The commands that write a file, each with the file that it replaces. */
const commands: readonly (readonly [args: readonly string[], file: string])[] = [
  [['build', '-o', 'game.rbxlx'], 'game.rbxlx'],
  [['sourcemap', '-o', 'sourcemap.json'], 'sourcemap.json'],
  [['test', '--reporter', 'tap', '-o', 'report.tap'], 'report.tap'],
  [['pluto', 'emit-ast', 'lib.pluto', '-o', 'lib.plto'], 'lib.plto'],
  [['pluto', 'generate-pt', 'lib.pluto', '-o', 'lib.txt'], 'lib.txt'],
];

for (const [args, file] of commands)
  test(`[P1] ${args.slice(0, 2).join(' ')} records the file that it replaces, but not its own result`, async t => {
    const cwd = game(t);
    writeFileSync(join(cwd, file), mine);
    const first = await typeCommand(args, { cwd });
    assert.equal(first.code, 0, first.err);
    const [run] = await recorded(cwd);
    assert.ok(run);
    assert.match(first.err, new RegExp(`^note: recorded the previous ${file}; .* --run ${run.runId}'$`, 'm'));
    assert.ok(args.join(' ').startsWith(run.requestedBy), run.requestedBy);
    assert.notEqual(readFileSync(join(cwd, file), 'utf8'), mine);
    // The result can be made again, so nothing is lost and nothing is recorded.
    const again = await typeCommand(args, { cwd });
    assert.doesNotMatch(again.err, /recorded/);
    assert.equal((await recorded(cwd)).length, 1);
    assert.equal((await typeCommand(['restore', '--run', run.runId], { cwd })).code, 0);
    assert.equal(readFileSync(join(cwd, file), 'utf8'), mine);
  });

/** The arguments of the command that a note says. */
function restoreArgs(printed: string): readonly string[] {
  const [, line = ''] = /^note: recorded .*; to restore it, run 'atlas-bridge (restore .*)'$/m.exec(printed) ?? [];
  assert.notEqual(line, '', printed);
  return line.split(' ');
}

/** The commands that replace files of a project, each with such a file and its content before. */
const edits: readonly (readonly [args: readonly string[], file: string, before: string])[] = [
  [['build', '-o', 'game.rbxlx'], 'game.rbxlx', mine],
  [['syncback', '--input', 'in.rbxl'], 'src/Main.luau', 'return 1\n'],
  [['fmt-project'], 'default.project.json', project],
  [['pluto', 'fmt', 'lib.pluto', '--write'], 'lib.pluto', 'pub fn   one() int {\n    return 1\n}\n'],
  [['pluto', 'sync', 'view.pt'], 'view.pluto', 'fn main() { print("a") }\n'],
];
for (const [args, file, before] of edits)
  test(`[P1] ${args.slice(0, 2).join(' ')} prints a command that restores what it replaced`, async t => {
    const cwd = game(t);
    writePlace(cwd, 'return 2\n');
    writeFileSync(join(cwd, 'game.rbxlx'), mine);
    writeFileSync(join(cwd, 'view.pluto'), 'fn main() { print("a") }\n');
    writeFileSync(join(cwd, 'view.pt'), 'fn main() { print("b") }\n');
    const ran = await typeCommand(args, { cwd });
    assert.equal(ran.code, 0, ran.err);
    const after = readFileSync(join(cwd, file), 'utf8');
    assert.notEqual(after, before);
    const restored = await typeCommand(restoreArgs(ran.err), { cwd });
    assert.equal(restored.code, 0, restored.err);
    assert.equal(readFileSync(join(cwd, file), 'utf8'), before);
    // A restore can be undone too.
    assert.equal((await typeCommand(restoreArgs(restored.err), { cwd })).code, 0);
    assert.equal(readFileSync(join(cwd, file), 'utf8'), after);
  });

test('[P1] the command that restores a file works in the folder where it was printed', async t => {
  const cwd = game(t);
  const [above, name] = [dirname(cwd), basename(cwd)];
  writeFileSync(join(cwd, 'game.rbxlx'), mine);
  const env = { XDG_STATE_HOME: join(cwd, 'state') };
  const { err } = await typeCommand(['build', name, '-o', join(name, 'game.rbxlx')], { cwd: above, env });
  assert.equal((await typeCommand(restoreArgs(err), { cwd: above, env })).code, 0, err);
  assert.equal(readFileSync(join(cwd, 'game.rbxlx'), 'utf8'), mine);
});

test('[P1] build records a place that was edited after it was built', async t => {
  const cwd = game(t);
  await typeCommand(['build', '-o', 'game.rbxlx'], { cwd });
  assert.deepEqual(await recorded(cwd), []);
  writeFileSync(join(cwd, 'game.rbxlx'), mine);
  await typeCommand(['build', '-o', 'game.rbxlx'], { cwd });
  const [run] = await recorded(cwd);
  await typeCommand(['restore', '--run', run?.runId ?? ''], { cwd });
  assert.equal(readFileSync(join(cwd, 'game.rbxlx'), 'utf8'), mine);
});

/** Where commands print nothing. */
const silent = (cwd: string): CliIo => ({
  out: () => undefined,
  err: () => undefined,
  cwd,
  env: { XDG_STATE_HOME: join(cwd, 'state') },
  stop: new AbortController().signal,
  version: '0',
});

/** The content of a result, and a person who saves the file while the command writes it. */
function contentDuring(save: () => void): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  let isSaved = false;
  Object.defineProperty(parts, 0, {
    get() {
      if (!isSaved) save();
      isSaved = true;
      return new TextEncoder().encode('made');
    },
  });
  return parts;
}

const changedMeanwhile = { code: 'FILE_CHANGED', message: /changed on disk after it was read/ };

test('[P1] a command does not replace a file that appears while it writes', async t => {
  const cwd = realpathSync(game(t));
  const file = join(cwd, 'made.bin');
  const content = contentDuring(() => writeFileSync(file, mine));
  await assert.rejects(
    writeCommandOutput({ folder: cwd, file, command: 'build' }, content, silent(cwd)),
    changedMeanwhile,
  );
  assert.equal(readFileSync(file, 'utf8'), mine);
});

/** The two ways in which editors save. */
const saves = {
  'in place': (file: string) => writeFileSync(file, mine),
  'by renaming a new file': (file: string) => {
    writeFileSync(`${file}.new`, mine);
    renameSync(`${file}.new`, file);
  },
} as const;

for (const [how, save] of Object.entries(saves)) {
  test(`[P1] a command keeps an edit to its own result that is saved ${how} while it writes`, async t => {
    const cwd = realpathSync(game(t));
    const file = join(cwd, 'made.bin');
    const output = { folder: cwd, file, command: 'build' };
    await writeCommandOutput(output, Buffer.from('earlier'), silent(cwd));
    const content = contentDuring(() => save(file));
    await assert.rejects(writeCommandOutput(output, content, silent(cwd)), changedMeanwhile);
    assert.equal(readFileSync(file, 'utf8'), mine);
  });

  test(`[P1] a command records an edit that is saved ${how} as soon as its result is written`, async t => {
    const cwd = realpathSync(game(t));
    const file = join(cwd, 'made.bin');
    const output = { folder: cwd, file, command: 'build' };
    // The command reads this folder after its last comparison.
    const { readdir } = promises;
    t.mock.method(promises, 'readdir', async (folder: string) => {
      if (folder === cwd) save(file);
      return readdir(folder);
    });
    syncBuiltinESMExports();
    try {
      await writeCommandOutput(output, Buffer.from('earlier'), silent(cwd));
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.equal(readFileSync(file, 'utf8'), mine);
    await writeCommandOutput(output, Buffer.from('made'), silent(cwd));
    const [run] = await recorded(cwd);
    assert.equal((await typeCommand(['restore', '--run', run?.runId ?? ''], { cwd })).code, 0);
    assert.equal(readFileSync(file, 'utf8'), mine);
  });
}

/** The command that pushes `Main.luau` into the returned bytes of a place, and replaces that place. */
async function readySync(cwd: string): Promise<{ readonly args: readonly string[]; readonly bytes: Uint8Array }> {
  const bytes = writePlace(cwd, 'return 0\n');
  rmSync(join(cwd, 'src/Main.spec.luau'));
  const args = ['sync', '--place', 'in.rbxl', '--mode', 'fastfail', '--save', 'in.rbxl'];
  // Without a base, the sides are learned first.
  writeFileSync(join(cwd, 'src/Main.luau'), 'return 0\n');
  assert.equal((await typeCommand(args, { cwd })).code, 0);
  writeFileSync(join(cwd, 'src/Main.luau'), 'return 1\n');
  return { args, bytes };
}

test('[P1] sync --save records the place that it replaces', async t => {
  const cwd = game(t);
  const { args, bytes } = await readySync(cwd);
  const synced = await typeCommand(args, { cwd });
  assert.equal(synced.code, 0, synced.err + synced.out);
  assert.match(synced.err, /recorded the previous in\.rbxl/);
  const run = (await recorded(cwd)).find(({ requestedBy }) => requestedBy === 'sync');
  assert.equal((await typeCommand(['restore', '--run', run?.runId ?? ''], { cwd })).code, 0);
  assert.deepEqual(new Uint8Array(readFileSync(join(cwd, 'in.rbxl'))), bytes);
});

test('[P1] sync --save does not replace an edit of the place that is saved while it writes', async t => {
  const cwd = game(t);
  const { args } = await readySync(cwd);
  const err: string[] = [];
  const code = await runCommandLine(args, {
    ...silent(cwd),
    err: line => {
      err.push(line);
      // The place is recorded, and replaced next.
      if (line.includes('recorded the previous in.rbxl')) writeFileSync(join(cwd, 'in.rbxl'), mine);
    },
  });
  assert.equal(code, 1);
  assert.match(
    err.join('\n'),
    /in\.rbxl changed on disk after it was read\nhint: nothing was overwritten\. Run the command again/,
  );
  assert.equal(readFileSync(join(cwd, 'in.rbxl'), 'utf8'), mine);
});

test('[P1] fmt-project and pluto record the file that they rewrite', async t => {
  const cwd = game(t);
  const rewrites: readonly (readonly [args: readonly string[], file: string])[] = [
    [['fmt-project'], 'default.project.json'],
    [['pluto', 'fmt', 'lib.pluto', '--write'], 'lib.pluto'],
    [['pluto', 'migrate', 'lib.pluto'], 'lib.pluto'],
    [['pluto', 'fmt', 'lib.pluto', '--write'], 'lib.pluto'],
  ];
  for (const [args, file] of rewrites) {
    const before = readFileSync(join(cwd, file));
    const runs = await recorded(cwd);
    const done = await typeCommand(args, { cwd });
    assert.equal(done.code, 0, done.err);
    if (readFileSync(join(cwd, file)).equals(before)) continue;
    const [run, ...others] = await recorded(cwd);
    assert.deepEqual(others, runs, args.join(' '));
    assert.equal((await typeCommand(['restore', '--run', run?.runId ?? ''], { cwd })).code, 0);
    assert.deepEqual(readFileSync(join(cwd, file)), before, args.join(' '));
    assert.equal((await typeCommand(args, { cwd })).code, 0);
  }
  // Each command above changed its file, except the last one.
  assert.equal((await recorded(cwd)).length, 9);
});

test('[P1] a command limits the journal as the settings of the workspace say', async t => {
  const cwd = game(t);
  mkdirSync(join(cwd, '.vscode'));
  writeFileSync(join(cwd, '.vscode/settings.json'), '{"atlas.journal.maxMegabytes": 10}');
  const path = commandJournal(stateFolder(realpathSync(cwd), { XDG_STATE_HOME: join(cwd, 'state') }));
  const journal = createFileJournalStore(path);
  const large = new Uint8Array(2 * 1024 * 1024);
  for (let run = 0; run < 8; run += 1) await journal.append(`old-${run}`, { run }, new Map([['file', large]]), {});
  assert.equal((await typeCommand(['fmt-project'], { cwd })).code, 0);
  const left = (await createFileJournalStore(path).list()).map(({ runId }) => runId);
  assert.ok(!left.includes('old-0') && left.includes('old-7'), left.join());
});

test('[P1] syncback --preview replaces no file', async t => {
  const cwd = game(t);
  writePlace(cwd, 'return 2\n');
  mkdirSync(join(cwd, 'preview/src'), { recursive: true });
  writeFileSync(join(cwd, 'preview/src/Main.luau'), 'mine\n');
  const preview = (folder: string) =>
    typeCommand(['syncback', '--input', 'in.rbxl', '--dry-run', '--preview', folder], { cwd });
  const failed = await preview('preview');
  assert.equal(failed.code, 1);
  assert.match(failed.err, /src[/\\]Main\.luau/);
  assert.equal(readFileSync(join(cwd, 'preview/src/Main.luau'), 'utf8'), 'mine\n');
  assert.equal((await preview('.')).code, 2);
  assert.equal(readFileSync(join(cwd, 'src/Main.luau'), 'utf8'), 'return 1\n');
});

test('syncback --preview flushes none of its copies', async t => {
  const cwd = game(t);
  writePlace(cwd, 'return 2\n');
  const handle = await promises.open(join(cwd, 'in.rbxl'));
  const sync = t.mock.method(Object.getPrototypeOf(handle) as typeof handle, 'sync');
  await handle.close();
  const args = ['syncback', '--input', 'in.rbxl', '--dry-run', '--preview', 'preview'];
  for (const time of ['first', 'second']) {
    const { code, err } = await typeCommand(args, { cwd });
    assert.equal(code, 0, `${time}: ${err}`);
  }
  assert.equal(readFileSync(join(cwd, 'preview/src/Main.luau'), 'utf8'), 'return 2\n');
  assert.equal(sync.mock.callCount(), 0);
});

test('syncback --preview says which file it cannot write when a folder or a file is in the way', async t => {
  const cwd = game(t);
  writePlace(cwd, 'return 2\n');
  mkdirSync(join(cwd, 'folder/src/Main.luau'), { recursive: true });
  mkdirSync(join(cwd, 'file'));
  writeFileSync(join(cwd, 'file/src'), '');
  for (const preview of ['folder', 'file']) {
    const args = ['syncback', '--input', 'in.rbxl', '--dry-run', '--json', '--preview', preview];
    const { code, out, err } = await typeCommand(args, { cwd });
    assert.equal(code, 1);
    assert.match(`${out}${err}`, /FS_WRITE_FAILED/);
    assert.match(`${out}${err}`, /Main\.luau/);
  }
});
