import { test } from 'node:test';
import assert from 'node:assert/strict';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { reasonText } from '../../../../src/protocol/reason.ts';
import { applyPulls, createIn, editOf, planOf, studioInstance } from '../../../harness/pulls.ts';
import { settle } from '../../../harness/settle.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

const R = 'ReplicatedStorage';
const module = (name: string, source: string) => studioInstance(name, 'ModuleScript', { source });

const paths = (world: ProjectWorld): readonly string[] =>
  world.files.paths().filter(path => path.startsWith('src/') && path !== 'src/.keep');

test('renames the file of a script with its meta file and keeps its id', async () => {
  using world = await openProject(
    smallProject({ 'src/A.luau': 'return 1', 'src/A.meta.json': '{"attributes": {"x": 1}}' }),
  );
  const { id } = world.at(`${R}/A`);
  const plan = await applyPulls(world, editOf(world, `${R}/A`, module('B', 'return 2')));
  assert.deepEqual(paths(world), ['src/B.luau', 'src/B.meta.json']);
  assert.equal(world.at(`${R}/B`).id, id);
  assert.equal(world.at(`${R}/B`).properties.get('Source')?.value, 'return 2');
  assert.equal(plan.pulls[0]?.ok && plan.pulls[0].entry, 'src/B.luau');
});

test('keeps the id when the project is read between the writes of a rename', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'return 1' }));
  const { id } = world.at(`${R}/A`);
  const { edits, renamed } = await planOf(world, editOf(world, `${R}/A`, module('B', 'return 2')));
  const [write, remove] = edits;
  assert.ok(write?.kind === 'write' && remove?.kind === 'remove');
  let reading = Promise.resolve();
  await world.session.writeAlone(renamed, async () => {
    await world.files.replace(write.path, write.bytes, write.precondition);
    reading = world.refresh();
    await settle();
    await world.files.remove(remove.path, remove.precondition);
  });
  await reading;
  assert.equal(world.at(`${R}/B`).id, id);
});

test('renames an init folder with every file in it, and applies other edits inside', async () => {
  using world = await openProject(
    smallProject({
      'src/A/init.luau': 'return 1',
      'src/A/Child.luau': 'return "child"',
      'src/A/README.md': 'kept',
      'src/A/Empty/.gitkeep': '',
    }),
  );
  const [{ id }, child] = [world.at(`${R}/A`), world.at(`${R}/A/Child`)];
  await applyPulls(
    world,
    editOf(world, `${R}/A`, module('B', 'return 1')),
    editOf(world, `${R}/A/Child`, module('Renamed', 'return "edited"')),
    createIn(world, `${R}/A`, module('New', 'return 3')),
  );
  assert.deepEqual(paths(world), [
    'src/B/Empty/.gitkeep',
    'src/B/New.luau',
    'src/B/README.md',
    'src/B/Renamed.luau',
    'src/B/init.luau',
  ]);
  assert.equal(world.at(`${R}/B`).id, id);
  assert.equal(world.at(`${R}/B/Renamed`).id, child.id);
  assert.equal(world.at(`${R}/B/Renamed`).properties.get('Source')?.value, 'return "edited"');
});

test('leaves a shared meta file with the other script of that name', async () => {
  using world = await openProject(
    smallProject({
      'src/A.server.luau': 'print(1)',
      'src/A.client.luau': 'print(2)',
      'src/A.meta.json': '{"properties": {"Enabled": false}}',
    }),
  );
  const server = world.session.idsAtPath('src/A.server.luau' as never)[0];
  assert.ok(server);
  await applyPulls(world, { kind: 'edit', id: server, studio: studioInstance('B', 'Script') });
  assert.deepEqual(paths(world), ['src/A.client.luau', 'src/A.meta.json', 'src/B.meta.json', 'src/B.server.luau']);
  assert.equal(world.at(`${R}/B`).properties.get('Enabled')?.value, false);
  assert.equal(world.at(`${R}/A`).properties.get('Enabled')?.value, false);
});

test('changes the name in a JSON model and in a project that only names an instance', async () => {
  const children = [{ className: 'Folder', name: 'A' }];
  using world = await openProject(
    smallProject({
      'src/M.model.json': JSON.stringify({ className: 'Model', children }, undefined, 2),
      'src/N~2/default.project.json': JSON.stringify({ name: 'a:b', tree: { $path: 'N.luau' } }),
      'src/N~2/N.luau': 'return 1',
    }),
  );
  const inside = world.at(`${R}/M/A`).id;
  const nested = world.at(`${R}/a:b`).id;
  await applyPulls(
    world,
    editOf(world, `${R}/M/A`, studioInstance('B', 'Folder')),
    editOf(world, `${R}/a:b`, module('c:d', 'return 1')),
  );
  assert.equal(world.at(`${R}/M/B`).id, inside);
  assert.equal(world.at(`${R}/c:d`).id, nested);
});

