import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailsOf, type FakePlugin } from '../../harness/fake-plugin.ts';
import { allowUnpaired, startBridge, type TestBridge } from '../../harness/start-bridge.ts';

const COUNT = 500;
const numbers = Array.from({ length: COUNT }, (_, index) => index);
const xml = (names: readonly string[]): string =>
  `<roblox version="4"><Item class="Folder" referent="r"><Properties><string name="Name">Parts</string></Properties>${names
    .map(
      name =>
        `<Item class="Part" referent="${name}"><Properties><string name="Name">${name}</string></Properties></Item>`,
    )
    .join('\n')}</Item></roblox>`;
const files: Readonly<Record<string, string>> = {
  'default.project.json': JSON.stringify({ name: 'Game', tree: { $className: 'Folder', $path: 'src' } }),
  'src/Parts.rbxmx': xml(numbers.map(index => `Part${index}`)),
  'src/Props.model.json': JSON.stringify(
    { className: 'Model', children: numbers.map(index => ({ name: `Part${index}`, className: 'Part' })) },
    null,
    2,
  ),
  'src/Code/.gitkeep': '',
  ...Object.fromEntries(numbers.map(index => [`src/Code/Part${index}.luau`, `return ${index}`])),
  ...Object.fromEntries(numbers.map(index => [`src/Code/Part${index}.meta.json`, '{"properties": {"Tags": ["a"]}}'])),
};

async function start(changed: Readonly<Record<string, string>> = {}) {
  const bridge = await startBridge({ ...files, ...changed }, allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  return { bridge, plugin, counts: countWrites(bridge) };
}

function countWrites({ disk }: TestBridge): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  disk.fault = async (_, path) => void counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

const readsOf = ({ disk }: TestBridge, file: string): number => disk.reads.filter(path => path === file).length;
const idOf = (plugin: FakePlugin, path: string): string => plugin.at(path).Id;
const update = (plugin: FakePlugin, path: string, changedProperties: object) => ({
  id: idOf(plugin, path),
  changedProperties,
});

for (const [name, file] of Object.entries({ Parts: 'src/Parts.rbxmx', Props: 'src/Props.model.json' })) {
  test(`writes a file once when ${COUNT} instances in it are updated: ${name}`, async () => {
    const { bridge, plugin, counts } = await start();
    await using _ = bridge;
    const before = readsOf(bridge, file);
    const updated = numbers.map(index =>
      update(plugin, `${name}/Part${index}`, { Transparency: { Float32: 0.5 }, Anchored: { Bool: true } }),
    );
    const answer = await plugin.write({ updated });
    assert.equal(answer.status, 200, detailsOf(answer));
    assert.deepEqual(Object.fromEntries(counts), { [file]: 1 });
    assert.ok(readsOf(bridge, file) - before < 10, `${readsOf(bridge, file) - before} reads`);
    assert.equal(bridge.disk.text(file)?.match(/Anchored/g)?.length, COUNT);
    assert.equal((await bridge.journal.list()).length, 1);
    assert.equal(plugin.packets.length, 0);
  });

  test(`writes a file once when ${COUNT - 2} instances in it are removed: ${name}`, async () => {
    const { bridge, plugin, counts } = await start();
    await using _ = bridge;
    const removed = numbers.slice(1, -1).map(index => idOf(plugin, `${name}/Part${index}`));
    const answer = await plugin.write({ removed });
    assert.equal(answer.status, 200, detailsOf(answer));
    assert.deepEqual(Object.fromEntries(counts), { [file]: 1 });
    assert.deepEqual(
      bridge.disk
        .text(file)
        ?.match(/Part\d+(?=["<]\/?,?)/g)
        ?.filter((one, at, all) => all.indexOf(one) === at),
      ['Part0', `Part${COUNT - 1}`],
    );
    assert.equal((await bridge.journal.list()).length, 1);
    assert.equal(plugin.packets.length, 0);
  });
}

test('writes each script and meta file once when many are updated or removed', async () => {
  const { bridge, plugin, counts } = await start();
  await using _ = bridge;
  const updated = numbers.map(index =>
    update(plugin, `Code/Part${index}`, { Source: { String: `return -${index}` }, Tags: { Tags: ['b'] } }),
  );
  const answer = await plugin.write({ updated });
  assert.equal(answer.status, 200, detailsOf(answer));
  assert.equal(counts.size, 2 * COUNT);
  assert.ok(Array.from(counts.values()).every(count => count === 1));
  assert.equal(bridge.disk.text('src/Code/Part7.luau'), 'return -7');
  assert.match(bridge.disk.text('src/Code/Part7.meta.json') ?? '', /"b"/);
  assert.equal((await bridge.journal.list()).length, 1);
  const removed = numbers.map(index => idOf(plugin, `Code/Part${index}`));
  assert.equal((await plugin.write({ removed })).status, 200);
  assert.deepEqual(
    bridge.disk.paths().filter(path => path.startsWith('src/Code')),
    ['src/Code/.gitkeep'],
  );
  assert.equal((await bridge.journal.list()).length, 2);
});
