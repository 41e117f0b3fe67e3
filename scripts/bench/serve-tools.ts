import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { nodeClock as clock } from '../../src/adapters/node/clock.ts';
import { nodeRandom as random } from '../../src/adapters/node/random.ts';
import { createToolRegistry } from '../../src/mcp/registry.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { startListener } from '../../src/transport/http/listener.ts';
import { createMcpEndpoint } from '../../src/transport/mcp/endpoint.ts';
import { createHttpTransport } from '../../src/transport/mcp/http-transport.ts';
import { createRoutes } from '../../src/transport/routes.ts';

export interface Served extends AsyncDisposable {
  readonly client: Client;
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error: console.error, child: () => silent };

/** Serves `tools` over loopback to an official MCP client, through everything that a tool call passes. */
export async function serveTools<Deps>(tools: readonly Tool<Deps>[], deps: Deps): Promise<Served> {
  const registry = createToolRegistry(tools, deps);
  const endpoint = createMcpEndpoint({
    clock,
    log: silent,
    version: '1',
    registry,
    random,
    loadTransport: async () => createHttpTransport,
  });
  const token = randomUUID();
  const noStudio = { request: async () => {}, upgrade: () => {} };
  const routes = createRoutes(endpoint, noStudio, [token]);
  const listener = await startListener({ preferredPort: 0, routes, clock, log: silent });
  const client = await connectClient(`${listener.url}/mcp`, { Authorization: `Bearer ${token}` });
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await endpoint.close();
      await listener.stop();
    },
  };
}

export async function connectClient(url: string, headers: Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  // The SDK's own transport does not fit its interface under `exactOptionalPropertyTypes`.
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport);
  return client;
}
