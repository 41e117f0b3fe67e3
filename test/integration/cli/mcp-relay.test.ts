import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProjectGroup } from '../../../src/app/project-group.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { announcedBridges } from '../../../src/adapters/node/announced-bridges.ts';
import type { ReviewSurface } from '../../../src/ports/review-surface.ts';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
import { callTool } from '../../harness/mcp-client.ts';
import { runCli } from '../../harness/run-cli.ts';
import { mcpWorld, project } from '../../harness/mcp-world.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const place = { Workspace: { className: 'Workspace' } };

test("relays tools, prompts and resources of the window's bridge under the client's name", async () => {
  await using here = await mcpWorld();
  await using bridge = await startBridge({ 'default.project.json': JSON.stringify(project) });
  await bridge.connectStudio(place);
  await using _ = await here.announce(bridge);
  const client = await here.connect();

  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'atlas_sync'));
  assert.equal((await client.listPrompts()).prompts.length, 2);
  assert.ok((await client.listResources()).resources.length > 0);
  const { answer } = await callTool(client, 'atlas_sync', { mode: 'dryrun' });
  assert.equal(answer['status'], 'empty', JSON.stringify(answer));
  assert.ok(bridge.engine.find(String(answer['runId'])), 'the run belongs to the bridge of the window');
  await assert.rejects(
    client.getPrompt({ name: 'make-coffee' }),
    /^McpError: (MCP error -32602: ){1,2}Unknown prompt make-coffee/,
  );
});

test('relays the progress of a run to the client, and the cancellation to the run', async () => {
  await using here = await mcpWorld();
  const shown = Promise.withResolvers<void>();
  const reviewSurface: ReviewSurface = { show: async () => shown.resolve() };
  const tree = { ...project.tree, Workspace: { $className: 'Workspace', Lamp: { $className: 'Part' } } };
  const files = { 'default.project.json': JSON.stringify({ ...project, tree }) };
  await using bridge = await startBridge(files, { reviewSurface });
  await bridge.connectStudio(place);
  await using _ = await here.announce(bridge);
  const client = await here.connect();

  const heard: string[] = [];
  const giveUp = new AbortController();
  const onprogress = ({ message = '' }: { message?: string | undefined }): void => void heard.push(message);
  const asked = { name: 'atlas_sync', arguments: { mode: 'manual' } };
  const call = client.callTool(asked, undefined, { signal: giveUp.signal, onprogress });
  await shown.promise;
  await until(() => heard.length > 0);
  const run = bridge.engine.current();
  giveUp.abort('the user has changed their mind');
  await assert.rejects(call);
  assert.equal((await run?.result)?.status, 'cancelled');
  assert.match(heard[0] ?? '', new RegExp(`^Sync run ${run?.runId} is requested`));
});

test('starts a bridge that reads the project in the dialect of --dialect', async () => {
  const named = (name: string) => JSON.stringify({ ...project, name });
  await using here = await mcpWorld({
    'game/default.project.json5': named('Atlas harbor'),
    'game/default.project.json': named('Rojo harbor'),
  });
  for (const [dialect, name] of [
    ['rojo', /Rojo harbor/],
    ['atlas', /Atlas harbor/],
  ] as const) {
    const client = await here.connect('--project', here.folder, '--dialect', dialect);
    const { contents } = await client.readResource({ uri: 'atlas://scripts' });
    assert.match(JSON.stringify(contents), name);
    await client.close();
    await until(async () => (await announcedBridges(here.state)).length === 0);
  }
});

test('starts a bridge when there is none, and switches to a window when it opens', async () => {
  await using here = await mcpWorld();
  const client = await here.connect();
  const alone = await callTool(client, 'atlas_sync', { mode: 'dryrun' });
  assert.equal(alone.answer['status'], 'not_connected');
  const { contents } = await client.readResource({ uri: 'atlas://scripts' });
  assert.match(JSON.stringify(contents), /harbor/, 'the project is the one above the folder');

  await using bridge = await startBridge({ 'default.project.json': JSON.stringify(project) });
  await bridge.connectStudio(place);
  await using _ = await here.announce(bridge);
  const { answer } = await callTool(client, 'atlas_sync', { mode: 'dryrun' });
  assert.equal(answer['status'], 'empty', JSON.stringify(answer));
});

