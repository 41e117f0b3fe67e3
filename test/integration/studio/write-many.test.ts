import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalRecord } from '../../../src/protocol/journal/journal-record.ts';
import type { FakePlugin } from '../../harness/fake-plugin.ts';
import { detailsOf } from '../../harness/fake-plugin.ts';
import { allowUnpaired, startBridge, type TestBridge } from '../../harness/start-bridge.ts';

const model =
  '<roblox version="4"><Item class="Folder" referent="r"><Properties><string name="Name">Parts</string></Properties></Item></roblox>';
const files = {
  'default.project.json': JSON.stringify({ name: 'Game', tree: { $className: 'Folder', $path: 'src' } }),
  'src/Map/.gitkeep': '',
  'src/Parts.rbxmx': model,
  'src/Props.model.json': JSON.stringify({ className: 'Model' }),
};

const id = (index: number): string => String(index).padStart(32, 'a');
const instance = (parent: string, name: string, className = 'Folder', properties: object = {}) => ({
  parent,
  name,
  className,
  properties,
  children: [],
});
type Added = ReturnType<typeof instance>;

/** Counts the files that the bridge writes, and how often it writes the same one again. */
function countWrites({ disk }: TestBridge): { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  disk.fault = async (_, path) => void counts.set(path, (counts.get(path) ?? 0) + 1);
  return { counts };
}

