import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleServices } from '../../../src/protocol/studio/messages.ts';
import { allowUnpaired, startBridge } from '../../harness/start-bridge.ts';

const harbor = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    servePlaceIds: [1234567890123],
    gameId: 7,
    tree: {
      $className: 'DataModel',
      ServerScriptService: { $className: 'ServerScriptService', $path: 'src/server' },
    },
  }),
  'src/server/Boot.server.luau': 'print(1)\r\n',
};

test("answers the greeting of a plugin with the project's details", async () => {
  await using bridge = await startBridge(harbor, allowUnpaired());
  const { status, body } = await bridge.studioGet('/api/rojo');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    sessionId: bridge.sessionId,
    serverVersion: '8.5.10',
    protocolVersion: 6,
    serverFork: 'atlas',
    projectName: 'harbor',
    expectedPlaceIds: [1234567890123],
    gameId: 7,
    rootInstanceId: bridge.session()!.rootId,
    syncSourceOnly: true,
    syncScriptsOnly: false,
    ignoreHiddenServices: true,
    visibleServices: [...visibleServices],
  });
});

test('[W3] sends the tree from its root, with all parents', async () => {
  await using bridge = await startBridge(harbor, allowUnpaired());
  const root = bridge.session()!.rootId;
  const { status, body } = await bridge.studioGet(`/api/read/${root.toUpperCase()},${'1'.repeat(32)}`);
  assert.equal(status, 200);
  const { sessionId, messageCursor, instances } = body as {
    sessionId: string;
    messageCursor: number;
    instances: Record<string, { Id: string; Name: string; Parent: string; Properties: object }>;
  };
  assert.equal(sessionId, bridge.sessionId);
  assert.equal(messageCursor, bridge.session()!.revision());
  const byName = new Map(Object.values(instances).map(instance => [instance.Name, instance]));
  assert.deepEqual([...byName.keys()].sort(), ['Boot', 'ServerScriptService', 'harbor']);
  assert.equal(byName.get('harbor')?.Parent, '0'.repeat(32));
  assert.equal(byName.get('Boot')?.Parent, byName.get('ServerScriptService')?.Id);
  assert.deepEqual((byName.get('Boot')!.Properties as { Source?: unknown }).Source, { String: 'print(1)\n' });
});

test('refuses invalid requests with a reason in msgpack', async () => {
  await using bridge = await startBridge(harbor, allowUnpaired());
  const rows: readonly (readonly [path: string, status: number, kind: string, details: RegExp])[] = [
    ['/api/read/xyz', 400, 'BadRequest', /"xyz" is not a Ref/],
    [`/api/read/${'0'.repeat(33)}`, 400, 'BadRequest', /is not a Ref/],
    ['/api/read/', 400, 'BadRequest', /"" is not a Ref/],
    ['/api/mcp/stream', 400, 'BadRequest', /requires a WebSocket/],
    ['/api/nope', 404, 'NotFound', /nothing at \/api\/nope/],
    ['/api/', 404, 'NotFound', /nothing at/],
    ['/api', 404, 'NotFound', /nothing at/],
    ['/apiary', 404, 'NotFound', /nothing at/],
  ];
  for (const [path, status, kind, details] of rows) {
    const answer = await bridge.studioGet(path);
    assert.equal(answer.status, status, path);
    assert.equal((answer.body as { kind: string }).kind, kind);
    assert.match((answer.body as { details: string }).details, details);
  }
});

test('lists the searched file names to the plugin when there is no project', async () => {
  await using bridge = await startBridge({}, allowUnpaired());
  const { status, body } = await bridge.studioGet('/api/rojo');
  assert.equal(status, 404);
  assert.match((body as { details: string }).details, /no project file in .* default\.project\.json/);
});

test('answers 404 in JSON outside /mcp and /api', async () => {
  await using bridge = await startBridge(harbor, allowUnpaired());
  for (const path of ['/', '/mcpx', '/show-instances', '/.well-known/oauth-protected-resource']) {
    const answer = await fetch(`${bridge.studioUrl}${path}`);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.deepEqual(await answer.json(), { kind: 'NotFound', details: `There is nothing at ${path}.` });
  }
});
