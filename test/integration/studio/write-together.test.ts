import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalEnding, JournalRecord } from '../../../src/protocol/journal/journal-record.ts';
import { beforePlan } from '../../harness/before-plan.ts';
import { detailsOf, type FakePlugin } from '../../harness/fake-plugin.ts';
import { allowUnpaired, startBridge, type TestBridge } from '../../harness/start-bridge.ts';

const item = (name: string, inside = ''): string =>
  `<Item class="Part" referent="${name}"><Properties><string name="Name">${name}</string></Properties>${inside}</Item>`;
const files: Readonly<Record<string, string>> = {
  'default.project.json': JSON.stringify({ name: 'Game', tree: { $className: 'Folder', $path: 'src' } }),
  'src/Parts.rbxmx': `<roblox version="4">${item('Parts', `${item('A', item('Inner'))}${item('B')}${item('C')}`)}</roblox>`,
  'src/Props.model.json': JSON.stringify({
    className: 'Model',
    children: ['A', 'B', 'C'].map(name => ({
      name,
      className: 'Part',
      children: [{ name: 'Inner', className: 'Part' }],
    })),
  }),
  'src/Code/One.luau': 'return 1',
  'src/Code/Two.luau': 'return 2',
  'src/Code/Three.luau': 'return 3',
};

async function start(changed: Readonly<Record<string, string>> = {}, options: object = {}) {
  const bridge = await startBridge({ ...files, ...changed }, { ...allowUnpaired(), ...options });
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  return { bridge, plugin };
}

const update = (plugin: FakePlugin, path: string, changedProperties: object) => ({
  id: plugin.at(path).Id,
  changedProperties,
});
const source = (plugin: FakePlugin, name: string, text: string) =>
  update(plugin, `Code/${name}`, { Source: { String: text } });
const idsOf = (plugin: FakePlugin, paths: readonly string[]): readonly string[] =>
  paths.map(path => plugin.at(path).Id);

async function recordsOf({ journal }: TestBridge) {
  const entries = await journal.list();
  return entries.map(({ record, ending }) => ({
    ...JournalRecord.parse(record),
    ending: JournalEnding.parse(ending),
  }));
}

test('writes several updates of one instance one after another, and records each', async () => {
  const { bridge, plugin } = await start();
  await using _ = bridge;
  const updated = ['return "a"', 'return "b"', 'return "b"', 'return "c"'].map(text => source(plugin, 'One', text));
  const answer = await plugin.write({ updated: [...updated, source(plugin, 'Two', 'return 22')] });
  assert.equal(answer.status, 200, detailsOf(answer));
  assert.equal(bridge.disk.text('src/Code/One.luau'), 'return "c"');
  const paths = (await recordsOf(bridge)).map(({ items }) => items.map(({ path }) => path));
  assert.deepEqual(paths, [['Code/One'], ['Code/One'], ['Code/One', 'Code/Two']]);
});

test('refuses only the update whose file changed on disk, and records both sides', async () => {
  const silent = { watch: () => ({ [Symbol.dispose]: () => undefined }) };
  const { bridge, plugin } = await start({}, { watcher: silent });
  await using _ = bridge;
  bridge.disk.set('src/Code/Two.luau', 'return "disk"');
  const updated = ['One', 'Two', 'Three'].map(name => source(plugin, name, `return "Studio ${name}"`));
  const answer = await plugin.write({ updated });
  assert.match(detailsOf(answer), /1 of 3 changes .*2 were written\. Code\/Two: /);
  assert.equal(bridge.disk.text('src/Code/One.luau'), 'return "Studio One"');
  assert.equal(bridge.disk.text('src/Code/Two.luau'), 'return "disk"');
  assert.equal(bridge.disk.text('src/Code/Three.luau'), 'return "Studio Three"');
  const records = await recordsOf(bridge);
  const refused = records.flatMap(({ items }) => items).filter(({ choice }) => choice === 'skip');
  assert.deepEqual(
    refused.map(({ path, studio }) => [path, studio?.source]),
    [['Code/Two', 'return "Studio Two"']],
  );
});

