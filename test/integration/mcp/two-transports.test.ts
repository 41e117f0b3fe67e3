import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { announcedBridges } from '../../../src/adapters/node/announced-bridges.ts';
import type { SyncAnswer } from '../../../src/protocol/sync-page.ts';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { mcpWorld } from '../../harness/mcp-world.ts';
import { until } from '../../harness/until.ts';

const SCRIPTS = 60;
const names = Array.from({ length: SCRIPTS }, (_, index) => `Script${index}`);
const service = 'ReplicatedStorage';
const tree = { $className: 'DataModel', [service]: { $path: 'src' } };
const files = {
  'game/default.project.json': JSON.stringify({ name: 'harbor', tree }),
  ...Object.fromEntries(names.map(name => [`game/src/${name}.luau`, `return "disk ${name}"\n`])),
};
const place = {
  [service]: { className: service },
  ...Object.fromEntries(
    names.map(name => [`${service}/${name}`, { className: 'ModuleScript', source: 'return "Studio"\n' }]),
  ),
};

/** An `atlas-bridge mcp` over stdio whose person answers forms, another client of its bridge over HTTP, and a Studio that differs. */
async function bothTransports(person: () => ElicitResult | Promise<ElicitResult>) {
  await using ends = new AsyncDisposableStack();
  const here = ends.use(await mcpWorld(files));
  const stdio = new Client({ name: 'over-stdio', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  stdio.setRequestHandler(ElicitRequestSchema, person);
  await here.start(stdio, []);
  await stdio.listTools();
  const [bridge = assert.fail()] = await announcedBridges(here.state);
  const http = ends.use(await connectClient(bridge.mcpUrl, bridge.token)).client;
  const { studio } = ends.use(
    await connectFakeStudio(new URL(bridge.mcpUrl).origin, place, {}, await here.studioKey()),
  );
  const owned = ends.move();
  const caller =
    (client: Client) =>
    async (name: string, args: Record<string, unknown> = {}) =>
      (await callTool(client, name, args)).answer as unknown as SyncAnswer;
  return {
    overHttp: caller(http),
    overStdio: caller(stdio),
    stdio,
    studio,
    textOf: (name: string) => readFileSync(join(here.folder, 'src', `${name}.luau`), 'utf8'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('continues over stdio a list that was begun over HTTP, and applies its digest', async () => {
  await using both = await bothTransports(() => ({ action: 'decline' }));
  const { overHttp, overStdio, studio } = both;
  const listed = new Set<string>();
  let page = await overHttp('atlas_diff', { under: service, limit: 25 });
  for (;;) {
    for (const { id } of page.changes) listed.add(id);
    const cursor = page.page?.cursor;
    if (cursor === undefined) break;
    page = await overStdio('atlas_diff', { cursor });
  }
  assert.equal(listed.size, SCRIPTS);
  const { digest = '' } = (await overHttp('atlas_diff', { under: service, limit: 1 })).page ?? {};
  const override = { under: service, direction: 'push', digest };
  const pushed = await overStdio('atlas_sync', { mode: 'fastfail', overrides: [override], limit: 1 });
  assert.equal(pushed.status, 'success', pushed.summary);
  assert.equal(studio.source(`${service}/Script59`), 'return "disk Script59"\n');
  assert.equal((await overHttp('atlas_diff')).status, 'empty');
  const recorded = await overHttp('operation_wait', { operationId: pushed.runId, limit: 5 });
  assert.deepEqual([recorded.page?.total, recorded.changes.length], [SCRIPTS, 5]);
});

test('reads for one client while another one decides, and frees the run when that one cancels', async () => {
  const asked = Promise.withResolvers<void>();
  await using both = await bothTransports(() => {
    asked.resolve();
    return new Promise(() => {});
  });
  const { overHttp, stdio } = both;
  const stop = new AbortController();
  const deciding = stdio.callTool({ name: 'atlas_sync', arguments: { mode: 'manual' } }, undefined, {
    signal: stop.signal,
  });
  await asked.promise;
  const refused = await overHttp('atlas_sync', { mode: 'fastfail' });
  assert.equal(refused.status, 'sync_in_progress');
  assert.equal((await overHttp('atlas_diff', { summary: true })).page?.total, SCRIPTS);
  const script = await overHttp('get_script', { fsPath: 'src/Script1.luau' });
  assert.partialDeepStrictEqual(script, { source: 'return "Studio"\n', running: { phase: 'reviewing' } });
  stop.abort();
  await assert.rejects(deciding);
  await until(async () => (await overHttp('atlas_sync', { mode: 'fastfail' })).status === 'fastfail_unresolved');
  assert.equal(both.textOf('Script1'), 'return "disk Script1"\n');
});
