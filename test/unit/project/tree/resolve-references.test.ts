import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveReferences } from '../../../../src/project/tree/resolve-references.ts';
import { openProject, type ProjectWorld } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

const dialects = ['rojo', 'atlas'] as const;
type Dialect = (typeof dialects)[number];
type Files = Readonly<Record<string, string>>;

function open(dialect: Dialect, files: Files): Promise<ProjectWorld> {
  const tree = {
    $className: 'DataModel',
    ReplicatedStorage: { $path: 'src', $id: 'storage' },
    Workspace: { $path: 'world' },
  };
  const name = dialect === 'rojo' ? 'default.project.json' : 'default.project.json5';
  return openProject({ [name]: JSON.stringify({ tree }), 'src/.keep': '', 'world/.keep': '', ...files });
}
/** The target of a property as a path of names; `undefined` without a target. */
function target(world: ProjectWorld, path: string, property = 'Value'): string | undefined {
  const { session } = world;
  const value = resolveReferences(session, reflection).values.get(world.at(path).id)?.get(property);
  if (value?.type !== 'Ref') return undefined;
  const names: string[] = [];
  for (let at = session.get(value.value); at && at.id !== session.rootId; at = session.get(at.parent))
    names.unshift(at.name);
  return names.join('/');
}
const pointer = (attributes: object): string => JSON.stringify({ className: 'ObjectValue', attributes });

for (const dialect of dialects)
  test(`${dialect}: resolves an id to its only instance, wherever it is set`, async () => {
    using world = await open(dialect, {
      'src/ToNode.model.json': pointer({ Rojo_Target_Value: 'storage' }),
      'src/ToMeta.model.json': pointer({ Rojo_Target_Value: 'script' }),
      'src/ToModel.model.json': pointer({ Rojo_Target_Value: 'model' }),
      'src/ToInner.model.json': pointer({ Rojo_Target_Value: 'inner' }),
      'src/ToUnknown.model.json': pointer({ Rojo_Target_Value: 'unknown' }),
      'src/ToTwo.model.json': pointer({ Rojo_Target_Value: 'two' }),
      'world/S.luau': '',
      'world/S.meta.json': '{"id": "script"}',
      'world/M.model.json': JSON.stringify({
        className: 'Model',
        id: 'model',
        children: [
          { className: 'Part', name: 'Inner', attributes: { Rojo_Id: 'inner' } },
          { className: 'Part', name: 'A', attributes: { Rojo_Id: 'two' } },
          { className: 'Part', name: 'B', attributes: { Rojo_Id: 'two' } },
        ],
      }),
    });
    const at = (name: string): string | undefined => target(world, `ReplicatedStorage/${name}`);
    assert.deepEqual(['ToNode', 'ToMeta', 'ToModel', 'ToInner', 'ToUnknown', 'ToTwo'].map(at), [
      'ReplicatedStorage',
      'Workspace/S',
      'Workspace/M',
      'Workspace/M/Inner',
      undefined,
      undefined,
    ]);
    assert.deepEqual(
      resolveReferences(world.session, reflection).unresolved.map(({ problem }) => problem),
      [
        'Value refers to "two", which matches more than one instance',
        'Value refers to "unknown", which matches no instance',
      ],
    );
  });

const boat: Files = {
  'world/Boat/Sail.model.json5': '{className: "Model", children: [{className: "Part", name: "Cloth"}]}',
  'world/Boat/Mast.model.json5': '{className: "Model"}',
  'world/Boat/Deep/Crow~2.luau': '',
  'world/Boat/Door/init.luau': '',
  'world/Pier/Post.model.json5': '{className: "Model"}',
  'src/Util.luau': '',
};
const paths: readonly (readonly [string, string | undefined])[] = [
  ['./Mast.model.json5', 'Workspace/Boat/Mast'],
  ['./mast', 'Workspace/Boat/Mast'],
  ['./Door', 'Workspace/Boat/Door'],
  ['./init.luau', 'Workspace/Boat/Door'],
  ['../Pier/Post.model.json5', 'Workspace/Pier/Post'],
  ['../../ReplicatedStorage/Util.luau', 'ReplicatedStorage/Util'],
  ['../../../x', undefined],
  ['@game/Workspace/Boat', 'Workspace/Boat'],
  ['@game/Boat/Mast.model.json5', 'Workspace/Boat/Mast'],
  ['@game/ReplicatedStorage/Util.luau', 'ReplicatedStorage/Util'],
  ['Workspace//Boat/Deep/Crow~2.luau', 'Workspace/Boat/Deep/Crow'],
  ['@game/Workspace/Boat/Sail/Cloth', 'Workspace/Boat/Sail/Cloth'],
  ['@self', 'Workspace/Boat/Link'],
  ['@self/Nothing', undefined],
  ['', undefined],
];
for (const [path, expected] of paths)
  test(`atlas: resolves the path ${JSON.stringify(path)} to ${expected}`, async () => {
    const link = pointer({ Rojo_Ref_Value: path });
    using world = await open('atlas', { ...boat, 'world/Boat/Link.model.json5': link });
    assert.equal(target(world, 'Workspace/Boat/Link'), expected);
  });

test('prefers a path over an id in the Atlas dialect and ignores it in the Rojo dialect', async () => {
  const files = {
    'src/Link.model.json': pointer({ Rojo_Ref_Value: './Other.luau', Rojo_Target_Value: 'storage' }),
    'src/Other.luau': '',
  };
  using atlas = await open('atlas', files);
  using rojo = await open('rojo', files);
  assert.equal(target(atlas, 'ReplicatedStorage/Link'), 'ReplicatedStorage/Other');
  assert.equal(target(rojo, 'ReplicatedStorage/Link'), 'ReplicatedStorage');
});

test('resolves references within each copy of a model file', async () => {
  const xml = `<roblox version="4"><Item class="Model" referent="a"><Properties><string name="Name">M</string>
    <Ref name="PrimaryPart">b</Ref></Properties><Item class="Part" referent="b"><Properties>
    <string name="Name">P</string></Properties></Item></Item></roblox>`;
  const tree = { $className: 'DataModel', Workspace: { One: { $path: 'm.rbxmx' }, Two: { $path: 'm.rbxmx' } } };
  using world = await openProject({ 'default.project.json': JSON.stringify({ tree }), 'm.rbxmx': xml });
  assert.equal(target(world, 'Workspace/One', 'PrimaryPart'), 'Workspace/One/P');
  assert.equal(target(world, 'Workspace/Two', 'PrimaryPart'), 'Workspace/Two/P');
});

test('reports a reference attribute for a property of another type', async () => {
  using world = await open('rojo', {
    'src/note.txt': '',
    'src/note.meta.json': '{"attributes": {"Rojo_Target_Value": "storage"}}',
  });
  const { values, unresolved } = resolveReferences(world.session, reflection);
  assert.equal(values.size, 0);
  assert.deepEqual(
    unresolved.map(({ problem }) => problem),
    ['StringValue.Value cannot refer to an instance: its type is not Ref'],
  );
});
