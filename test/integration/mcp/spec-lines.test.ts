import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewSurface } from '../../../src/ports/review-surface.ts';
import { connectClient } from '../../harness/mcp-client.ts';
import { allowUnpaired, startBridge } from '../../harness/start-bridge.ts';
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
interface Answer {
  readonly status: string;
  readonly changes: readonly { readonly id: string; readonly fsPath: string | null; readonly path: string }[];
}
/** The `<json>` block at the end of a text. */
const blockOf = (text: string): Answer => JSON.parse(/<json>\n(.*)\n<\/json>$/s.exec(text)?.[1] ?? 'null') as Answer;
const rejecting: ReviewSurface = { show: async review => review.reject(review.snapshot().revision) };

test('[A3] [A62] [A63] [A64] [A65] sends a call with defaults to Studio, and returns the result', async () => {
  await using bridge = await startBridge(files, { reviewSurface: rejecting });
  const { studio } = await bridge.connectStudio(place);
  const { answer: look } = await bridge.call('atlas_sync', { mode: 'dryrun' });
  const id = String((look as unknown as Answer).changes[0]?.id);
  const overrides = [{ id, direction: 'push', studioHash: '0'.repeat(40), expectedProperties: { Disabled: false } }];
  const failed = await bridge.call('atlas_sync', { mode: 'fastfail', overrides });
  const compares = studio.commands.flatMap(command => (command.type === 'compare' ? [command.overrides] : []));
  assert.deepEqual(compares, [[], overrides]);
  assert.deepEqual((failed.answer['overrides'] as { verdict: string }[])[0]?.verdict, 'hash_mismatch');
  // Only standard and manual ask a person; without a mode, a person was asked.
  assert.equal((await bridge.call('atlas_sync', {})).answer['status'], 'rejected');
});

test('[A7] [G2] lists the inputs of both tools, and explains the workflow in get_script', async () => {
  await using bridge = await startBridge(files);
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const { tools } = await connected.client.listTools();
  const named = new Map(tools.map(tool => [tool.name, tool]));
  const inputs = (name: string): readonly string[] => Object.keys(named.get(name)?.inputSchema.properties ?? {});
  for (const input of ['mode', 'overrides']) assert.ok(inputs('atlas_sync').includes(input), input);
  for (const input of ['id', 'fsPath', 'fromDraft']) assert.ok(inputs('get_script').includes(input), input);
  const description = named.get('get_script')?.description ?? '';
  for (const step of [
    '"mode": "dryrun"',
    '1. atlas_sync {"mode": "fastfail"}',
    '2. get_script',
    '3. Merge',
    '4. atlas_sync {"overrides"',
  ])
    assert.ok(description.includes(step), step);
});

test('[A12] [A14] [A16] lists changes in the <json> block for success, fastfail and rejection', async () => {
  await using bridge = await startBridge(files, { reviewSurface: rejecting });
  await bridge.connectStudio(place);
  const failed = await bridge.call('atlas_sync', { mode: 'fastfail' });
  const rejected = await bridge.call('atlas_sync', { mode: 'manual' });
  const id = String(blockOf(failed.text).changes[0]?.id);
  const done = await bridge.call('atlas_sync', { overrides: [{ id, direction: 'push' }] });
  for (const [call, status, isError] of [
    [failed, 'fastfail_unresolved', true],
    [rejected, 'rejected', true],
    [done, 'success', false],
  ] as const) {
    assert.deepEqual(blockOf(call.text), call.answer);
    assert.deepEqual([blockOf(call.text).status, call.isError], [status, isError]);
    assert.equal(blockOf(call.text).changes[0]?.fsPath, 'src/Boot.server.luau');
  }
});

test('[A19] [A21] has no fsPath only for a change whose id is a GUID of the plugin', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  await bridge.connectLegacy({ ...place, 'ServerScriptService/Extra': { className: 'Script', source: 'print(2)\n' } });
  const { answer } = await bridge.call('atlas_sync', { mode: 'dryrun' });
  const { changes } = answer as unknown as Answer;
  assert.deepEqual(Object.fromEntries(changes.map(({ path, fsPath }) => [path.split('/').at(-1), fsPath])), {
    Boot: 'src/Boot.server.luau',
    Extra: null,
  });
  assert.match(changes.find(({ path }) => path.endsWith('Extra'))?.id ?? '', /^[0-9a-f]{8}-/);
});

test('[G1] [G3] [G6] answers a script with all fields in both forms, and fails without Studio', async () => {
  await using bridge = await startBridge(files);
  const failed = await bridge.call('get_script', { fsPath: 'src/Boot.server.luau' });
  assert.equal(failed.isError, true);
  assert.equal((failed.answer['error'] as { code: string }).code, 'STUDIO_NOT_CONNECTED');
  await bridge.connectStudio(place);
  const { answer, text, isError } = await bridge.call('get_script', { fsPath: 'src/Boot.server.luau' });
  assert.equal(isError, false);
  assert.deepEqual(blockOf(text), answer);
  assert.deepEqual(Object.keys(answer).toSorted(), [
    'at',
    'className',
    'fsPath',
    'id',
    'instancePath',
    'isDraft',
    'source',
    'status',
    'studioHash',
    'summary',
  ]);
});

test('[G4] reads a script during a sync', async () => {
  await using bridge = await startBridge(files);
  const { studio } = await bridge.connectStudio(place);
  studio.stalled.add('compare');
  const run = bridge.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' });
  await until(() => studio.commands.length > 0);
  const { answer } = await bridge.call('get_script', { fsPath: 'src/Boot.server.luau' });
  assert.equal(answer['source'], 'print("studio")\n');
  run.cancel();
  assert.equal((await run.result).status, 'cancelled');
});

test('[G11] refuses a sync and reads scripts when the plugin is in a live session', async () => {
  await using bridge = await startBridge(files, allowUnpaired());
  const studio = await bridge.connectLegacy(place);
  await bridge.call('atlas_sync', { mode: 'dryrun' });
  studio.answer = ({ type }) => (type === 'sync' ? { status: 'already_connected', changes: [] } : undefined);
  assert.equal((await bridge.call('atlas_sync', { mode: 'dryrun' })).isError, true);
  const { answer } = await bridge.call('get_script', { fsPath: 'src/Boot.server.luau' });
  assert.equal(answer['source'], 'print("studio")\n');
});
