import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instructions, outsideText } from '../../../src/mcp/instructions.ts';
import { plutoTools } from '../../../src/pluto/tools/pluto-catalog.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { loadWorkerToolset as loadPluto } from '../../harness/load-pluto.ts';
import { startBridge } from '../../harness/start-bridge.ts';

const project = { 'default.project.json': '{"name":"game","tree":{"$className":"DataModel"}}' };

test('offers the Pluto tools at the common endpoint and at their own', async () => {
  await using bridge = await startBridge({ ...project, 'a.pluto': 'fn f() {}\n' }, { loadPluto });
  await using all = await connectClient(bridge.mcpUrl, bridge.token);
  const names = (await all.client.listTools()).tools.map(({ name }) => name);
  assert.ok(names.includes('atlas_sync') && names.includes('list_modules'));
  assert.match(all.client.getInstructions() ?? '', /The pluto toolset/);
  await using own = await connectClient(`${bridge.mcpUrl}/pluto`, bridge.token);
  const ownNames = (await own.client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(
    ownNames,
    plutoTools.map(({ listing }) => listing.name),
  );
  const { answer } = await callTool(own.client, 'list_modules');
  assert.deepEqual(answer['result'], [{ path: 'a.pluto', name: 'a', is_dirty: false }]);
});

test('describes only the toolsets of the endpoint to an agent', async () => {
  await using bridge = await startBridge({ ...project, 'a.pluto': 'fn f() {}\n' }, { loadPluto });
  const { sync, docs, pluto } = instructions;
  const expected = {
    '': [sync, docs, pluto],
    '/sync': [sync],
    '/docs': [docs],
    '/pluto': [pluto],
    '/docs+pluto': [docs, pluto],
  };
  for (const [path, texts] of Object.entries(expected)) {
    await using connected = await connectClient(`${bridge.mcpUrl}${path}`, bridge.token);
    assert.equal(connected.client.getInstructions(), [...texts, outsideText].join('\n\n'), path);
  }
});

test('offers no Pluto tools until the project has a module', async () => {
  await using bridge = await startBridge(project, { loadPluto });
  await using before = await connectClient(bridge.mcpUrl, bridge.token);
  assert.equal(
    (await before.client.listTools()).tools.some(({ name }) => name === 'list_modules'),
    false,
  );
  await assert.rejects(connectClient(`${bridge.mcpUrl}/pluto`, bridge.token));
  bridge.disk.set('a.pluto', 'fn f() {}\n');
  await using after = await connectClient(`${bridge.mcpUrl}/pluto`, bridge.token);
  assert.equal((await callTool(after.client, 'check')).answer['success'], true);
});
