import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHeadlessWorld } from '../../harness/headless-world.ts';

const project = (more: object = {}): string =>
  JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } }, ...more });
const refXml = `<roblox version="4">
  <Item class="Model" referent="RBX0"><Properties><string name="Name">Boat</string><Ref name="PrimaryPart">RBX1</Ref></Properties>
    <Item class="Part" referent="RBX1"><Properties><string name="Name">Hull</string></Properties></Item>
  </Item>
</roblox>`;

for (const [dialect, ending, attributes] of [
  ['rojo', 'json', { Rojo_Target_PrimaryPart: 'panel' }],
  ['atlas', 'json5', { Rojo_Ref_PrimaryPart: './Panel.model.json5' }],
] as const)
  test(
    `${dialect}: sends references between files, and inside a model file, to Studio`,
    { timeout: 60_000 },
    async () => {
      await using both = await startHeadlessWorld({
        [`default.project.${ending}`]: project(),
        [`src/Door.model.${ending}`]: JSON.stringify({ className: 'Model', attributes }),
        [`src/Panel.model.${ending}`]: '{"className": "Part", "id": "panel"}',
        'src/Boat.rbxmx': refXml,
      });
      const result = await both.decide();
      assert.equal(result.status, 'success', JSON.stringify(result, null, 1));
      const look = `local storage = game.ReplicatedStorage
      local names = {}
      for name in storage.Door:GetAttributes() do table.insert(names, name) end
      return storage.Door.PrimaryPart == storage.Panel, storage.Boat.PrimaryPart == storage.Boat.Hull, table.concat(names, ",")`;
      assert.deepEqual(await both.lua(look), [true, true, dialect === 'rojo' ? 'Rojo_Target_PrimaryPart' : '']);
      assert.equal((await both.sync()).status, 'empty');
      // The target changes on disk: the reference follows.
      const other = JSON.stringify({
        className: 'Model',
        attributes:
          dialect === 'rojo' ? { Rojo_Target_PrimaryPart: 'other' } : { Rojo_Ref_PrimaryPart: './Other.model.json5' },
      });
      both.bridge.disk.set(`src/Other.model.${ending}`, '{"className": "Part", "id": "other"}');
      both.bridge.disk.set(`src/Door.model.${ending}`, other);
      const again = await both.decide();
      assert.equal(again.status, 'success', JSON.stringify(again, null, 1));
      assert.deepEqual(await both.lua('return game.ReplicatedStorage.Door.PrimaryPart.Name'), ['Other']);
    },
  );

for (const [dialect, ending] of [
  ['rojo', 'json'],
  ['atlas', 'json5'],
] as const)
  test(`${dialect}: finds no difference after pulling a reference`, { timeout: 60_000 }, async () => {
    await using both = await startHeadlessWorld({
      [`default.project.${ending}`]: project(),
      [`src/Pointer.model.${ending}`]: '{"className": "ObjectValue", "attributes": {"Level": 1}}',
      'src/Target.luau': 'return 1\n',
    });
    await both.decide();
    await both.lua(`local storage = game.ReplicatedStorage
      storage.Pointer.Value = storage.Target storage.Pointer:SetAttribute("Level", 2)`);
    const pull = () => both.decide(() => ({ direction: 'pull' }));
    const pulled = await pull();
    assert.equal(pulled.status, 'success', JSON.stringify(pulled, null, 1));
    const again = await both.sync();
    assert.equal(again.status, 'empty', JSON.stringify(again, null, 1));
    // An id that another tool left in Studio is not a difference either, and a change of another attribute does not show ids.
    await both.lua(`local storage = game.ReplicatedStorage
      storage.Target:SetAttribute("Rojo_Id", "other") storage.Pointer:SetAttribute("Level", 3)`);
    const { changes } = await both.sync();
    assert.deepEqual(
      changes.map(({ path, properties }) => [path, properties]),
      [
        [
          'ReplicatedStorage/Pointer',
          {
            Attributes: {
              current: { Attributes: { Level: { Float64: 3 } } },
              incoming: { Attributes: { Level: { Float64: 2 } } },
            },
          },
        ],
      ],
    );
    assert.equal((await pull()).status, 'success');
    assert.equal((await both.sync()).status, 'empty');
    assert.deepEqual(await both.lua('return game.ReplicatedStorage.Pointer.Value.Name'), ['Target']);
  });

test(
  'applies sync rules in both directions',
  {
    timeout: 60_000,
  },
  async () => {
    await using both = await startHeadlessWorld({
      'default.project.json': project({
        syncRules: [
          { pattern: '**/*.job', use: 'legacyServerScript', suffix: '.job' },
          { pattern: '**/*.part', use: 'jsonModel', exclude: '**/Not.part' },
          { pattern: '**/*.note', use: 'text' },
          { pattern: '**/*.luau', use: 'ignore', exclude: '**/Kept.luau' },
        ],
      }),
      'src/Run.job': 'print(1)\r\n',
      'src/Run.meta.json': '{"properties": {"Tags": ["Job"]}}',
      'src/Wheel.part': '{"className": "Part", "properties": {"Anchored": true}}',
      'src/Not.part': '{',
      'src/Hello.note': 'hi',
      'src/Unseen.luau': '',
      'src/Kept.luau': '',
    });
    const result = await both.decide();
    assert.equal(result.status, 'success', JSON.stringify(result, null, 1));
    const look = `local found = {}
    for _, child in game.ReplicatedStorage:GetChildren() do table.insert(found, child.Name .. ":" .. child.ClassName) end
    table.sort(found)
    return table.concat(found, " "), game.ReplicatedStorage.Run:HasTag("Job"), game.ReplicatedStorage.Wheel.Anchored`;
    assert.deepEqual(await both.lua(look), ['Hello:StringValue Kept:ModuleScript Run:Script Wheel:Part', true, true]);
    await both.lua(`local storage = game.ReplicatedStorage
    storage.Run.Source = "print(2)\\n" storage.Wheel.Anchored = false storage.Hello.Value = "ho"`);
    const back = await both.decide(() => ({ direction: 'pull' }));
    assert.equal(back.status, 'success', JSON.stringify(back, null, 1));
    const { disk } = both.bridge;
    assert.equal(disk.text('src/Run.job'), 'print(2)\r\n');
    assert.deepEqual(JSON.parse(disk.text('src/Wheel.part') ?? ''), {
      className: 'Part',
      properties: { Anchored: false },
    });
    assert.equal(disk.text('src/Hello.note'), 'ho');
    assert.deepEqual(
      disk.paths().filter(path => path.startsWith('src/')),
      ['Hello.note', 'Kept.luau', 'Not.part', 'Run.job', 'Run.meta.json', 'Unseen.luau', 'Wheel.part'].map(
        name => `src/${name}`,
      ),
    );
    assert.equal((await both.sync()).status, 'empty');
  },
);

test('gives an allowed place the ids of its project, and no other place', { timeout: 60_000 }, async () => {
  const ids = { placeId: 42, gameId: 7 };
  await using both = await startHeadlessWorld({ 'default.project.json': project(ids), 'src/A.luau': 'return 1' });
  assert.equal((await both.sync()).status, 'dryrun');
  assert.deepEqual(await both.lua('return game.PlaceId, game.GameId'), [42, 7]);
  assert.equal((await both.decide()).status, 'success');
  assert.equal((await both.sync()).status, 'empty', 'the place is still the same for the bridge');
  await using plain = await startHeadlessWorld({ 'default.project.json': project(), 'src/A.luau': 'return 1' });
  await plain.sync();
  assert.deepEqual(await plain.lua('return game.PlaceId, game.GameId'), [0, 0]);
});
