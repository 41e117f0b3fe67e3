import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeBinaryModel } from '../../../../src/roblox/formats/rbxm/write.ts';
import { readXmlModel } from '../../../../src/roblox/formats/rbxmx/read.ts';
import { writeXmlModel } from '../../../../src/roblox/formats/rbxmx/write.ts';
import type { Model, ModelInstance } from '../../../../src/roblox/instances/model.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

const instance = (name: string, more: Partial<ModelInstance> = {}): ModelInstance => ({
  referent: name,
  className: 'Part',
  name,
  properties: new Map(),
  children: [],
  ...more,
});
const boat: Model = {
  roots: [
    instance('Boat', {
      className: 'Model',
      properties: new Map([
        ['PrimaryPart', { type: 'Ref', value: 'Hull' as never }],
        ['Tags', { type: 'Tags', value: ['Afloat'] }],
        ['Attributes', { type: 'Attributes', value: new Map([['Seats', { type: 'Float64', value: 4 }]]) }],
      ]),
      children: [instance('Hull', { properties: new Map([['Anchored', { type: 'Bool', value: true }]]) })],
    }),
  ],
  metadata: new Map(),
};
function bytesOf(model: Model): Uint8Array {
  const bytes = writeBinaryModel(model, reflection);
  assert.ok(bytes.ok);
  return bytes.value;
}
function xmlOf(model: Model): string {
  const text = writeXmlModel(model, 'model', reflection);
  assert.ok(text.ok);
  return text.value;
}

const kinds = [
  ['rbxm', bytesOf],
  ['rbxmx', xmlOf],
] as const;
for (const [kind, write] of kinds) {
  const open = (content: string | Uint8Array): Promise<ProjectWorld> =>
    openProject({ ...smallProject({}), [`src/Ship.${kind}`]: content });

  test(`.${kind}: reads the root instance with its descendants and names it after the file`, async () => {
    using world = await open(write(boat));
    assert.equal(
      world.outline('ReplicatedStorage'),
      'ReplicatedStorage:ReplicatedStorage\n  Ship:Model\n    Hull:Part',
    );
    const ship = world.at('ReplicatedStorage/Ship');
    assert.deepEqual(ship.properties.get('Tags')?.value, ['Afloat']);
    assert.equal(world.at('ReplicatedStorage/Ship/Hull').properties.get('Anchored')?.value, true);
    const hull = world.at('ReplicatedStorage/Ship/Hull');
    assert.deepEqual(ship.properties.get('PrimaryPart'), { type: 'Ref', value: hull.id });
    assert.equal(world.session.fsPathOf(ship.id), `src/Ship.${kind}`);
  });

  test(`.${kind}: keeps ids when the file is saved, and the last valid state when it is invalid`, async () => {
    using world = await open(write(boat));
    const before = world.at('ReplicatedStorage/Ship/Hull').id;
    const [top] = boat.roots;
    assert.ok(top);
    world.files.set(`src/Ship.${kind}`, write({ ...boat, roots: [{ ...top, properties: new Map() }] }));
    await world.refresh();
    assert.equal(world.at('ReplicatedStorage/Ship/Hull').id, before);
    assert.equal(world.at('ReplicatedStorage/Ship').modelPlace?.references.size, 0);
    for (const bad of [
      '',
      'nonsense',
      '<roblox>\n <Item>',
      write({ ...boat, roots: [...boat.roots, instance('Second')] }),
    ]) {
      world.files.set(`src/Ship.${kind}`, bad);
      await world.refresh();
      assert.equal(world.at('ReplicatedStorage/Ship/Hull').id, before);
      assert.match(world.session.diagnostics()[0]?.message ?? '', /^expected (a binary|an XML|one)/);
    }
  });
}

test('keeps XML values of unknown types', async () => {
  const xml = xmlOf(boat).replace('<Properties>', '<Properties><Odd name="New"><x>1</x></Odd>');
  assert.ok(readXmlModel(xml, reflection).ok);
  using world = await openProject({ ...smallProject({}), 'src/Ship.rbxmx': xml });
  const carried = world.at('ReplicatedStorage/Ship').modelPlace?.unknownXml;
  assert.match(carried?.get('New') ?? '', /<Odd name="New">/);
});

test('reports the position in an invalid XML model', async () => {
  using world = await openProject({ ...smallProject({}), 'src/Ship.rbxmx': '<roblox>\n <Item></Item></roblox>' });
  const [problem] = world.session.diagnostics();
  assert.deepEqual([problem?.line, problem?.severity], [2, 'error']);
});
