import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mcpClients } from '../../scripts/set-up/mcp-clients.ts';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { nodeRandom } from '../../src/adapters/node/random.ts';
import { createLogFeed } from '../../src/mcp/log-feed.ts';
import { refuseUpgrade, startListener } from '../../src/transport/http/listener.ts';
import { createMcpEndpoint } from '../../src/transport/mcp/endpoint.ts';
import { createHttpTransport } from '../../src/transport/mcp/http-transport.ts';
import { createRoutes } from '../../src/transport/routes.ts';
import { memoryLog } from '../harness/memory-log.ts';
import { startBridge } from '../harness/start-bridge.ts';
import { fixtureRegistry } from './fixture-view.ts';
import { withToken } from './with-token.ts';

const expected = fileURLToPath(new URL('./expected-failures.yml', import.meta.url));
const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

function runNode(args: readonly string[]) {
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((done, failed) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', chunk => (out += String(chunk)));
    child.stderr.on('data', chunk => (err += String(chunk)));
    child.on('error', failed);
    child.on('close', code => done({ code, out, err }));
  });
}

/** Serves the tools, prompts and resources that the suite calls by name, with Atlas Bridge's server and transport. */
async function startFixture() {
  const { log, onDidLog } = createLogFeed(memoryLog());
  const token = 'the-token-of-the-test';
  const endpoint = createMcpEndpoint({
    clock: nodeClock,
    log,
    random: nodeRandom,
    version: '1.2.3',
    onDidLog,
    loadTransport: async () => createHttpTransport,
    registry: fixtureRegistry(log),
  });
  const noStudio = { request: async () => {}, upgrade: refuse };
  const routes = createRoutes(endpoint, noStudio, [token]);
  const listener = await startListener({ preferredPort: 0, routes, clock: nodeClock, log });
  return {
    url: `${listener.url}/mcp`,
    token,
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      await listener.stop();
    },
  };
}
const refuse = (_request: unknown, socket: Parameters<typeof refuseUpgrade>[0]): void => refuseUpgrade(socket, 404);

test('passes the official suite for all claimed capabilities, and lists the others with reasons', async () => {
  await using fixture = await startFixture();
  await using way = await withToken(fixture.url, fixture.token);
  const { code, out, err } = await runNode([
    mcpClients.conformance,
    'server',
    '--url',
    way.url,
    '--expected-failures',
    expected,
  ]);
  assert.equal(code, 0, `${out}\n${err}`);
  for (const scenario of [
    'server-initialize',
    'tools-call-with-progress',
    'tools-call-with-logging',
    'logging-set-level',
    'completion-complete',
    'tools-call-elicitation',
    'dns-rebinding-protection',
  ])
    assert.match(out, new RegExp(`✓ ${scenario}`));
});

test('passes every scenario without a fixture in the product itself', async () => {
  await using bridge = await startBridge();
  await using way = await withToken(bridge.mcpUrl, bridge.token);
  for (const scenario of [
    'server-initialize',
    'ping',
    'tools-list',
    'prompts-list',
    'resources-list',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-sse-multiple-streams',
    'server-sse-polling',
    'logging-set-level',
    'dns-rebinding-protection',
  ]) {
    const { code, out } = await runNode([mcpClients.conformance, 'server', '--url', way.url, '--scenario', scenario]);
    assert.equal(code, 0, out);
  }
});

test('lists and calls tools for the official inspector through atlas-bridge mcp', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-inspector-'));
  // The inspector passes few of its variables on to the server.
  const state = ['-e', `XDG_STATE_HOME=${join(folder, 'state')}`];
  const inspect = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const command = ['--cli', ...state, process.execPath, cli, 'mcp', '--project', folder];
    const { code, out, err } = await runNode([mcpClients.inspector, ...command, ...args]);
    assert.equal(code, 0, `${out}\n${err}`);
    return JSON.parse(out.slice(0, out.lastIndexOf('}') + 1)) as Record<string, unknown>;
  };
  try {
    await writeFile(join(folder, 'default.project.json'), '{"name":"harbor","tree":{"$className":"DataModel"}}');
    const { tools } = await inspect('--method', 'tools/list');
    assert.ok((tools as { name: string }[]).some(({ name }) => name === 'atlas_sync'));
    const { resources } = await inspect('--method', 'resources/list');
    assert.ok((resources as { uri: string }[]).some(({ uri }) => uri === 'atlas://changes'));
    const { prompts } = await inspect('--method', 'prompts/list');
    assert.ok((prompts as { name: string }[]).some(({ name }) => name === 'resolve-conflicts'));
    const history = await inspect('--method', 'tools/call', '--tool-name', 'sync_history');
    assert.partialDeepStrictEqual(history, { structuredContent: { status: 'success', runs: [] } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