for (const [what, isRead] of Object.entries({ read: true, written: false }))
  test(`writes the other updates when one file cannot be ${what}`, async () => {
    const { bridge, plugin } = await start();
    await using _ = bridge;
    const replaced = async (_write: unknown, path: string) => {
      if (path.includes('Two')) throw new Error('permission denied');
    };
    const read = bridge.disk.read.bind(bridge.disk);
    if (isRead)
      bridge.disk.read = async path => {
        if (path.includes('Two')) throw new Error('permission denied');
        return read(path);
      };
    else bridge.disk.fault = replaced;
    const updated = ['One', 'Two', 'Three'].map(name => source(plugin, name, `return "Studio ${name}"`));
    const answer = await plugin.write({ updated });
    assert.match(detailsOf(answer), /1 of 3 changes .*2 were written\. Code\/Two: .*permission denied/);
    assert.equal(bridge.disk.text('src/Code/Three.luau'), 'return "Studio Three"');
    assert.equal(bridge.disk.text('src/Code/Two.luau'), 'return 2');
    const records = await recordsOf(bridge);
    const failed = records.flatMap(({ ending }) => ending.outcomes.map(({ id }) => id));
    assert.deepEqual(failed, isRead ? [] : idsOf(plugin, ['Code/Two']));
    assert.match(JSON.stringify(records), /return \\"Studio Two\\"/);
  });

test('writes the other updates of a model when the value of one cannot be written', async () => {
  const { bridge, plugin } = await start();
  await using _ = bridge;
  const updated = [
    update(plugin, 'Parts/A', { Transparency: { Float32: 0.5 } }),
    update(plugin, 'Parts/B', {
      Region: {
        Region3int16: [
          [1, 2, 3],
          [1, 2, 3],
        ],
      },
    }),
    update(plugin, 'Parts/C', { Transparency: { Float32: 0.25 } }),
  ];
  const answer = await plugin.write({ updated });
  assert.match(detailsOf(answer), /1 of 3 changes .*Parts\/B: /);
  const text = bridge.disk.text('src/Parts.rbxmx') ?? '';
  assert.match(text, /0\.5/);
  assert.match(text, /0\.25/);
});

for (const model of ['Parts', 'Props'])
  for (const [order, paths] of Object.entries({
    first: [model, `${model}/A`, `${model}/A/Inner`],
    last: [`${model}/A/Inner`, `${model}/A`, `${model}/A`, `${model}/B`, model],
  }))
    test(`removes instances in each other, the outer one ${order}: ${model}`, async () => {
      const { bridge, plugin } = await start();
      await using _ = bridge;
      const answer = await plugin.write({ removed: idsOf(plugin, paths) });
      assert.equal(answer.status, 200, detailsOf(answer));
      assert.ok(!bridge.disk.paths().some(path => path.includes(model)));
    });

for (const model of ['Parts', 'Props'])
  test(`removes an instance and one in it, and keeps those beside them: ${model}`, async () => {
    const { bridge, plugin } = await start();
    await using _ = bridge;
    const removed = idsOf(plugin, [`${model}/A/Inner`, `${model}/A`, `${model}/C`]);
    const updated = [
      update(plugin, `${model}/A`, { Anchored: { Bool: true } }),
      update(plugin, `${model}/B`, { Anchored: { Bool: true } }),
    ];
    const answer = await plugin.write({ removed, updated });
    assert.match(detailsOf(answer), /1 of 5 changes .*4 were written\. .*no longer in the project/);
    await plugin.connect();
    assert.equal(plugin.at(`${model}/B`).ClassName, 'Part');
    assert.throws(() => plugin.at(`${model}/A`));
    assert.throws(() => plugin.at(`${model}/C`));
    assert.match(bridge.disk.text(bridge.disk.paths().find(path => path.includes(model)) ?? '') ?? '', /Anchored/);
  });

