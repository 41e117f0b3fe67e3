import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailsOf } from '../../harness/fake-plugin.ts';
import { gitStatus } from '../../harness/fake-git.ts';
import { reflection } from '../../harness/reflection.ts';
import { allowUnpaired, startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';
import { readBinaryModel } from '../../../src/roblox/formats/rbxm/read.ts';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';

const harbor = (more: object = {}) => ({
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: {
      $className: 'DataModel',
      ServerScriptService: { $path: 'src' },
      ReplicatedStorage: { $path: 'shared' },
    },
    ...more,
  }),
  'src/Boot.server.luau': 'print(1)\n',
  'src/Dock.luau': 'return {}\n',
  'shared/Crate.model.json': JSON.stringify({ className: 'Part', properties: { Size: [1, 2, 3] } }),
});
const dialects = ['atlas', 'rojo'] as const;

test('sends each plugin the greeting of its dialect', async () => {
  await using bridge = await startBridge(harbor({ servePlaceIds: [1234567890123] }), allowUnpaired());
  const atlas = await bridge.connectPlugin('atlas');
  assert.equal(atlas.info.serverVersion, '8.5.10');
  assert.equal(atlas.info.protocolVersion, 6);
  assert.equal(atlas.info.serverFork, 'atlas');
  assert.equal(atlas.info.syncSourceOnly, true);
  const rojo = await bridge.connectPlugin('rojo');
  assert.equal(rojo.info.protocolVersion, 5);
  assert.equal('serverFork' in rojo.info, false);
  assert.deepEqual(rojo.info.expectedPlaceIds, [1234567890123]);
  assert.equal(rojo.info.sessionId, atlas.info.sessionId);
  assert.deepEqual(rojo.tree, atlas.tree);
});

test('answers no agents on the port of Rojo', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const response = await fetch(`${bridge.rojoUrl()}/mcp`, { headers: { Authorization: `Bearer ${bridge.token}` } });
  assert.equal(response.status, 404);
});

