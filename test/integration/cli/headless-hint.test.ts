import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { callTool } from '../../harness/mcp-client.ts';
import { mcpWorld } from '../../harness/mcp-world.ts';
import { runCliIn } from '../../harness/run-cli.ts';
import { until } from '../../harness/until.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));

test('connects a Studio when an agent runs the command of the error that none is connected', async () => {
  await using here = await mcpWorld();
  const client = await here.connect();
  const dryRun = async (): Promise<Record<string, unknown>> =>
    (await callTool(client, 'atlas_sync', { mode: 'dryrun' })).answer;
  const { status, error } = await dryRun();
  assert.equal(status, 'not_connected');
  const { message, hint } = error as { readonly message: string; readonly hint: string };
  // As an agent reads it: the command, and the port of the address in the message.
  const command = /atlas-bridge (headless [^,]*),/.exec(hint)?.[1];
  const port = /http:\/\/[^/\s]*:(\d+)/.exec(message)?.[1];
  assert.ok(command !== undefined && port !== undefined, `${message} ${hint}`);
  const args = command.split(' ').map(word => ({ FILE: place, PORT: port })[word] ?? word);
  await using studio = await runCliIn(here.stateHome, ...args);
  const isConnected = async (): Promise<boolean> => (await dryRun())['status'] !== 'not_connected';
  await until(async () => studio.process.exitCode !== null || (await isConnected()));
  assert.equal(studio.process.exitCode, null, studio.err.join('\n'));
  assert.equal((await dryRun())['status'], 'empty');
});
