import { test } from 'node:test';
import assert from 'node:assert/strict';
import { applyPulls, createIn, editOf, studioInstance } from '../../../harness/pulls.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';

const R = 'ReplicatedStorage';
test('writes a reference as an id attribute and the id to its target', async () => {
  using world = await openProject(
    smallProject({
      'src/O.model.json': '{"className": "ObjectValue"}',
      'src/P.model.json': '{"className": "Model", "children": [{"className": "Part", "name": "Hull"}]}',
    }),
  );
  const pointing = (target: string) => studioInstance('O', 'ObjectValue', { properties: { Value: { Ref: target } } });
  await applyPulls(world, editOf(world, `${R}/O`, pointing(world.at(`${R}/P/Hull`).id)));
  const id = /"Rojo_Id": "([0-9a-f]{32})"/.exec(world.files.text('src/P.model.json') ?? '')?.[1];
  assert.ok(id);
  assert.match(world.files.text('src/O.model.json') ?? '', new RegExp(`"Rojo_Target_Value": "${id}"`));
  assert.equal(world.at(`${R}/O`).properties.get('Value')?.value, world.at(`${R}/P/Hull`).id);
  await applyPulls(world, editOf(world, `${R}/O`, pointing(world.at(`${R}/P`).id)));
  assert.match(world.files.text('src/P.model.json') ?? '', /"id": "[0-9a-f]{32}"/);
  assert.equal(world.at(`${R}/O`).properties.get('Value')?.value, world.at(`${R}/P`).id);
  await applyPulls(world, editOf(world, `${R}/O`, pointing('0'.repeat(32))));
  assert.equal(world.at(`${R}/O`).properties.has('Value'), false);
});

for (const dialect of ['rojo', 'atlas'])
  test(`replaces and clears a reference whose property has an old name in the file (${dialect})`, async () => {
    const isAtlas = dialect === 'atlas';
    const end = isAtlas ? '.model.json5' : '.model.json';
    const attributes = isAtlas ? { Rojo_Ref_part1: './A.model.json5' } : { Rojo_Target_part1: 'idOfA' };
    const model = (className: string, more: object = {}): string => JSON.stringify({ className, ...more });
    const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
    using world = await openProject({
      [isAtlas ? 'default.project.json5' : 'default.project.json']: JSON.stringify({ name: 'Game', tree }),
      [`src/A${end}`]: model('Part', { id: 'idOfA' }),
      [`src/B${end}`]: model('Part', { id: 'idOfB' }),
      [`src/Weld${end}`]: model('Weld', { attributes }),
    });
    const part1 = (): unknown => world.at(`${R}/Weld`).properties.get('Part1')?.value;
    const weld = (target: string) => studioInstance('Weld', 'Weld', { properties: { Part1: { Ref: target } } });
    assert.equal(part1(), world.at(`${R}/A`).id);
    await applyPulls(world, editOf(world, `${R}/Weld`, weld(world.at(`${R}/B`).id)));
    assert.equal(part1(), world.at(`${R}/B`).id);
    assert.doesNotMatch(world.files.text(`src/Weld${end}`) ?? '', /part1/);
    world.files.set(`src/Weld${end}`, model('Weld', { attributes }));
    await world.refresh();
    await applyPulls(world, editOf(world, `${R}/Weld`, weld('0'.repeat(32))));
    assert.equal(part1(), undefined);
    assert.doesNotMatch(world.files.text(`src/Weld${end}`) ?? '', /part1/);
  });

test('writes a reference as a path in the Atlas dialect, also to a new instance', async () => {
  using world = await openProject({
    'default.project.json5': '{name: "Game", tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}}',
    'src/O.model.json5': '{className: "ObjectValue"}',
    'src/A.luau': '',
  });
  const part = studioInstance('Hull?', 'Part');
  const weld = studioInstance('W', 'WeldConstraint', { properties: { Part0: { Ref: part.id } } });
  const state = studioInstance('O', 'ObjectValue', { properties: { Value: { Ref: part.id } } });
  await applyPulls(
    world,
    editOf(world, `${R}/O`, state),
    createIn(world, `${R}/A`, studioInstance('Ship', 'Model', { children: [part, weld] })),
  );
  const hull = world.at(`${R}/A/Ship/Hull?`).id;
  assert.match(world.files.text('src/O.model.json5') ?? '', /"\.\/A\/Ship\/Hull_\.model\.json5"/);
  assert.equal(world.at(`${R}/O`).properties.get('Value')?.value, hull);
  assert.equal(world.at(`${R}/A/Ship/W`).properties.get('Part0')?.value, hull);
  assert.equal(world.at(`${R}/A/Ship/W`).properties.has('Attributes'), false, 'the attribute has done its work');
});

test('writes references between new children of a JSON model that loses others in the same plan', async () => {
  const children = ['A', 'B', 'C'].map(name => ({ className: 'Part', name }));
  using world = await openProject(
    smallProject({ 'src/M.model.json': JSON.stringify({ className: 'Model', children }, undefined, 2) }),
  );
  const hull = studioInstance('Hull', 'Part');
  const first = studioInstance('First', 'ObjectValue', { properties: { Value: { Ref: hull.id } } });
  const last = studioInstance('Last', 'ObjectValue', { properties: { Value: { Ref: world.at(`${R}/M/C`).id } } });
  await applyPulls(
    world,
    { kind: 'delete', id: world.at(`${R}/M/A`).id },
    { kind: 'delete', id: world.at(`${R}/M/B`).id },
    ...[first, hull, last].map(studio => createIn(world, `${R}/M`, studio)),
  );
  assert.equal(world.outline(`${R}/M`), 'M:Model\n  C:Part\n  First:ObjectValue\n  Hull:Part\n  Last:ObjectValue');
  assert.equal(world.at(`${R}/M/First`).properties.get('Value')?.value, world.at(`${R}/M/Hull`).id);
  assert.equal(world.at(`${R}/M/Last`).properties.get('Value')?.value, world.at(`${R}/M/C`).id);
});