async function writeAdded(added: (plugin: FakePlugin) => Record<string, Added>, changed: object = {}) {
  const bridge = await startBridge({ ...files, ...changed }, allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  const { counts } = countWrites(bridge);
  const answer = await plugin.write({ added: added(plugin) });
  return { bridge, plugin, answer, counts };
}

/** Shapes of 10,000 additions: the parent of each entry, by its index. */
const shapes: Readonly<Record<string, (index: number, top: string) => string>> = {
  'of one existing instance': (_, top) => top,
  'of one added instance': (index, top) => (index === 0 ? top : id(0)),
  'in a tree': (index, top) => (index === 0 ? top : id(Math.floor((index - 1) / 10))),
};
const COUNT = 10_000;
for (const [shape, parentOf] of Object.entries(shapes))
  for (const [name, file] of Object.entries({ Parts: 'src/Parts.rbxmx', Props: 'src/Props.model.json' }))
    test(`writes a file once when 10,000 instances ${shape} are added to it: ${name}`, async () => {
      const { bridge, answer, counts } = await writeAdded(plugin =>
        Object.fromEntries(
          Array.from({ length: COUNT }, (_, index) => {
            const parent = parentOf(index, plugin.at(name).Id);
            return [id(index), instance(parent, `Part${index}`, 'Part', { Transparency: { Float32: 0.5 } })];
          }),
        ),
      );
      await using _ = bridge;
      assert.deepEqual(answer, { status: 200, body: { sessionId: bridge.sessionId } });
      assert.deepEqual(Object.fromEntries(counts), { [file]: 1 });
      const reads = bridge.disk.reads.filter(path => path === file).length;
      assert.ok(reads < 10, `${reads} reads`);
      const text = bridge.disk.text(file) ?? '';
      assert.equal(text.match(/Part\d+/g)?.length, COUNT);
      assert.equal((await bridge.journal.list()).length, 1);
    });

test('writes each file once when 2,000 scripts are added to added folders', async () => {
  const scripts = (plugin: FakePlugin): Record<string, Added> => {
    const top = plugin.at('Map').Id;
    const folders = Array.from({ length: 20 }, (_, index) => [id(index), instance(top, `Area${index}`)] as const);
    const leaves = Array.from({ length: 2_000 }, (_, index) => {
      const properties = { Source: { String: `return ${index}` } };
      return [id(100 + index), instance(id(index % 20), `Code${index}`, 'ModuleScript', properties)] as const;
    });
    return Object.fromEntries([...leaves, ...folders]);
  };
  const { bridge, plugin, answer, counts } = await writeAdded(scripts);
  await using _ = bridge;
  assert.equal(answer.status, 200, detailsOf(answer));
  assert.equal(counts.size, 2_000);
  assert.ok(Array.from(counts.values()).every(count => count === 1));
  assert.equal(bridge.disk.text('src/Map/Area7/Code1987.luau'), 'return 1987');
  assert.equal(plugin.packets.length, 0);
});

test('reports one outcome for each added instance, and stages the file of each', async () => {
  const written: string[] = [];
  const bridge = await startBridge(files, allowUnpaired());
  await using _ = bridge;
  const plugin = await bridge.connectPlugin('atlas');
  const source = { Source: { String: 'return 1' } };
  const answer = await plugin.write({
    added: {
      [id(0)]: instance(id(1), 'Code', 'ModuleScript', source),
      [id(1)]: instance(plugin.at('Map').Id, 'Area'),
      [id(2)]: instance(id(1), 'Bad', 'Part', { Size: { Vector3: 'wide' } }),
      [id(3)]: instance(id(2), 'Below', 'Part'),
      [id(4)]: instance(id(9), 'Lost'),
    },
    stageIds: [id(0)],
  });
  written.push(detailsOf(answer));
  assert.match(written.join(), /3 of 5 changes could not be written.*2 were written/);
  assert.match(written.join(), /Map\/Area\/Bad: /);
  assert.match(written.join(), /Below: its parent is not in the project/);
  assert.deepEqual(bridge.git.staged, ['src/Map/Area/Code.luau']);
});

test('compares a second instance of one name with the first one of the same request', async () => {
  const added = (text: string) => (plugin: FakePlugin) => ({
    [id(0)]: instance(plugin.at('Map').Id, 'Area'),
    [id(1)]: instance(id(0), 'Code', 'ModuleScript', { Source: { String: 'return 1' } }),
    [id(2)]: instance(id(0), 'Code', 'ModuleScript', { Source: { String: text } }),
  });
  const same = await writeAdded(added('return 1'));
  await using _ = same.bridge;
  assert.equal(same.answer.status, 200);
  const other = await writeAdded(added('return 2'));
  await using __ = other.bridge;
  assert.match(detailsOf(other.answer), /1 of 3 changes .*Map\/Area\/Code: .*another instance with that name/);
  assert.equal(other.bridge.disk.text('src/Map/Area/Code.luau'), 'return 1');
  const records = (await other.bridge.journal.list()).map(({ record }) => JournalRecord.parse(record));
  assert.match(JSON.stringify(records), /return 2/);
});

test('writes the other instances when one file fails', async () => {
  const bridge = await startBridge(files, allowUnpaired());
  await using _ = bridge;
  const plugin = await bridge.connectPlugin('atlas');
  bridge.disk.fault = async (_write, path) => {
    if (path.includes('Locked')) throw new Error('permission denied');
  };
  const top = plugin.at('Map').Id;
  const source = { Source: { String: 'return 1' } };
  const answer = await plugin.write({
    added: {
      [id(0)]: instance(top, 'First', 'ModuleScript', source),
      [id(1)]: instance(top, 'Locked', 'ModuleScript', source),
      [id(2)]: instance(top, 'Last', 'ModuleScript', source),
    },
  });
  assert.match(detailsOf(answer), /1 of 3 changes .*Map\/Locked: /);
  assert.deepEqual(
    bridge.disk
      .paths()
      .filter(path => path.endsWith('.luau'))
      .toSorted(),
    ['src/Map/First.luau', 'src/Map/Last.luau'],
  );
});

test('writes what is above and beside an instance that no file can hold', async () => {
  const { bridge, answer, counts } = await writeAdded(plugin => ({
    [id(0)]: instance(plugin.at('Map').Id, 'Area'),
    [id(1)]: instance(id(0), 'Pointer', 'ObjectValue', { Value: { Ref: 'f'.repeat(32) } }),
    [id(2)]: instance(id(0), 'Code', 'ModuleScript', { Source: { String: 'return 1' } }),
    [id(3)]: instance(id(1), 'Below'),
  }));
  await using _ = bridge;
  assert.match(detailsOf(answer), /2 of 4 changes .*2 were written\. Map\/Area\/Pointer: .*Below: its parent/);
  assert.equal(bridge.disk.text('src/Map/Area/Code.luau'), 'return 1');
  assert.equal(counts.get('src/Map/Area/Code.luau'), 1);
});