test('refuses a name that no file can have, and a name that is a key of a project file', async () => {
  using world = await openProject({
    ...smallProject({ 'src/A.luau': 'return 1' }),
    'default.project.json': JSON.stringify({
      name: 'Game',
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src', Node: { $className: 'Folder' } } },
    }),
  });
  const node = await planOf(world, editOf(world, `${R}/Node`, studioInstance('Other', 'Folder')));
  const [refused] = node.pulls;
  assert.equal(
    refused?.ok === false && reasonText(refused.reason),
    'its name is a key in default.project.json; rename it there by hand',
  );
  const plan = await planOf(world, editOf(world, `${R}/A`, module('a/b', 'return 1')));
  const [pull] = plan.pulls;
  assert.equal(
    pull?.ok === false && reasonText(pull.reason),
    'no file can have the name a/b; rename it by hand on one side',
  );
  assert.deepEqual(plan.edits, []);
});

test('sets an unusual name in the meta file of the Atlas dialect, and removes its number', async () => {
  using world = await openProject({
    'default.project.json5': JSON.stringify({
      name: 'Game',
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
    }),
    'src/A.luau': 'return 1',
    'src/Twin.luau': 'return 2',
    'src/Twin~2.luau': 'return 3',
    'src/Pointer.model.json5': '{className: "ObjectValue", attributes: {Rojo_Ref_Value: "./A.luau"}}',
  });
  const { id } = world.at(`${R}/A`);
  const twin = world.session.idsAtPath('src/Twin~2.luau' as never)[0];
  assert.ok(twin);
  await applyPulls(world, editOf(world, `${R}/A`, module('a:b', 'return 1')), {
    kind: 'edit',
    id: twin,
    studio: module('Single', 'return 3'),
  });
  assert.equal(world.at(`${R}/a:b`).id, id);
  assert.equal(world.at(`${R}/Pointer`).properties.get('Value')?.value, id);
  assert.equal(world.at(`${R}/Single`).id, twin);
  assert.deepEqual(paths(world), [
    'src/Pointer.model.json5',
    'src/Single.luau',
    'src/Twin.luau',
    'src/a_b.luau',
    'src/a_b.meta.json5',
  ]);
});

test('updates a reference to a renamed target when the file uses an old property name', async () => {
  using world = await openProject({
    'default.project.json5': '{name: "Game", tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}}',
    'src/A.model.json5': '{className: "Part"}',
    'src/Weld.model.json5': '{className: "Weld", attributes: {Rojo_Ref_part1: "./A.model.json5"}}',
  });
  const { id } = world.at(`${R}/A`);
  await applyPulls(world, editOf(world, `${R}/A`, studioInstance('B', 'Part')));
  assert.equal(world.at(`${R}/Weld`).properties.get('Part1')?.value, id);
  const text = world.files.text('src/Weld.model.json5') ?? '';
  assert.match(text, /Rojo_Ref_Part1"?: "\.\/B\.model\.json5"/);
  assert.doesNotMatch(text, /part1/);
});

test('changes only the case of a name', async () => {
  using world = await openProject(smallProject({ 'src/Foo.luau': 'return 1' }));
  await applyPulls(world, editOf(world, `${R}/Foo`, module('foo', 'return 1')));
  assert.deepEqual(paths(world), ['src/foo.luau']);
});

test('keeps the id of a file or folder that is renamed on disk unless its content is ambiguous', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': 'return "a"',
      'src/Dir/X.luau': 'return "x"',
      'src/Same1.luau': 'return "same"',
      'src/Same2.luau': 'return "same"',
    }),
  );
  const ids = [world.at(`${R}/A`).id, world.at(`${R}/Dir`).id, world.at(`${R}/Dir/X`).id];
  for (const [from, to] of [
    ['src/A.luau', 'src/B.luau'],
    ['src/Dir/X.luau', 'src/Moved/X.luau'],
    ['src/Same1.luau', 'src/Other1.luau'],
    ['src/Same2.luau', 'src/Other2.luau'],
  ] as const) {
    const bytes = await world.files.read(from as never);
    await world.files.replace(to as never, bytes, { kind: 'absent' });
    await world.files.remove(from as never, { kind: 'hash', gitBlob: nodeHasher.gitBlob(bytes) });
  }
  await world.files.remove('src/Dir' as never, { kind: 'emptyFolder' });
  await world.refresh();
  assert.deepEqual([world.at(`${R}/B`).id, world.at(`${R}/Moved`).id, world.at(`${R}/Moved/X`).id], ids);
  assert.equal(world.outline(R).includes('Same1'), false);
});
