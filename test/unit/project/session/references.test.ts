import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

const R = 'ReplicatedStorage';
const pointer = (attributes: object): string => JSON.stringify({ className: 'ObjectValue', attributes });
/** The name of the target; `undefined` without a target. */
function target(world: ProjectWorld, path: string): string | undefined {
  const value = world.at(`${R}/${path}`).properties.get('Value');
  return value?.type === 'Ref' ? world.session.get(value.value)?.name : undefined;
}

test('sets a reference while its target exists', async () => {
  using world = await openProject(smallProject({ 'src/O.model.json': pointer({ Rojo_Target_Value: 'x' }) }));
  assert.equal(target(world, 'O'), undefined);
  world.files.set('src/T.model.json', '{"className": "Folder", "id": "x"}');
  await world.refresh();
  assert.equal(target(world, 'O'), 'T');
  world.files.set('src/U.model.json', '{"className": "Folder", "id": "x"}');
  await world.refresh();
  assert.equal(target(world, 'O'), undefined, 'two have the id');
  world.files.delete('src/T.model.json');
  await world.refresh();
  assert.equal(target(world, 'O'), 'U');
  world.files.set('src/U.model.json', '{"className": "Folder"}');
  await world.refresh();
  assert.equal(target(world, 'O'), undefined);
});

test('resolves a path by current names and hides reference attributes in the Atlas dialect', async () => {
  using world = await openProject({
    'default.project.json5': '{tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}}',
    'src/O.model.json5': pointer({ Rojo_Ref_Value: './Boat/Hull', Speed: 1 }),
    'src/Boat/Hull.luau': '',
  });
  assert.equal(target(world, 'O'), 'Hull');
  assert.deepEqual(
    world.at(`${R}/O`).properties.get('Attributes')?.value,
    new Map([['Speed', { type: 'Float64', value: 1 }]]),
  );
  world.files.delete('src/Boat/Hull.luau');
  world.files.set('src/Boat/Keel.luau');
  await world.refresh();
  assert.equal(target(world, 'O'), undefined);
  world.files.set('src/Boat/hull/init.luau');
  await world.refresh();
  assert.equal(target(world, 'O'), 'hull');
});

test('keeps the object identity of an instance with references while it does not change', async () => {
  using world = await openProject(
    smallProject({
      'src/O.model.json': pointer({ Rojo_Target_Value: 'x' }),
      'src/T.model.json': '{"className": "Folder", "id": "x"}',
      'src/A.luau': '',
    }),
  );
  const { properties } = world.at(`${R}/O`);
  const revision = world.session.revision();
  world.files.set('src/O.model.json', `${pointer({ Rojo_Target_Value: 'x' })} // as it was`);
  await world.refresh();
  assert.equal(world.session.revision(), revision);
  assert.equal(world.at(`${R}/O`).properties, properties);
  world.files.set('src/A.luau', 'new');
  await world.refresh();
  assert.equal(world.at(`${R}/O`).properties, properties);
});

test('reports a second id of one instance', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': '',
      'src/A.meta.json': '{"id": "one"}',
      'src/A.meta.jsonc': '{\n  "id": "two"\n}',
    }),
  );
  assert.equal(world.at(`${R}/A`).specifiedId, 'one');
  assert.deepEqual(
    world.session.diagnostics().map(({ file, line, column }) => `${file}:${line}:${column}`),
    ['src/A.meta.jsonc:2:9'],
  );
});
