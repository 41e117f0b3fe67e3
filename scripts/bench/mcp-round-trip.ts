/** Compares a complete tool call (listener, guard, token, session, registry, validation, result) with the bare SDK, in one process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as z from 'zod';
import { defineTool } from '../../src/mcp/define-tool.ts';
import { median, type Row } from './row.ts';
import { connectClient, type Served, serveTools } from './serve-tools.ts';

const ROUNDS = 600;
const WARM_UP = 100;
const input = z.strictObject({ text: z.string() });
const output = z.object({ text: z.string() });
const about = { title: 'Echo', description: 'Returns its argument.' };

/** Calls are interleaved, so that other load on the machine affects both servers equally. */
export async function mcpRoundTrip(): Promise<readonly Row[]> {
  await using ours = await serveOurs();
  await using bare = await serveBare();
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    for (const which of order) {
      const spent = await timeCall(which === 'ours' ? ours.client : bare.client);
      if (round >= WARM_UP) times[which].push(spent);
    }
  }
  const mine = median(times.ours);
  const theirs = median(times.bare);
  return [
    {
      name: 'MCP round trip against a bare SDK server',
      unit: 'ratio',
      value: mine / theirs,
      runs: ROUNDS,
      limit: 1.3,
      detail: `${mine.toFixed(2)} ms, bare SDK ${theirs.toFixed(2)} ms; medians of ${ROUNDS} interleaved calls`,
    },
  ];
}

async function timeCall(client: Client): Promise<number> {
  const before = performance.now();
  const result = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
  const spent = performance.now() - before;
  if (output.safeParse(result.structuredContent).data?.text !== 'hello')
    throw new Error(`wrong answer: ${JSON.stringify(result)}`);
  return spent;
}

function serveOurs(): Promise<Served> {
  const echo = defineTool({
    ...about,
    name: 'echo',
    toolset: 'sync',
    effect: 'read',
    input,
    output,
    run: async (_deps: object, args) => ({ text: args.text }),
    formatText: ({ text }) => text,
  });
  return serveTools([echo], {});
}

async function serveBare(): Promise<Served> {
  const mcp = new McpServer({ name: 'bare', version: '1' });
  mcp.registerTool('echo', { ...about, inputSchema: input.shape, outputSchema: output.shape }, async ({ text }) => ({
    content: [{ type: 'text', text }],
    structuredContent: { text },
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await mcp.connect(transport as Transport);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const client = await connectClient(`http://127.0.0.1:${port}/mcp`, {});
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await mcp.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
