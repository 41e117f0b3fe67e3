import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model, ModelInstance } from '../../../../../src/roblox/instances/model.ts';
import { openProject } from '../../../../harness/project-world.ts';
import { instance, linesOf, place, planOf, pointer, syncback, text } from '../../../../harness/syncback.ts';

const tree = (dialect: 'rojo' | 'atlas') => ({
  [dialect === 'rojo' ? 'default.project.json' : 'default.project.json5']: JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
    syncbackRules: { syncUnscriptable: true },
  }),
  'src/.keep': '',
});
const storage = (children: readonly ModelInstance[]): Model =>
  place(instance('ReplicatedStorage', 'ReplicatedStorage', {}, children));

test('rojo: keeps files beside children of one name, and puts each further one into a project', async () => {
  using world = await openProject({
    ...tree('rojo'),
    'src/Map/Main.luau': 'main',
    'src/Map/Part.model.json': '{"className": "Part"}',
  });
  const part = (index: number) => instance('Part', 'Part', {}, [], `part ${index}`);
  const map = instance('Folder', 'Map', {}, [
    instance('ModuleScript', 'Main', { Source: text('main') }),
    part(1),
    part(2),
    part(3),
  ]);
  const plan = await syncback(world, storage([map]));
  assert.deepEqual(linesOf(plan), [
    'Writing src/Map/Part~2/Part.model.json',
    'Writing src/Map/Part~2/default.project.json',
    'Writing src/Map/Part~3/Part.model.json',
    'Writing src/Map/Part~3/default.project.json',
  ]);
  assert.equal(
    world.files.text('src/Map/Part~2/default.project.json'),
    '{\n  "name": "Part",\n  "tree": {\n    "$path": "Part.model.json"\n  }\n}\n',
  );
});

/** Characters that differ in their children alone. Each joint refers to a part of its character. */
const rigs = (count: number, children = 3): readonly ModelInstance[] =>
  Array.from({ length: count }, (_, rig) => {
    const limbs = Array.from({ length: children }, (_, limb) =>
      instance('Part', `Limb${limb}`, { Transparency: { type: 'Float32', value: rig } }, [], `limb ${rig} ${limb}`),
    );
    const joints = limbs.map((limb, index) =>
      instance('Motor6D', `Joint${index}`, { Part0: pointer(limb) }, [], `joint ${rig} ${index}`),
    );
    return instance('Model', 'Rig', { PrimaryPart: pointer(limbs[0]) }, [...limbs, ...joints], `rig ${rig}`);
  });

for (const [what, children] of Object.entries({
  '12 models of one name': rigs(12),
  'more models of one name than are compared with each other': rigs(60),
  'references to one of 12 equal parts': [
    ...Array.from({ length: 12 }, (_, index) => instance('Part', 'Part', {}, [], `part ${index}`)),
    instance('ObjectValue', 'Eleventh', { Value: pointer(instance('Part', 'Part', {}, [], 'part 10')) }),
  ],
}))
  test(`atlas: writes nothing again when the place has ${what}`, async () => {
    using world = await openProject(tree('atlas'));
    await syncback(world, storage(children));
    assert.deepEqual(linesOf(await planOf(world, storage(children))), []);
  });

test('atlas: writes nothing again when models of one name have another order in the place', async () => {
  using world = await openProject(tree('atlas'));
  for (const count of [12, 60]) {
    await syncback(world, storage(rigs(count)));
    assert.deepEqual(linesOf(await planOf(world, storage(rigs(count).toReversed()))), []);
  }
});

test('atlas: writes the one part that changed when 12 models of one name have another order', async () => {
  using world = await openProject(tree('atlas'));
  await syncback(world, storage(rigs(12)));
  const edited = rigs(12).map((rig, index) => {
    const children = rig.children.map((child, at) =>
      index === 7 && at === 1
        ? { ...child, properties: new Map([['Anchored', { type: 'Bool', value: true }] as const]) }
        : child,
    );
    return { ...rig, children };
  });
  assert.deepEqual(linesOf(await planOf(world, storage(edited.toReversed()))), ['Writing src/Rig~8/Limb1.model.json5']);
});
