import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectClient } from '../../harness/mcp-client.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $className: 'ServerScriptService', $path: 'src' } },
  }),
  'src/Boot.server.luau': 'print("disk")\n',
};
const place = {
  ServerScriptService: { className: 'ServerScriptService' },
  'ServerScriptService/Boot': { className: 'Script', source: 'print("studio")\n' },
};

async function textOf(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  assert.ok(content && 'text' in content, uri);
  assert.equal(content.uri, uri);
  return content.text;
}
const jsonOf = async (client: Client, uri: string) => JSON.parse(await textOf(client, uri)) as Record<string, unknown>;

test('reads scripts, pending changes, runs and roots without calling a tool', async () => {
  await using bridge = await startBridge(files);
  await bridge.connectStudio(place);
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const { client } = connected;

  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ['atlas://changes', 'atlas://runs', 'atlas://scripts', 'ui://atlas-bridge/conflict', 'atlas://roots'],
  );
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['atlas://runs/{runId}', 'atlas://scripts/{+fsPath}'],
  );

  const { project, scripts } = await jsonOf(client, 'atlas://scripts');
  assert.equal(project, 'harbor');
  assert.partialDeepStrictEqual(scripts, [
    { fsPath: 'src/Boot.server.luau', className: 'Script', path: 'ServerScriptService/Boot' },
  ]);
  assert.equal(await textOf(client, 'atlas://scripts/src/Boot.server.luau'), 'print("studio")\n');

  assert.equal((await jsonOf(client, 'atlas://changes'))['status'], 'unknown');
  await bridge.call('atlas_sync', { mode: 'dryrun' });
  const pending = await jsonOf(client, 'atlas://changes');
  assert.equal(pending['status'], 'dryrun');
  assert.partialDeepStrictEqual(pending['changes'], [{ path: 'ServerScriptService/Boot', direction: 'unresolved' }]);

  const [change] = pending['changes'] as readonly { id: string }[];
  const done = await bridge.call('atlas_sync', { overrides: [{ id: change?.id, direction: 'push' }] });
  assert.equal(done.answer['status'], 'success', done.text);
  assert.deepEqual((await jsonOf(client, 'atlas://changes'))['changes'], []);
  const { runs } = await jsonOf(client, 'atlas://runs');
  assert.partialDeepStrictEqual(runs, [{ runId: done.answer['runId'], status: 'success', changeCount: 1 }]);
  const run = await jsonOf(client, `atlas://runs/${String(done.answer['runId'])}`);
  assert.partialDeepStrictEqual(run['changes'], [{ path: 'ServerScriptService/Boot', outcome: 'applied' }]);
  assert.deepEqual((await jsonOf(client, 'atlas://roots'))['problems'], []);
});

test('notifies subscribers of a resource until they unsubscribe', async () => {
  await using bridge = await startBridge(files);
  await bridge.connectStudio(place);
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const { client } = connected;
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));

  await client.subscribeResource({ uri: 'atlas://scripts/src/Boot.server.luau' });
  await client.subscribeResource({ uri: 'atlas://changes' });
  bridge.disk.set('src/Boot.server.luau', 'print("moved")\n');
  await until(() => heard.includes('atlas://scripts/src/Boot.server.luau'));
  await client.unsubscribeResource({ uri: 'atlas://scripts/src/Boot.server.luau' });
  heard.length = 0;

  bridge.disk.set('src/Boot.server.luau', 'print("moved on")\n');
  await bridge.call('atlas_sync', { mode: 'dryrun' });
  await until(() => heard.includes('atlas://changes'));
  assert.ok(!heard.includes('atlas://scripts/src/Boot.server.luau'), heard.join(', '));
});

test('answers a sentence for a resource that is missing or cannot be read now', async () => {
  await using bridge = await startBridge(files);
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const { client } = connected;
  await assert.rejects(client.readResource({ uri: 'atlas://moon' }), /Unknown resource atlas:\/\/moon/);
  await assert.rejects(client.readResource({ uri: 'atlas://runs/x' }), { code: -32_002 });
  await assert.rejects(client.readResource({ uri: 'atlas://scripts/%E0%A4%A' }), { code: -32_002 });
  await assert.rejects(client.readResource({ uri: 'atlas://scripts/src/Boot.server.luau' }), /No Roblox Studio/);
});

test('explains the two workflows in prompts, and lists only those of its toolset', async () => {
  await using bridge = await startBridge(files);
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const { client } = connected;
  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['resolve-conflicts', 'review-sync'],
  );
  const { tools } = await client.listTools();
  const known = new Set(tools.map(({ name }) => name));
  for (const { name } of prompts) {
    const { messages } = await client.getPrompt({ name });
    const [message] = messages;
    assert.ok(message?.content.type === 'text');
    const cited = message.content.text.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    const unknown = cited.filter(word => !known.has(word) && !['hash_mismatch', 'review_pending'].includes(word));
    assert.deepEqual(unknown, []);
  }
  const scoped = await client.getPrompt({ name: 'resolve-conflicts', arguments: { path: 'ServerScriptService' } });
  assert.match(JSON.stringify(scoped.messages), /below ServerScriptService/);
  await assert.rejects(client.getPrompt({ name: 'make-coffee' }), /Unknown prompt make-coffee/);

  await using docs = await connectClient(`${bridge.mcpUrl}/docs`, bridge.token);
  assert.equal(docs.client.getServerCapabilities()?.prompts, undefined);
  assert.deepEqual(
    (await docs.client.listResources()).resources.map(({ uri }) => uri),
    ['atlas://roots'],
  );
});

test('offers the conflict card of atlas_sync to clients with MCP Apps', async () => {
  await using bridge = await startBridge(files);
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const { tools } = await connected.client.listTools();
  const withCards = tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta]]));
  assert.deepEqual(withCards, [['atlas_sync', { ui: { resourceUri: 'ui://atlas-bridge/conflict' } }]]);
  const { contents } = await connected.client.readResource({ uri: 'ui://atlas-bridge/conflict' });
  assert.equal(contents[0]?.mimeType, 'text/html;profile=mcp-app');
});
