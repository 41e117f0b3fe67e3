import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { toolCatalog } from '../../../src/app/tool-catalog.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { startEndpoint } from '../../harness/start-endpoint.ts';
import { SyncResult } from '../../../src/protocol/sync-result.ts';

const golden = new URL('../../fixtures/mcp/tool-schemas.json', import.meta.url);

/** A schema without texts and without the failure that all answers share. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => key !== 'description' || typeof member !== 'string')
      .map(([key, member]) => [key, shape(member)]),
  );
}

test('[W6] lists the tools of docs/tools.md with the schemas of the snapshot', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  const { tools } = await connected.client.listTools();
  // docs/tools.md is generated from the catalog, and shows its texts.
  const listings = toolCatalog.map(({ listing }) => listing);
  assert.deepEqual(
    tools,
    JSON.parse(JSON.stringify(listings.map(listing => ({ ...listing, outputSchema: undefined })))),
  );
  const outputs: unknown[] = JSON.parse(JSON.stringify(listings.map(({ outputSchema }) => outputSchema['anyOf'])));
  const shapes = outputs.map(output => shape(output) as readonly unknown[]);
  const schemas = tools.map(({ name, inputSchema, annotations }, index) => {
    assert.deepEqual(shapes[index]?.[1], shapes[0]?.[1], `${name} fails like all tools`);
    return { name, inputSchema: shape(inputSchema), outputSchema: shapes[index]?.[0], annotations };
  });
  const text = `${JSON.stringify({ failure: shapes[0]?.[1], tools: schemas }, null, 2)}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(golden, text);
  assert.equal(text, await readFile(golden, 'utf8'), 'UPDATE_GOLDEN=1 rewrites the file; review the difference');
});

test('marks only tools that change nothing as read-only', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  const { tools } = await connected.client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
    [
      ['atlas_diff', true, false],
      ['atlas_sync', false, true],
      ['get_script', true, false],
      ['get_merge', true, false],
      ['operation_get', true, false],
      ['operation_wait', true, false],
      ['sync_history', true, false],
      ['sync_restore', false, true],
      ['run_tests', true, false],
      ['list_dir', true, false],
      ['open_file', true, false],
      ['get_snippet', true, false],
      ['search', true, false],
      ['smart_search', true, false],
      ['roots_list', true, false],
      ['repo_status', true, false],
      ['repo_sync', false, false],
    ],
  );
});

test('FR-011 declares an open world only for repo_sync', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  const { tools } = await connected.client.listTools();
  assert.deepEqual(
    tools.filter(tool => tool.annotations?.openWorldHint !== false).map(tool => tool.name),
    ['repo_sync'],
  );
});

test('answers every status as a result that the output schema allows', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  for (const status of SyncResult.shape.status.options) {
    const listening = server.engine.onStarted(run => run.end({ status }));
    const { answer } = await callTool(connected.client, 'atlas_sync', { mode: 'dryrun' });
    listening[Symbol.dispose]();
    assert.equal(answer['status'], status);
  }
});

test('answers a failure as the output schema allows, with the name of the client', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  const { isError, answer, text } = await callTool(connected.client, 'get_script', { id: 'x' });
  assert.equal(isError, true);
  assert.equal((answer['error'] as { code: string }).code, 'STUDIO_NOT_CONNECTED');
  assert.match(text, /<json>\n\{.*\}\n<\/json>$/s);
  server.engine.onStarted(run => run.end());
  await callTool(connected.client, 'atlas_sync');
  assert.equal(server.engine.runs[0]!.request.requestedBy, 'The test');
});

test('[B4] answers a sentence for an unknown mode', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  const { isError, answer } = await callTool(connected.client, 'atlas_sync', { mode: 'turbo' });
  assert.equal(isError, true);
  assert.equal((answer['error'] as { code: string }).code, 'INVALID_INPUT');
  assert.match(String(answer['summary']), /mode: must be one of: standard, manual, fastfail, dryrun, but is "turbo"/);
});

test('answers a protocol error with the tool names for an unknown tool', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  await assert.rejects(connected.client.callTool({ name: 'nope' }), {
    code: -32602,
    message:
      /Unknown tool nope. Known tools: atlas_diff, atlas_sync, get_script, get_merge, operation_get, operation_wait, sync_history, sync_restore/,
  });
});

test('sends its name and instructions, and answers a ping', async () => {
  await using server = await startEndpoint();
  await using connected = await connectClient(server.url, server.token);
  assert.deepEqual(connected.client.getServerVersion(), {
    name: 'atlas-bridge',
    title: 'Atlas Bridge',
    version: '1.2.3',
  });
  assert.deepEqual(await connected.client.ping(), {});
});
