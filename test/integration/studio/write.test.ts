import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalRecord } from '../../../src/protocol/journal/journal-record.ts';
import { encodeMsgpack } from '../../../src/protocol/msgpack/encode.ts';
import { type Answered, detailsOf, luauTable } from '../../harness/fake-plugin.ts';
import { allowUnpaired, startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';
import { reasonText } from '../../../src/protocol/reason.ts';
import { recordedDiffs } from '../../../src/sync/history/recorded-diffs.ts';
import { CountingSlice } from '../../harness/counting-slice.ts';

const harbor = (files: Record<string, string> = {}, more: object = {}) => ({
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' }, ReplicatedStorage: { $path: 'shared' } },
    ...more,
  }),
  'src/Boot.server.luau': 'print(1)\r\nprint(2)\r\n',
  'src/Dock.luau': 'return {}\n',
  'shared/Crate.model.json': JSON.stringify({ className: 'Part', properties: { Size: [1, 2, 3] } }),
  ...files,
});
const temporary = 'ab'.repeat(16);
const ok = (bridge: { readonly sessionId: string }): Answered => ({
  status: 200,
  body: { sessionId: bridge.sessionId },
});

test('writes Source from Studio before answering, and keeps the line ends of the file', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  for (const dialect of ['atlas', 'rojo'] as const) {
    const plugin = await bridge.connectPlugin(dialect);
    await plugin.listen();
    const text = `print('${dialect}')\nprint(2)\n`;
    assert.deepEqual(await plugin.writeSource('ServerScriptService/Boot', text), ok(bridge));
    assert.equal(bridge.disk.text('src/Boot.server.luau'), text.replaceAll('\n', '\r\n'));
    await plugin[Symbol.asyncDispose]();
    await until(() => bridge.liveStudios() === 0);
  }
});

test('confirms a text with CRLF from Studio, and writes it with the line ends of the file', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const failures: string[] = [];
  bridge.onDidFailWrite(({ outcomes }) => failures.push(...outcomes.map(one => `${one.what}: ${one.outcome}`)));
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  const text = 'return {\r\n}\r\n';
  assert.deepEqual(await plugin.writeSource('ServerScriptService/Dock', text), ok(bridge));
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return {\n}\n');
  const before = bridge.disk.text('src/Dock.luau');
  assert.deepEqual(await plugin.writeSource('ServerScriptService/Dock', text), ok(bridge));
  assert.equal(bridge.disk.text('src/Dock.luau'), before);
  assert.deepEqual(failures, []);
});

test('sends an edit to every Studio except its author', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const [atlas, rojo] = [await bridge.connectPlugin('atlas'), await bridge.connectPlugin('rojo')];
  await atlas.listen();
  await rojo.listen();
  await atlas.writeSource('ServerScriptService/Dock', 'return 1\n');
  const [message] = await rojo.messages(1);
  assert.deepEqual(message?.updated[0]?.changedProperties, { Source: { String: 'return 1\n' } });
  bridge.disk.set('src/Boot.server.luau', 'print(3)');
  const received = await atlas.messages(1);
  assert.deepEqual(
    received.flatMap(one => one.updated.map(update => update.id)),
    [atlas.at('ServerScriptService/Boot').Id],
  );
});

test('writes many successive edits of one script', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => plugin.writeSource('ServerScriptService/Dock', `return ${n}\n`)),
  );
  assert.ok(answers.every(answer => answer.status === 200));
  assert.match(bridge.disk.text('src/Dock.luau') ?? '', /^return \d+\n$/);
  assert.equal(plugin.packets.length, 0);
});

test('refuses and reports an edit of a file that changed on disk unnoticed', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const failures: string[] = [];
  bridge.onDidFailWrite(({ outcomes }) => failures.push(...outcomes.map(one => `${one.what}: ${one.outcome}`)));
  const plugin = await bridge.connectPlugin('atlas');
  bridge.disk.set('src/Dock.luau', 'return "disk"\n');
  await bridge.session()!.refresh(new AbortController().signal);
  const refused = await plugin.writeSource('ServerScriptService/Dock', 'return "Studio"\n');
  assert.equal(refused.status, 409);
  assert.match(
    detailsOf(refused),
    /1 of 1 change could not be written.*ServerScriptService\/Dock: its file changed on disk/,
  );
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return "disk"\n');
  assert.deepEqual(failures, ['ServerScriptService/Dock: conflict']);
  const [entry] = await bridge.journal.list();
  assert.match(JSON.stringify(entry?.record), /return \\"Studio\\"/);
});