test('opens and closes the port of Rojo in the order of the requests', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const port = Number(new URL(bridge.rojoUrl() ?? '').port);
  const greeting = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/api/rojo`);
  await bridge.serveRojo(undefined);
  await Promise.all([bridge.serveRojo(port), bridge.serveRojo(0)]);
  await assert.rejects(greeting());
  await Promise.all([bridge.serveRojo(0), bridge.serveRojo(port)]);
  assert.equal((await greeting()).status, 200);
  const last = bridge.serveRojo(port);
  await bridge.stop();
  await last;
  await assert.rejects(greeting());
});

test('announces the configured version, else the one that a plugin reported, else the default', async () => {
  let set: string | undefined;
  await using bridge = await startBridge(harbor(), allowUnpaired({ atlasPluginVersion: () => set }));
  const atlas = await bridge.connectPlugin('atlas');
  const version = async () => ((await atlas.get('/api/rojo')).body as { serverVersion: string }).serverVersion;
  assert.equal(await version(), '8.5.10');
  const refused = await atlas.post('/api/syncback', { protocolVersion: 6, serverVersion: '8.6.0', services: [] });
  assert.equal(refused.status, 400);
  assert.match(detailsOf(refused), /does not support replacing the whole project/);
  assert.equal(await version(), '8.6.0');
  await atlas.post('/api/syncback', { protocolVersion: 5, serverVersion: '7.7.0', services: [] });
  assert.equal(await version(), '8.6.0');
  set = '9.0.0-rc.1';
  assert.equal(await version(), '9.0.0-rc.1');
});

for (const dialect of dialects)
  test(`${dialect}: sends a saved file to Studio as one update`, async () => {
    await using bridge = await startBridge(harbor(), allowUnpaired());
    const plugin = await bridge.connectPlugin(dialect);
    await plugin.listen();
    bridge.disk.set('src/Boot.server.luau', 'print(2)\r\n');
    const [message] = await plugin.messages(1);
    const { Id } = plugin.at('ServerScriptService/Boot');
    assert.deepEqual(message, {
      removed: [],
      added: {},
      updated: [
        {
          id: Id,
          changedName: null,
          changedClassName: null,
          changedProperties: { Source: { String: 'print(2)\n' } },
          changedMetadata: null,
        },
      ],
    });
    assert.equal(plugin.packets[0]?.sessionId, bridge.sessionId);
    assert.equal(plugin.packets[0]?.packetType, 'messages');
    assert.equal(plugin.packets[0]?.body.messageCursor, plugin.tree.messageCursor + 1);
  });

test('sends changes to two plugins at once', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const [atlas, rojo] = [await bridge.connectPlugin('atlas'), await bridge.connectPlugin('rojo')];
  await atlas.listen();
  await rojo.listen();
  assert.equal(bridge.liveStudios(), 2);
  bridge.disk.set('src/New.luau', 'return 1');
  assert.deepEqual(await atlas.messages(1), await rojo.messages(1));
  assert.deepEqual(
    Object.values((await rojo.messages(1))[0]!.added).map(({ Name, Parent }) => [Name, Parent]),
    [['New', atlas.at('ServerScriptService').Id]],
  );
});

test('sends missed changes once to a plugin that reconnects at its cursor', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('rojo');
  await plugin.listen();
  plugin.cut();
  await until(() => bridge.liveStudios() === 0);
  bridge.disk.set('src/Boot.server.luau', 'print(2)');
  bridge.disk.delete('src/Dock.luau');
  await bridge.session()!.refresh(new AbortController().signal);
  bridge.disk.set('src/Boot.server.luau', 'print(3)');
  await bridge.session()!.refresh(new AbortController().signal);
  await plugin.listen();
  const messages = await plugin.messages(1);
  assert.deepEqual(messages[0]?.removed, [plugin.at('ServerScriptService/Dock').Id]);
  assert.deepEqual(
    messages[0]?.updated.map(update => update.changedProperties),
    [{ Source: { String: 'print(3)' } }],
  );
  assert.equal(plugin.packets[0]?.body.messageCursor, bridge.session()!.revision());
});

test('refuses an invalid cursor with a reason', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  for (const cursor of ['-1', 'x', '', '4294967296', '1.5'])
    await assert.rejects(plugin.listen(cursor), /400/, `cursor ${cursor}`);
  assert.match(detailsOf(await plugin.get('/api/socket/0')), /requires a WebSocket/);
});

test('reports changed instances and the committed hashes of scripts from git', async () => {
  await using bridge = await startBridge({ ...harbor(), 'src/Secret.luau': '' }, allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  assert.deepEqual(await plugin.get('/api/git-metadata'), { status: 200, body: null });
  bridge.git.answer = gitStatus({
    changed: ['src/Boot.server.luau', 'shared/Crate.model.json'],
    untracked: ['src/Dock.luau'],
    ignored: ['src/Secret.luau'],
    blobs: { 'src/Boot.server.luau': ['a'.repeat(40)] },
  });
  const [boot, crate, dock, secret] = [
    plugin.at('ServerScriptService/Boot').Id,
    plugin.at('ReplicatedStorage/Crate').Id,
    plugin.at('ServerScriptService/Dock').Id,
    plugin.at('ServerScriptService/Secret').Id,
  ];
  const { body } = await plugin.get('/api/git-metadata');
  assert.deepEqual(body, {
    changedIds: [boot, crate, dock, secret],
    scriptCommittedHashes: { [boot]: ['a'.repeat(40)] },
    newFileIds: [dock],
  });
});

const classesOf = (bytes: unknown): readonly string[] => {
  const model = readBinaryModel(bytes as Uint8Array, reflection, nodeInflate);
  assert.ok(model.ok);
  const lines: string[] = [];
  const walk = (of: (typeof model.value.roots)[number], depth: number): void => {
    lines.push(`${'  '.repeat(depth)}${of.className} ${of.name}`);
    for (const child of of.children) walk(child, depth + 1);
  };
  for (const root of model.value.roots) walk(root, 0);
  return lines;
};

test('sends a model with its pivot, as a build writes it', async () => {
  const model = JSON.stringify({ className: 'Model' });
  await using bridge = await startBridge({ ...harbor(), 'shared/Ship.model.json': model }, allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const { body } = await plugin.get(`/api/serialize/${plugin.at('ReplicatedStorage/Ship').Id}`);
  const read = readBinaryModel((body as { modelContents: Uint8Array }).modelContents, reflection, nodeInflate);
  assert.ok(read.ok);
  const ship = read.value.roots[0]?.children[0]?.children[0];
  assert.equal(ship?.className, 'Model');
  assert.deepEqual(ship.properties.get('NeedsPivotMigration'), { type: 'Bool', value: false });
});

test('serializes instances as a model for both plugins', async () => {
  const attachment = JSON.stringify({ className: 'Attachment' });
  await using bridge = await startBridge({ ...harbor(), 'shared/Hook.model.json': attachment }, allowUnpaired());
  const [atlas, rojo] = [await bridge.connectPlugin('atlas'), await bridge.connectPlugin('rojo')];
  const ids = [atlas.at('ReplicatedStorage/Crate').Id, atlas.at('ReplicatedStorage/Hook').Id];
  const byPath = await atlas.get(`/api/serialize/${ids.join(',')}`);
  const byBody = await rojo.post('/api/serialize', { sessionId: rojo.info.sessionId, ids });
  assert.equal(byPath.status, 200);
  assert.deepEqual(byBody, byPath);
  assert.deepEqual(classesOf((byPath.body as { modelContents: Uint8Array }).modelContents), [
    'Folder Folder',
    `  ObjectValue ${ids[0]}`,
    '    Part Crate',
    `  ObjectValue ${ids[1]}`,
    '    Part Part',
    '      Attachment Hook',
  ]);
  const unknown = '1'.repeat(32);
  assert.equal((await atlas.get(`/api/serialize/${unknown}`)).status, 400);
  assert.equal((await rojo.post('/api/serialize', { sessionId: 'other', ids })).status, 400);
  const patch = { removed: [], added: {}, updated: [] };
  assert.deepEqual((await atlas.get(`/api/ref-patch/${ids[0]}`)).body, { sessionId: bridge.sessionId, patch });
  assert.deepEqual((await rojo.post('/api/ref-patch', { sessionId: rojo.info.sessionId, ids })).body, {
    sessionId: bridge.sessionId,
    patch,
  });
});

test('opens scripts in the editor, and no other files', async () => {
  const opened: string[] = [];
  await using bridge = await startBridge(harbor(), {
    ...allowUnpaired(),
    openFile: async path => void opened.push(path),
  });
  const plugin = await bridge.connectPlugin('atlas');
  const open = (id: string) => plugin.post(`/api/open/${id}`, '');
  assert.deepEqual(await open(plugin.at('ServerScriptService/Boot').Id), {
    status: 200,
    body: { sessionId: bridge.sessionId },
  });
  assert.deepEqual(opened, ['src/Boot.server.luau']);
  assert.equal((await open(plugin.at('ReplicatedStorage/Crate').Id)).status, 404);
  assert.equal((await open('1'.repeat(32))).status, 404);
  assert.equal((await open('x')).status, 400);
});

test('compares the tree with the files on request', async () => {
  await using bridge = await startBridge(harbor(), allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  const validate = async () => {
    const { elapsedMs, ...counts } = (await plugin.get('/api/validate-tree')).body as { elapsedMs: number };
    assert.ok(elapsedMs >= 0);
    return counts;
  };
  assert.deepEqual(await validate(), { isFresh: true, added: 0, removed: 0, updated: 0 });
});

/** A scripts-only project. */
const scriptsOnly = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    syncScriptsOnly: true,
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' }, Workspace: { $path: 'world' } },
  }),
  'src/Boot.server.luau': 'print(1)',
  'world/deep/.keep': '',
};

test('shows scripts and their ancestors in a scripts-only project', async () => {
  await using bridge = await startBridge(scriptsOnly, allowUnpaired());
  const plugin = await bridge.connectPlugin('atlas');
  assert.equal(plugin.info.syncScriptsOnly, true);
  assert.deepEqual(
    Object.values(plugin.tree.instances).map(one => [one.Name, Object.keys(one.Properties), one.Metadata]),
    [
      ['harbor', [], { ignoreUnknownInstances: true }],
      ['ServerScriptService', [], { ignoreUnknownInstances: true }],
      ['Boot', Object.keys(plugin.at('ServerScriptService/Boot').Properties), { ignoreUnknownInstances: true }],
    ],
  );
  await plugin.listen();
  bridge.disk.set('world/deep/Crane.luau', 'return 1');
  const [message] = await plugin.messages(1);
  assert.deepEqual(
    Object.values(message!.added).map(one => one.Name),
    ['harbor', 'Workspace', 'deep', 'Crane'],
  );
});
