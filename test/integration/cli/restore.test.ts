import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import { rememberJournal } from '../../../src/adapters/node/journal/known-journals.ts';
import { stateFolder } from '../../../src/adapters/node/state-folder.ts';
import { writeModel } from '../../../src/roblox/formats/model/model-file.ts';
import { reflection } from '../../harness/reflection.ts';
import { runCliIn } from '../../harness/run-cli.ts';
import { instance, place, text } from '../../harness/syncback.ts';
import { type TempFolder, tempFolder } from '../../harness/temp-folder.ts';

const project = JSON.stringify({ tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } } });

async function run(
  state: string,
  ...args: readonly string[]
): Promise<{ code: number | null; json: Record<string, never> }> {
  // The state folder of the first process is removed with it, so it is inside a folder that stays.
  const cli = await runCliIn(state, ...args, '--json');
  const code = await cli.exit;
  return { code, json: JSON.parse(cli.out[0] ?? '{}') };
}

async function workspace(): Promise<TempFolder> {
  const folder = await tempFolder({
    'game/default.project.json': project,
    'game/src/A.luau': 'old',
    'game/src/Gone.luau': '1',
  });
  const [a, b] = ['A', 'B'].map(name => instance('ModuleScript', name, { Source: text('new') }));
  assert.ok(a !== undefined && b !== undefined);
  const kit = instance('Folder', 'Kit', {}, [b]);
  const bytes = writeModel(place(instance('ReplicatedStorage', 'ReplicatedStorage', {}, [a, kit])), 'rbxl', reflection);
  assert.ok(bytes.ok);
  await writeFile(join(folder.path, 'in.rbxl'), bytes.value);
  return folder;
}

test('restores the files from before a syncback, and the result of the syncback again', async () => {
  await using folder = await workspace();
  const [game, state] = [join(folder.path, 'game'), join(folder.path, 'state')];
  const read = (name: string): Promise<string> => readFile(join(game, 'src', name), 'utf8');
  assert.equal((await run(state, 'syncback', game, '--input', join(folder.path, 'in.rbxl'))).code, 0);
  assert.equal(await read('A.luau'), 'new');
  const listed = await run(state, 'restore', game);
  const [first] = listed.json['runs'] as unknown as { runId: string; requestedBy: string }[];
  assert.equal(first?.requestedBy, 'syncback');
  const dry = await run(state, 'restore', game, '--run', first.runId, '--dry-run');
  assert.deepEqual(dry.json['restored'], ['src/A.luau', 'src/Gone.luau', 'src/Kit/B.luau', 'src/Kit']);
  assert.equal(await read('A.luau'), 'new');
  assert.equal((await run(state, 'restore', game, '--run', first.runId)).code, 0);
  assert.deepEqual([await read('A.luau'), await read('Gone.luau')], ['old', '1']);
  assert.deepEqual((await readdir(join(game, 'src'))).toSorted(), ['A.luau', 'Gone.luau']);
  const [restore] = (await run(state, 'restore', game)).json['runs'] as unknown as { runId: string }[];
  assert.equal((await run(state, 'restore', game, '--run', restore?.runId ?? '')).code, 0);
  assert.deepEqual([await read('A.luau'), await read('Kit/B.luau')], ['new', 'new']);
  assert.equal((await run(state, 'restore', game, '--run', 'unknown')).code, 1);
});

test('finds the syncs that an editor recorded', async () => {
  await using folder = await workspace();
  const [game, state, editor] = ['game', 'state', 'editor'].map(name => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(state);
  await rememberJournal(stateFolder(game, { XDG_STATE_HOME: state }), editor);
  const item = {
    id: 'a',
    path: 'A',
    className: 'ModuleScript',
    patchType: 'Edit',
    choice: 'pull',
    fsPath: 'src/A.luau',
  };
  const files = [{ path: 'src/A.luau', blob: 'file-0' }];
  await createFileJournalStore(editor).append(
    'run-of-editor',
    {
      version: 1,
      runId: 'run-of-editor',
      at: new Date().toISOString(),
      mode: 'standard',
      requestedBy: 'palette',
      place: { name: 'Game', placeId: 0 },
      items: [{ ...item, files, studio: null }],
    },
    new Map([['file-0', Buffer.from('before the sync')]]),
    { at: new Date().toISOString(), status: 'success', summary: 'done', outcomes: [] },
  );
  assert.equal((await run(state, 'restore', game, '--run', 'run-of-editor')).code, 0);
  assert.equal(await readFile(join(game, 'src', 'A.luau'), 'utf8'), 'before the sync');
});
