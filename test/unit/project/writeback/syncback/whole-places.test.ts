import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProject } from '../../../../harness/project-world.ts';
import { instance, linesOf, place, planOf, syncback, text } from '../../../../harness/syncback.ts';

const wanted = place(
  instance('ReplicatedStorage', 'ReplicatedStorage', {}, [
    instance('ModuleScript', 'Library', { Source: text('return 1') }, [
      instance('ModuleScript', 'Child', { Source: text('return 2') }),
    ]),
  ]),
);
const projectOf = (node: object): string =>
  JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', ReplicatedStorage: { Library: node } } });

for (const node of [{ $path: 'lib' }, { $className: 'Folder', $path: 'lib' }])
  test(`writes an init file when a script of the place is ${JSON.stringify(node)} in the project`, async () => {
    using world = await openProject({ 'default.project.json': projectOf(node), 'lib/Child.luau': 'old' });
    const plan = await syncback(world, wanted);
    assert.deepEqual(plan.notes, []);
    assert.equal(world.files.text('lib/init.luau'), 'return 1');
    assert.equal(world.files.text('lib/Child.luau'), 'return 2');
    assert.deepEqual(linesOf(await planOf(world, wanted)), []);
    using again = await openProject(world.files.copy());
    assert.equal(again.at('ReplicatedStorage/Library').className, 'ModuleScript');
  });

test('keeps a folder that has another class in its meta file', async () => {
  using world = await openProject({
    'default.project.json': projectOf({ $path: 'lib' }),
    'lib/init.meta.json': '{"className": "Configuration"}',
  });
  const { notes, refused } = await planOf(world, wanted);
  assert.equal(notes.length + refused.length, 1);
});

for (const file of ['default.project.json', 'default.project.json5'])
  test(`${file}: splits instances nested deeper than a JSON file allows into folders`, async () => {
    using world = await openProject({
      [file]: JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', StarterGui: { $path: 'gui' } } }),
      'gui/.gitkeep': '',
    });
    let at = instance('Frame', 'Frame', {}, [], 'deepest');
    for (let level = 0; level < 100; level += 1) at = instance('Frame', 'Frame', {}, [at], `level ${level}`);
    const deep = place(instance('StarterGui', 'StarterGui', {}, [instance('ScreenGui', 'Deep', {}, [at])]));
    await syncback(world, deep);
    assert.deepEqual(world.session.diagnostics(), []);
    assert.deepEqual(linesOf(await planOf(world, deep)), []);
  });

test('atlas: pairs many equal instances of one name, so that a second syncback writes nothing', async () => {
  using world = await openProject({
    'default.project.json5': '{ name: "Game", tree: { $className: "DataModel", Workspace: { $path: "ws" } } }',
    'ws/.gitkeep': '',
  });
  const parts = Array.from({ length: 120 }, (_, index) =>
    instance('Part', 'Part', { Transparency: { type: 'Float32', value: (index % 7) / 8 } }, [], `part ${index}`),
  );
  const many = place(instance('Workspace', 'Workspace', {}, parts));
  await syncback(world, many);
  assert.deepEqual(linesOf(await planOf(world, many)), []);
});