test('removes the meta file that two removed scripts share', async () => {
  const { bridge, plugin } = await start({
    'src/Twins/Boot.server.luau': 'print(1)',
    'src/Twins/Boot.client.luau': 'print(2)',
    'src/Twins/Boot.meta.json': '{"properties": {"Tags": ["a"]}}',
  });
  await using _ = bridge;
  const twins = Object.values(plugin.tree.instances).filter(({ Name }) => Name === 'Boot');
  assert.equal((await plugin.write({ removed: twins.map(({ Id }) => Id) })).status, 200);
  assert.deepEqual(
    bridge.disk.paths().filter(path => path.startsWith('src/Twins')),
    ['src/Twins/.gitkeep'],
  );
});

test('plans at most 128 updates of one instance in one request, and records the others', async () => {
  const { bridge, plugin } = await start();
  await using _ = bridge;
  const updated = Array.from({ length: 140 }, (_, index) => source(plugin, 'One', `return "${index}"`));
  const answer = await plugin.write({ updated });
  assert.match(detailsOf(answer), /12 of 140 changes .*128 were written/);
  assert.equal(bridge.disk.text('src/Code/One.luau'), 'return "127"');
  const records = await recordsOf(bridge);
  assert.equal(records.length, 129);
  assert.match(JSON.stringify(records), /return \\"139\\"/);
});

test('refuses an update of a file whose change is being read, and writes the others', async () => {
  const { bridge, plugin } = await start();
  await using _ = bridge;
  const reading = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const read = bridge.disk.readWithStat.bind(bridge.disk);
  bridge.disk.readWithStat = async path => {
    if (path.endsWith('Two.luau')) {
      reading.resolve();
      await gate.promise;
    }
    return read(path);
  };
  bridge.disk.set('src/Code/Two.luau', 'return "disk"');
  await reading.promise;
  const writing = plugin.write({
    updated: ['One', 'Two', 'Three'].map(name => source(plugin, name, `return "Studio ${name}"`)),
  });
  // The write waits until the change is read.
  await new Promise(resolve => setTimeout(resolve, 100));
  gate.resolve();
  const answer = await writing;
  assert.match(detailsOf(answer), /1 of 3 changes .*2 were written\. Code\/Two: /);
  assert.equal(bridge.disk.text('src/Code/Two.luau'), 'return "disk"');
  assert.equal(bridge.disk.text('src/Code/Three.luau'), 'return "Studio Three"');
  const refused = (await recordsOf(bridge)).flatMap(({ items }) => items).filter(({ choice }) => choice === 'skip');
  assert.deepEqual(
    refused.map(({ path, studio }) => [path, studio?.source]),
    [['Code/Two', 'return "Studio Two"']],
  );
});

for (const [text, status] of [
  ['return "disk"', 409],
  ['return "Studio"', 200],
] as const)
  test(`creates no second file when one with ${text} is read before the plan`, async () => {
    const { bridge, plugin } = await start();
    await using _ = bridge;
    beforePlan(bridge.session(), () => bridge.disk.set('src/Code/New.luau', text));
    const module = (name: string) => ({
      parent: plugin.at('Code').Id,
      name,
      className: 'ModuleScript',
      properties: { Source: { String: 'return "Studio"' } },
      children: [],
    });
    const added = { ['ab'.repeat(16)]: module('New'), ['cd'.repeat(16)]: module('Other') };
    const answer = await plugin.write({ added });
    assert.equal(answer.status, status, detailsOf(answer));
    const written = bridge.disk.paths().filter(path => /(New|Other)/.test(path));
    assert.deepEqual(written, ['src/Code/New.luau', 'src/Code/Other.luau']);
    assert.equal(bridge.disk.text('src/Code/New.luau'), text);
    assert.equal(bridge.disk.text('src/Code/Other.luau'), 'return "Studio"');
  });