test('refuses an edit of a changed file that the plugin has not received', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  bridge.disk.set('src/Dock.luau', 'return "disk"\n');
  assert.equal((await plugin.writeSource('ServerScriptService/Dock', 'return "Studio"\n')).status, 409);
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return "disk"\n');
});

for (const dialect of ['atlas', 'rojo'] as const) {
  test(`refuses an edit of a file whose change is not noticed yet: ${dialect}`, async () => {
    const silent = { watch: () => ({ [Symbol.dispose]: () => undefined }) };
    await using bridge = await startBridge(harbor(), { ...allowUnpaired(), watcher: silent });
    const plugin = await bridge.connectPlugin(dialect);
    await plugin.listen();
    bridge.disk.set('src/Dock.luau', 'return "disk"\n');
    assert.equal((await plugin.writeSource('ServerScriptService/Dock', 'return "Studio"\n')).status, 409);
    assert.equal(bridge.disk.text('src/Dock.luau'), 'return "disk"\n');
  });

  test(`refuses an edit of the text before a patch that Studio does not acknowledge: ${dialect}`, async () => {
    await using bridge = await startBridge(harbor(), allowUnpaired());
    const plugin = await bridge.connectPlugin(dialect);
    await plugin.listen();
    bridge.disk.set('src/Dock.luau', 'return "disk"\n');
    await plugin.messages(1);
    assert.equal((await plugin.writeSource('ServerScriptService/Dock', 'return "Studio"\n')).status, 409);
    assert.equal(bridge.disk.text('src/Dock.luau'), 'return "disk"\n');
  });
}

test('accepts an edit that disk already has', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  bridge.disk.set('src/Dock.luau', 'return 7\n');
  await bridge.session()!.refresh(new AbortController().signal);
  assert.deepEqual(await plugin.writeSource('ServerScriptService/Dock', 'return 7\n'), ok(bridge));
});

test('records every replaced text of successive edits', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  for (const text of ['return 1\n', 'return 2\n', 'return 3\n'])
    await plugin.writeSource('ServerScriptService/Dock', text);
  const entries = await bridge.journal.list();
  const replaced = entries.map(async ({ runId, record }) => {
    const blob = JournalRecord.parse(record).items[0]?.files[0]?.blob;
    return new TextDecoder().decode(await bridge.journal.readBlob(runId, blob ?? assert.fail()));
  });
  assert.deepEqual((await Promise.all(replaced)).toSorted(), ['return 1\n', 'return 2\n', 'return {}\n']);
});

test('writes the other items when one fails, and names the failed one', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const source = (path: string, value: unknown) => ({ id: plugin.at(path).Id, changedProperties: { Source: value } });
  const body = {
    sessionId: bridge.sessionId,
    removed: [],
    updated: [
      source('ServerScriptService/Boot', { String: new Uint8Array([0xff, 0xfe]) }),
      { id: '1'.repeat(32), changedProperties: { Source: { String: '' } } },
      { id: 7 },
      source('ServerScriptService/Dock', { String: 'return 9\n' }),
    ],
  };
  const answer = await plugin.postBytes('/api/write', encodeMsgpack(luauTable(body)));
  assert.equal(answer.status, 409);
  assert.match(detailsOf(answer), /^3 of 4 changes could not be written to disk; 1 was written\./);
  assert.match(detailsOf(answer), /Boot: its Source in Studio is not valid UTF-8/);
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return 9\n');
});

test('rejects a request that is not a write', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  assert.match(detailsOf(await plugin.postBytes('/api/write', new Uint8Array([0xc1]))), /is not valid msgpack/);
  assert.match(detailsOf(await plugin.postBytes('/api/write', new Uint8Array())), /is not valid msgpack/);
  assert.match(detailsOf(await plugin.post('/api/write', { updated: [] })), /Invalid body/);
  assert.match(detailsOf(await plugin.post('/api/write', { sessionId: 'old' })), /session has ended/);
});

test('reads values correctly that the Luau encoder changes', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const { Id } = plugin.at('ReplicatedStorage/Crate');
  // A whole float arrives as an integer, an empty map as an empty list.
  const changedProperties = { Transparency: { Float32: 1 }, Attributes: { Attributes: {} }, Tags: { Tags: [] } };
  assert.deepEqual(await plugin.write({ updated: [{ id: Id, changedProperties }] }), ok(bridge));
  assert.deepEqual(JSON.parse(bridge.disk.text('shared/Crate.model.json') ?? '').properties, {
    Size: [1, 2, 3],
    Transparency: 1,
  });
});

