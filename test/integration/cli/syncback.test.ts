import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { converse, runSyncbackProgram } from '../../../src/adapters/node/run-program.ts';
import { parseJson } from '../../../src/base/parse-json.ts';
import { MAX_LISTED_FILES, SyncbackEvent } from '../../../src/protocol/syncback-answer.ts';
import { writeModel } from '../../../src/roblox/formats/model/model-file.ts';
import { reflection } from '../../harness/reflection.ts';
import { type RunningCli, runCli } from '../../harness/run-cli.ts';
import { useOwnState } from '../../../scripts/set-up/own-state.ts';
import { instance, place, text } from '../../harness/syncback.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { cliEntry } from '../../harness/cli-entry.ts';

useOwnState();

interface Workspace extends AsyncDisposable {
  readonly folder: string;
  readonly input: string;
  read(path: string): Promise<string>;
}

async function workspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-syncback-'));
  await mkdir(join(folder, 'src'));
  const project = { tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } } };
  await writeFile(join(folder, 'default.project.json'), JSON.stringify(project));
  await writeFile(join(folder, 'src/A.luau'), 'old');
  await writeFile(join(folder, 'src/Gone.luau'), '');
  const scripts = [
    instance('ModuleScript', 'A', { Source: text('new') }),
    instance('ModuleScript', 'B', { Source: text('') }),
  ];
  const bytes = writeModel(place(instance('ReplicatedStorage', 'ReplicatedStorage', {}, scripts)), 'rbxl', reflection);
  assert.ok(bytes.ok);
  const input = join(folder, 'in.rbxl');
  await writeFile(input, bytes.value);
  return {
    folder,
    input,
    read: path => readFile(join(folder, path), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function ended(cli: RunningCli): Promise<number | null> {
  return cli.exit;
}

test('syncback lists each file to write or remove and applies the plan', async () => {
  await using at = await workspace();
  await using dry = await runCli('syncback', at.folder, '--input', at.input, '--list', '--dry-run');
  assert.equal(await ended(dry), 0);
  assert.deepEqual(dry.out, ['Writing src/A.luau', 'Writing src/B.luau', 'Removing src/Gone.luau']);
  assert.equal(await at.read('src/A.luau'), 'old');
  await using real = await runCli('syncback', at.folder, '--input', at.input, '--list');
  assert.equal(await ended(real), 0);
  assert.deepEqual(real.out, dry.out);
  assert.equal(await at.read('src/A.luau'), 'new');
  await assert.rejects(at.read('src/Gone.luau'));
  await using again = await runCli('syncback', at.folder, '--input', at.input, '--json');
  assert.equal(await ended(again), 0);
  assert.deepEqual(JSON.parse(again.out[0] ?? ''), {
    ok: true,
    dryRun: false,
    writing: [],
    removing: [],
    refused: [],
    notes: [],
  });
});

test('syncback --confirm applies the shown plan after confirmation', async () => {
  await using at = await workspace();
  const preview = join(at.folder, '..', 'preview');
  const args = [at.folder, '--input', at.input, '--preview', preview];
  const plans: unknown[] = [];
  const ask = (says: boolean) =>
    runSyncbackProgram(cliEntry, args, new AbortController().signal, async plan => {
      plans.push(plan);
      assert.equal(await at.read('src/A.luau'), 'old');
      assert.equal(await readFile(join(preview, 'src/A.luau'), 'utf8'), 'new');
      return says;
    });
  const no = await ask(false);
  assert.ok('error' in no && no.error.code === 'CANCELLED');
  assert.equal(await at.read('src/A.luau'), 'old');
  const yes = await ask(true);
  assert.deepEqual(plans[0], plans[1]);
  assert.deepEqual(plans[1], {
    writing: ['src/A.luau', 'src/B.luau'],
    removing: ['src/Gone.luau'],
    refused: [],
    notes: [],
    counts: { writing: 2, removing: 1 },
  });
  assert.deepEqual(yes, { ok: true, written: 2, removed: 1, refused: [], notes: [] });
  assert.equal(await at.read('src/A.luau'), 'new');
});

test('syncback refuses a preview in the content of the project, and writes nothing', async () => {
  await using at = await workspace();
  for (const preview of ['.', 'src', 'src/preview']) {
    const args = [at.folder, '--input', at.input, '--preview', join(at.folder, preview), '--dry-run'];
    await using cli = await runCli('syncback', ...args);
    assert.equal(await ended(cli), 2, preview);
    assert.match(cli.err.join('\n'), /^error: --preview requires a folder that is not part of the project$/m);
    assert.deepEqual((await readdir(join(at.folder, 'src'))).toSorted(), ['A.luau', 'Gone.luau']);
  }
  await using beside = await runCli('syncback', at.folder, '--input', at.input, '--preview', join(at.folder, 'review'));
  assert.equal(await ended(beside), 0);
  assert.equal(await at.read('review/src/A.luau'), 'new');
});

test('[P6] prints a plan with thousands of paths and refusals in short lines', async () => {
  const [count, maxLength] = [1_000, 64 * 1024];
  const names = Array.from({ length: count }, (_, index) => `Module${index}`);
  await using at = await tempFolder(Object.fromEntries(names.map(name => [`lib/${name}.luau`, 'old'])));
  // A file of two instances is only written if both are equal.
  const paths = { A: { $path: 'lib' }, B: { $path: 'lib' }, New: { $path: 'new' } };
  const project = { tree: { $className: 'DataModel', ReplicatedStorage: paths } };
  const folder = (name: string, source: string) => {
    const modules = names.map(module =>
      instance('ModuleScript', module, { Source: text(source) }, [], `${name} ${module}`),
    );
    return instance('Folder', name, {}, modules);
  };
  const model = place(
    instance('ReplicatedStorage', 'ReplicatedStorage', {}, [folder('A', 'a'), folder('B', 'b'), folder('New', '')]),
  );
  const bytes = writeModel(model, 'rbxl', reflection);
  assert.ok(bytes.ok);
  await at.write({ 'default.project.json': JSON.stringify(project), 'in.rbxl': bytes.value });
  const lines: string[] = [];
  const args = ['syncback', at.path, '--input', join(at.path, 'in.rbxl'), '--confirm'];
  const any = { safeParse: (data: unknown) => ({ success: true as const, data }) };
  const ending = await converse(cliEntry, args, new AbortController().signal, any, {}, async line => {
    lines.push(line);
    return line.includes('"asking"') ? 'yes\n' : undefined;
  });
  assert.deepEqual(ending, { ok: false, written: count, removed: 0 });
  const events = lines.map(line => SyncbackEvent.safeParse(parseJson(line)).data);
  const parts = events.flatMap(event => (event?.event === 'part' ? [event] : []));
  assert.equal(parts.flatMap(({ refused }) => refused).length, count * 2);
  assert.equal(parts.flatMap(({ writing }) => writing).length, MAX_LISTED_FILES);
  assert.deepEqual(
    events.find(event => event?.event === 'asking'),
    { event: 'asking', writing: count, removing: 0 },
  );
  assert.ok(Math.max(...lines.map(({ length }) => length)) < maxLength, lines.map(({ length }) => length).join());
});

test('syncback exits with 1 after a failure and 2 after a usage error', async () => {
  await using at = await workspace();
  await writeFile(join(at.folder, 'bad.rbxl'), 'no place');
  await using unreadable = await runCli('syncback', at.folder, '--input', join(at.folder, 'bad.rbxl'));
  assert.equal(await ended(unreadable), 1);
  await using usage = await runCli('syncback', at.folder);
  assert.equal(await ended(usage), 2);
  await writeFile(join(at.folder, 'src/Broken.model.json'), '{');
  await using broken = await runCli('syncback', at.folder, '--input', at.input);
  assert.equal(await ended(broken), 1);
  assert.match(broken.err.join('\n'), /Broken\.model\.json:1:2/);
  assert.equal(await at.read('src/A.luau'), 'old');
});

test('syncback creates the paths of a project that has only its project file', async () => {
  await using at = await tempFolder();
  const tree = {
    $className: 'DataModel',
    ReplicatedStorage: { Shared: { $path: 'src/shared' }, Library: { $path: 'lib' }, Empty: { $path: 'src/empty' } },
    ServerScriptService: { Main: { $path: 'src/Main.server.luau' }, Idle: { $path: 'src/Idle.server.luau' } },
  };
  const source = (name: string) => ({ Source: text(`-- ${name}`) });
  const model = place(
    instance('ReplicatedStorage', 'ReplicatedStorage', {}, [
      instance('Folder', 'Shared', {}, [instance('ModuleScript', 'A', source('A'))]),
      instance('ModuleScript', 'Library', source('Library'), [instance('ModuleScript', 'B', source('B'))]),
      instance('Folder', 'Empty'),
    ]),
    instance('ServerScriptService', 'ServerScriptService', {}, [
      instance('Script', 'Main', source('Main')),
      instance('Script', 'Idle', { Source: text('') }),
    ]),
  );
  const bytes = writeModel(model, 'rbxl', reflection);
  assert.ok(bytes.ok);
  await at.write({ 'default.project.json': JSON.stringify({ name: 'Game', tree }), 'in.rbxl': bytes.value });
  await using cli = await runCli('syncback', at.path, '--input', join(at.path, 'in.rbxl'), '--list');
  assert.equal(await ended(cli), 0, cli.err.join('\n'));
  assert.deepEqual(cli.out, [
    'Writing lib/B.luau',
    'Writing lib/init.luau',
    'Writing src/Idle.server.luau',
    'Writing src/Main.server.luau',
    'Writing src/empty/.gitkeep',
    'Writing src/shared/A.luau',
  ]);
  assert.equal(await readFile(join(at.path, 'lib/init.luau'), 'utf8'), '-- Library');
  await using again = await runCli('syncback', at.path, '--input', join(at.path, 'in.rbxl'), '--list');
  assert.equal(await ended(again), 0);
  assert.deepEqual(again.out, []);
});
