import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { announcedBridges } from '../../../src/adapters/node/announced-bridges.ts';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { mcpWorld, project } from '../../harness/mcp-world.ts';
import { type RunningCli, runCliIn } from '../../harness/run-cli.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const place = { Workspace: { className: 'Workspace' } };
const newClient = (): Client => new Client({ name: 'agent', version: '1' });
const dryRun = async (client: Client): Promise<Record<string, unknown>> =>
  (await callTool(client, 'atlas_sync', { mode: 'dryrun' })).answer;
const originOf = ({ mcpUrl }: { readonly mcpUrl: string }): string => new URL(mcpUrl).origin;

test('shares one bridge and its Studio between two mcp programs of one folder', async () => {
  await using here = await mcpWorld();
  const [first, second] = await Promise.all([here.connect(), here.connect()]);
  await Promise.all([first.listTools(), second.listTools()]);
  const bridges = await announcedBridges(here.state);
  assert.equal(bridges.length, 1);
  await using _studio = await connectFakeStudio(originOf(bridges[0]!), place, {}, await here.studioKey());
  assert.equal((await dryRun(first))['status'], 'empty');
  assert.equal((await dryRun(second))['status'], 'empty');
});

test('takes over the address in another mcp program when the owner of the bridge is killed', async () => {
  await using here = await mcpWorld();
  const first = newClient();
  const owner = await here.start(first, []);
  await first.listTools();
  const [before] = await announcedBridges(here.state);
  assert.equal(before?.owner.pid, owner.pid);
  const second = await here.connect();
  await second.listTools();
  process.kill(before!.owner.pid, 'SIGKILL');
  await until(async () => {
    const [now] = await announcedBridges(here.state);
    return now !== undefined && now.owner.pid !== before!.owner.pid;
  });
  const [after] = await announcedBridges(here.state);
  assert.equal(originOf(after!), originOf(before!), 'Studio finds the bridge at the same address');
  await using _studio = await connectFakeStudio(originOf(after!), place, {}, await here.studioKey());
  assert.equal((await dryRun(second))['status'], 'empty');
});

test('stops the bridge after its last client', async () => {
  await using here = await mcpWorld();
  const client = newClient();
  await here.start(client, []);
  await client.listTools();
  const [bridge] = await announcedBridges(here.state);
  await using other = await connectClient(bridge!.mcpUrl, bridge!.token);
  const closing = client.close();
  assert.equal((await dryRun(other.client))['status'], 'not_connected');
  await other.transport.terminateSession();
  await other[Symbol.asyncDispose]();
  await closing;
  await until(async () => (await announcedBridges(here.state)).length === 0);
});

test('relays from serve to the bridge of another program, and takes over when it ends', async () => {
  await using here = await mcpWorld();
  const client = newClient();
  await here.start(client, []);
  await client.listTools();
  const [own] = await announcedBridges(here.state);
  await using cli = await runCliIn(here.stateHome, 'serve', here.folder, ...here.portArgs, '--json');
  const relay = JSON.parse(await cli.firstLine()) as Record<string, string>;
  assert.deepEqual([relay['relaysTo'], relay['studioUrl']], ['mcp', originOf(own!)]);
  assert.equal((await announcedBridges(here.state)).length, 1);
  const token = (await readFile(relay['tokenFile'] ?? '', 'utf8')).trim();
  await using studio = await connectFakeStudio(originOf(own!), place, {}, await here.studioKey());
  {
    await using connected = await connectClient(relay['mcpUrl'] ?? '', token);
    assert.equal((await dryRun(connected.client))['status'], 'empty');
    const page = await fetch(relay['mcpUrl'] ?? '', { method: 'POST', headers: { Origin: 'http://localhost' } });
    assert.deepEqual([page.status, await page.text()], [403, '']);
    assert.equal((await fetch(relay['mcpUrl'] ?? '', { method: 'POST' })).status, 401);
  }
  await studio[Symbol.asyncDispose]();
  await client.close();
  const taken = await secondLine(cli);
  assert.deepEqual(
    [taken['studioUrl'], taken['mcpUrl'], taken['projectName']],
    [originOf(own!), relay['mcpUrl'], 'harbor'],
  );
  await using connected = await connectClient(relay['mcpUrl'] ?? '', token);
  assert.equal((await dryRun(connected.client))['status'], 'not_connected');
});