test('records the new content of a file beside the replaced one, whatever kind of file it is', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const before = bridge.disk.text('shared/Crate.model.json');
  const { Id } = plugin.at('ReplicatedStorage/Crate');
  await plugin.write({ updated: [{ id: Id, changedProperties: { Transparency: { Float32: 1 } } }] });
  const [entry] = await bridge.journal.list();
  const diffs = await recordedDiffs(bridge.journal, () => undefined, entry?.runId ?? '', new CountingSlice());
  const after = bridge.disk.text('shared/Crate.model.json');
  assert.deepEqual(
    diffs.map(diff => [diff.path, diff.before, diff.after]),
    [['shared/Crate.model.json', before, after]],
  );
});

test('deletes only the files of an instance that was deleted in Studio', async () => {
  await using bridge = await startBridge(
    harbor({ 'src/Deck/init.luau': 'return 1', 'src/Deck/Plank.luau': 'return 2' }),
    allowUnpaired(),
  );
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  const removed = [plugin.at('ServerScriptService/Deck').Id, '1'.repeat(32)];
  assert.deepEqual(await plugin.write({ removed }), ok(bridge));
  assert.deepEqual(bridge.disk.paths(), [
    'default.project.json',
    'shared/Crate.model.json',
    'src/Boot.server.luau',
    'src/Dock.luau',
  ]);
});

test("ignores deletions and properties except Source from Rojo's plugin, as its own server does", async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const failures: string[] = [];
  bridge.onDidFailWrite(({ outcomes }) =>
    failures.push(...outcomes.map(one => `${one.outcome} ${one.reason && reasonText(one.reason)}`)),
  );
  const plugin = await bridge.connectPlugin('rojo');
  const before = bridge.disk.paths();
  const update = { id: plugin.at('ReplicatedStorage/Crate').Id, changedProperties: { Transparency: { Float32: 1 } } };
  const body = { removed: [plugin.at('ServerScriptService/Dock').Id], updated: [update] };
  assert.deepEqual(await plugin.write(body), ok(bridge));
  assert.deepEqual(bridge.disk.paths(), before);
  assert.deepEqual(failures, ['skipped it was removed in Studio; delete its file to match']);
});

test('creates files for a Studio-only instance, and does not send it back to its author', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const [atlas, rojo] = [await bridge.connectPlugin('atlas'), await bridge.connectPlugin('rojo')];
  await atlas.listen();
  await rojo.listen();
  const shop = {
    parent: atlas.at('ReplicatedStorage').Id,
    name: 'Shop',
    className: 'Folder',
    properties: {},
    children: [
      { name: 'Till', className: 'ModuleScript', properties: { Source: { String: 'return 5' } }, children: [] },
    ],
  };
  assert.deepEqual(await atlas.write({ added: { [temporary]: shop } }), ok(bridge));
  assert.match(JSON.stringify((await bridge.journal.list())[0]?.record), /"files":\[\{"path":"[^"]+","blob":null\}/);
  assert.equal(bridge.disk.text('shared/Shop/Till.luau'), 'return 5');
  const [message] = await rojo.messages(1);
  assert.deepEqual(
    Object.values(message!.added)
      .map(one => one.Name)
      .sort(),
    ['Shop', 'Till'],
  );
  assert.equal(atlas.packets.length, 0);
});

test('does not replace an instance on disk by another one with the same name', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const dock = (text: string) => ({
    [temporary]: {
      parent: plugin.at('ServerScriptService').Id,
      name: 'Dock',
      className: 'ModuleScript',
      properties: { Source: { String: text } },
      children: [],
    },
  });
  const other = await plugin.write({ added: dock('return "another"') });
  assert.equal(other.status, 409);
  assert.match(detailsOf(other), /another instance with that name on disk/);
  assert.deepEqual(await plugin.write({ added: dock('return {}\n') }), ok(bridge));
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return {}\n');
});

test('fails only the instance whose parent is unknown', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const lost = { parent: '1'.repeat(32), name: 'Lost', className: 'Folder', properties: {}, children: [] };
  assert.match(
    detailsOf(await plugin.write({ added: { [temporary]: lost } })),
    /Lost: its parent is not in the project/,
  );
});

test('creates a chain of added instances that names each parent after its child', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const id = (index: number): string => String(index).padStart(32, 'a');
  const parentOf = (index: number): string => (index === 0 ? plugin.at('ReplicatedStorage').Id : id(index - 1));
  const added = Array.from({ length: 20 }, (_, index) => [
    id(index),
    { parent: parentOf(index), name: `Level${index}`, className: 'Folder', properties: {}, children: [] },
  ]).toReversed();
  const circle = { parent: id(99), name: 'Circle', className: 'Folder', properties: {}, children: [] };
  const answer = await plugin.write({ added: Object.fromEntries([...added, [id(99), circle]]) });
  assert.match(detailsOf(answer), /1 of 21 changes .*20 were written\. Circle: its parent is not in the project/);
  assert.ok(bridge.disk.paths().some(path => path.includes('Level0/Level1/Level2/')));
});

