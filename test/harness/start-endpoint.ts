import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { nodeRandom } from '../../src/adapters/node/random.ts';
import { createToolRegistry } from '../../src/mcp/registry.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { toolCatalog } from '../../src/app/tool-catalog.ts';
import { refuseUpgrade, type Routes, startListener } from '../../src/transport/http/listener.ts';
import { createMcpEndpoint } from '../../src/transport/mcp/endpoint.ts';
import { createHttpTransport } from '../../src/transport/mcp/http-transport.ts';
import { createRoutes } from '../../src/transport/routes.ts';
import { FakeEngine } from './fake-engine.ts';
import { retrievalOver, rootHost } from './root-host.ts';
import { memoryLog } from './memory-log.ts';

const noStudio: Routes = {
  async request(_request, response) {
    response.writeHead(404).end();
  },
  upgrade: (_request, socket) => refuseUpgrade(socket, 404),
};

/** Starts only the MCP endpoint on loopback, with an engine that the test advances; `clock` drives sessions and tools. */
export async function startEndpoint(clock: Clock = nodeClock) {
  const engine = new FakeEngine();
  const log = memoryLog();
  const token = 'the-token-of-the-test';
  const registry = createToolRegistry(toolCatalog, {
    engine,
    clock,
    hasher: nodeHasher,
    retrieval: retrievalOver({}),
    gitRoots: rootHost().gitRoots,
    runGameTests: async () => ({
      outcome: 'done',
      elapsedMs: 1,
      status: 'passed',
      summary: 'No tests.',
      passed: 0,
      failed: 0,
      skipped: 0,
      tests: [],
    }),
  });
  const loadTransport = async () => createHttpTransport;
  const endpoint = createMcpEndpoint({ clock, log, random: nodeRandom, version: '1.2.3', registry, loadTransport });
  const routes = createRoutes(endpoint, noStudio, [token]);
  const listener = await startListener({ preferredPort: 0, routes, clock: nodeClock, log });
  return {
    engine,
    endpoint,
    log,
    token,
    url: `${listener.url}/mcp`,
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      await listener.stop();
    },
  };
}