test('reconnects to a reloaded window between two calls without an error', async () => {
  await using here = await mcpWorld();
  const client = await here.connect();
  for (const round of ['first', 'second']) {
    await using bridge = await startBridge({ 'default.project.json': JSON.stringify(project) });
    await bridge.connectStudio(place);
    await using _ = await here.announce(bridge);
    assert.equal((await callTool(client, 'atlas_sync', { mode: 'dryrun' })).answer['status'], 'empty', round);
  }
});

test('reports a lost bridge, and sends the call only once, when the bridge dies during the call', async () => {
  await using here = await mcpWorld();
  await using cli = await runCli('serve', here.folder, '--port', '0', '--json');
  const { studioUrl, mcpUrl, tokenFile } = JSON.parse(await cli.firstLine()) as Record<string, string>;
  assert.ok(studioUrl !== undefined && mcpUrl !== undefined && tokenFile !== undefined);
  await using studio = await connectFakeStudio(studioUrl, place, {}, await cli.studioKey());
  studio.studio.silent.add('compare');
  const token = (await readFile(tokenFile, 'utf8')).trim();
  await using announced = await here.announce({ mcpUrl, token });
  const client = await here.connect();

  const calling = callTool(client, 'atlas_sync', { mode: 'dryrun' });
  await until(() => studio.studio.commands.length > 0);
  await announced[Symbol.asyncDispose]();
  cli.process.kill('SIGKILL');
  const { isError, answer } = await calling;
  assert.deepEqual([isError, (answer['error'] as { code: string }).code], [true, 'BRIDGE_LOST']);
  assert.match(String(answer['summary']), /stopped during atlas_sync/);
  assert.equal((await callTool(client, 'atlas_sync', { mode: 'dryrun' })).answer['status'], 'not_connected');
});

test('removes the announcement of a crashed bridge', async () => {
  await using here = await mcpWorld();
  await using bridge = await startBridge();
  await using _ = await here.announce(bridge);
  const [own] = await announcedBridges(here.state);
  assert.equal(own?.mcpUrl, bridge.mcpUrl);
  const dead = { ...own, owner: { ...own?.owner, pid: 2 ** 22 + 1, instance: 'dead' } };
  await writeFile(join(here.state, 'bridges', 'dead-1.json'), JSON.stringify(dead));
  await writeFile(join(here.state, 'bridges', 'torn-1.json'), '{"folder":');
  assert.equal((await announcedBridges(here.state)).length, 1);
  assert.ok(!(await readdir(join(here.state, 'bridges'))).includes('dead-1.json'));
});

test('reports invalid arguments as usage errors', async () => {
  await using here = await mcpWorld();
  await assert.rejects(here.connect('--toolset', 'coffee'));
});

test('lets an agent choose among the projects of the window', async () => {
  await using here = await mcpWorld();
  const projects = createProjectGroup();
  const serve = async (name: string, file: string) => {
    const files = { [file]: JSON.stringify({ ...project, name }) };
    return startBridge(files, {}, { project: { projectFile: file as ProjectPath }, group: { projects, file } });
  };
  await using lobby = await serve('lobby', 'default.project.json');
  await using match = await serve('match', 'match.project.json');
  const announced = ({ mcpUrl, token, projectsUrl = '' }: TestBridge) => ({ mcpUrl, token, projectsUrl });
  await using _lobby = await here.announce(announced(lobby));
  await using _match = await here.announce({ ...announced(match), projectFile: 'match.project.json' });
  for (const bridge of [lobby, match]) await bridge.connectStudio(place, { studioId: bridge.studioUrl });

  const client = await here.connect();
  const listing = (await client.listTools()).tools.find(({ name }) => name === 'atlas_diff');
  assert.match(JSON.stringify(listing?.inputSchema.properties?.['project']), /"enum":\["lobby","match"\]/);
  const none = (await callTool(client, 'atlas_diff')).answer;
  assert.equal((none['error'] as { code: string }).code, 'PROJECT_AMBIGUOUS');
  const chosen = (await callTool(client, 'atlas_diff', { project: 'match' })).answer;
  assert.deepEqual([chosen['project'], chosen['status']], ['match', 'empty']);
});