test('creates an instance whose name is longer than a file name, and cuts names in errors', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('rojo');
  const atlas = await bridge.connectPlugin('atlas');
  const parent = atlas.at('ReplicatedStorage').Id;
  const long = (length: number, above = parent) => ({
    parent: above,
    name: 'x'.repeat(length),
    className: 'Folder',
    properties: {},
    children: [],
  });
  assert.deepEqual(await atlas.write({ added: { [temporary]: long(5000) } }), ok(bridge));
  await atlas.connect();
  assert.equal(atlas.at(`ReplicatedStorage/${'x'.repeat(5000)}`).ClassName, 'Folder');
  assert.ok(detailsOf(await plugin.write({ added: { [temporary]: long(9000, '1'.repeat(32)) } })).length < 500);
  assert.match(detailsOf(await plugin.write({ added: { [temporary]: long(10_001) } })), /invalid instance/);
});

test('logs the properties that the plugin omits from an instance', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const label = {
    parent: plugin.at('ReplicatedStorage').Id,
    name: 'Label',
    className: 'StringValue',
    properties: {},
    children: [],
  };
  assert.deepEqual(await plugin.write({ added: { [temporary]: label } }), ok(bridge));
  assert.ok(bridge.log.lines.some(line => /did not send all properties.*StringValue\.Value of Label/.test(line)));
});

test('[S33] maps bare containers to those on disk in a scripts-only project, and sends new ids', async () => {
  const files = { 'src/deep/.keep': '' };
  await using bridge = await startBridge(harbor(files, { syncScriptsOnly: true }), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  const added = {
    [temporary]: {
      parent: 'cd'.repeat(16),
      name: 'Crane',
      className: 'ModuleScript',
      properties: { Source: { String: 'return 1' } },
      children: [],
    },
    ['cd'.repeat(16)]: {
      parent: plugin.at('ServerScriptService').Id,
      name: 'deep',
      className: 'Folder',
      properties: {},
      children: [],
    },
  };
  assert.deepEqual(await plugin.write({ added }), ok(bridge));
  assert.equal(bridge.disk.text('src/deep/Crane.luau'), 'return 1');
  const [message] = await plugin.messages(1);
  assert.ok(Object.values(message!.added).some(one => one.Name === 'Crane'));
});

test('stages pushed files by their ids, and skips unknown ids', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const stageIds = [plugin.at('ServerScriptService/Dock').Id, '2F9A6C1E-33B4-4E4B-9A77-000000000001', 'ef'.repeat(16)];
  assert.deepEqual(await plugin.write({ stageIds }), ok(bridge));
  assert.deepEqual(bridge.git.staged, ['src/Dock.luau']);
});

test('keeps the file of a script that is renamed or changes class, and reports it', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const failures: string[] = [];
  bridge.onDidFailWrite(({ outcomes }) =>
    failures.push(...outcomes.map(one => `${one.outcome} ${one.reason && reasonText(one.reason)}`)),
  );
  const renamed = 'it was renamed to "Pier" in Studio; rename its file to match';
  const changed = 'its class changed to Script in Studio; change its file to match';
  const updates = (id: string) => [
    { id, changedName: 'Pier', changedProperties: {} },
    { id, changedClassName: 'Script', changedProperties: {} },
  ];
  const rojo = await bridge.connectPlugin('rojo');
  assert.deepEqual(await rojo.write({ updated: updates(rojo.at('ServerScriptService/Dock').Id) }), ok(bridge));
  const atlas = await bridge.connectPlugin('atlas');
  const refused = await atlas.write({ updated: updates(atlas.at('ServerScriptService/Dock').Id) });
  assert.equal(refused.status, 409);
  assert.ok(detailsOf(refused).includes(renamed) && detailsOf(refused).includes(changed), detailsOf(refused));
  const both = [`skipped ${renamed}`, `skipped ${changed}`];
  assert.deepEqual(failures, [...both, ...both]);
  assert.deepEqual(bridge.disk.text('src/Dock.luau'), 'return {}\n');
});

test('reports an edit that cannot be written to disk', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  bridge.disk.fault = () => {
    throw new Error('the disk is full');
  };
  const answer = await plugin.writeSource('ServerScriptService/Dock', 'return 1');
  assert.equal(answer.status, 409);
  assert.match(detailsOf(answer), /the disk is full/);
});