test('serves two projects of one folder in two programs, each with its own bridge', async () => {
  await using here = await mcpWorld();
  const other = join(here.folder, 'match.project.json');
  await writeFile(other, JSON.stringify({ name: 'match', tree: { $className: 'DataModel' } }));
  const serve = async (path: string): Promise<RunningCli> =>
    runCliIn(here.stateHome, 'serve', path, '--port', '0', '--json');
  await using first = await serve(here.folder);
  const harbor = JSON.parse(await first.firstLine()) as Record<string, string>;
  await using second = await serve(other);
  const match = JSON.parse(await second.firstLine()) as Record<string, string>;
  assert.deepEqual([harbor['projectName'], match['projectName']], ['harbor', 'match']);
  assert.notEqual(harbor['studioUrl'], match['studioUrl']);
});

test('yields to the bridge of a VS Code window and keeps the address of serve', async () => {
  await using here = await mcpWorld();
  await using cli = await runCliIn(here.stateHome, 'serve', here.folder, '--port', '0', '--json');
  const first = JSON.parse(await cli.firstLine()) as Record<string, string>;
  assert.equal(first['projectName'], 'harbor');
  await using window = await startBridge({ 'default.project.json': JSON.stringify(project) });
  await window.connectStudio(place);
  await using _ = await here.announce(window);
  assert.equal((await secondLine(cli))['relaysTo'], 'vscode');
  const { mcpUrl, tokenFile } = await secondLine(cli);
  await using connected = await connectClient(mcpUrl ?? '', (await readFile(tokenFile ?? '', 'utf8')).trim());
  assert.equal((await dryRun(connected.client))['status'], 'empty');
});

test('loads a project whose $path leaves its folder in serve and mcp', async () => {
  const tree = { $className: 'DataModel', ReplicatedStorage: { $className: 'ReplicatedStorage', $path: '../shared' } };
  await using here = await mcpWorld({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'game/default.project.json': JSON.stringify({ name: 'outside', tree }),
    'shared/Config.luau': 'return {}\n',
  });
  const client = await here.connect();
  const { contents } = await client.readResource({ uri: 'atlas://scripts' });
  assert.match(JSON.stringify(contents), /shared\/Config\.luau/);
  await client.close();
  await using cli = await runCliIn(here.stateHome, 'serve', here.folder, '--port', '0', '--json');
  assert.equal((JSON.parse(await cli.firstLine()) as Record<string, string>)['projectName'], 'outside');
});

test('uses settings of the workspace and of --set in serve and mcp', async () => {
  const settings =
    '{\n  // Of the team.\n  "atlas.overrides.approval": "never",\n  "atlas.sourcemap.autoWrite": true,\n}';
  const tree = { ...project.tree, Workspace: { $className: 'Workspace', Lamp: { $className: 'Part' } } };
  await using here = await mcpWorld({
    'game/.vscode/settings.json': settings,
    'game/default.project.json': JSON.stringify({ ...project, tree }),
  });
  await using cli = await runCliIn(here.stateHome, 'serve', here.folder, '--set', 'port=0', '--json');
  const { mcpUrl, studioUrl, tokenFile } = JSON.parse(await cli.firstLine()) as Record<string, string>;
  await until(async () =>
    (await readFile(join(here.folder, 'sourcemap.json'), 'utf8').catch(() => '')).includes('harbor'),
  );
  await using _studio = await connectFakeStudio(studioUrl ?? '', place, {}, await here.studioKey());
  await using connected = await connectClient(mcpUrl ?? '', (await readFile(tokenFile ?? '', 'utf8')).trim());
  const { changes } = await dryRun(connected.client);
  const [lamp] = changes as readonly { readonly id: string }[];
  const overrides = [{ id: lamp!.id, direction: 'push' }];
  const { answer } = await callTool(connected.client, 'atlas_sync', { mode: 'dryrun', overrides });
  assert.partialDeepStrictEqual(answer, { overrides: [{ verdict: 'declined' }] });
});

async function secondLine(cli: RunningCli): Promise<Record<string, string>> {
  await until(() => cli.out.length > 1);
  return JSON.parse(cli.out[1] ?? '') as Record<string, string>;
}
