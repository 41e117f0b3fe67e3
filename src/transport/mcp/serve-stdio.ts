import type { Readable, Writable } from 'node:stream';
import { createMcpServer, type McpServerDeps } from '../../mcp/server.ts';
import type { ToolView } from '../../mcp/registry.ts';
import { adaptLegacyProtocol } from './legacy-protocol.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves one client over two streams until the client closes them or `stop` aborts.
 *
 * @param isLenient whether to accept messages of older clients: incomplete `initialize` requests, and calls that are not JSON-RPC
 */
export async function serveStdio(
  deps: McpServerDeps,
  view: ToolView,
  streams: StdioStreams,
  isLenient: boolean,
  stop: AbortSignal,
): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const transport: StdioTransport = new StdioTransport(
    streams.input,
    streams.output,
    isLenient ? message => adaptLegacyProtocol(message, view, transport, stop) : undefined,
  );
  const server = createMcpServer(deps, view, id => transport.answered(id));
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    resolve();
  };
  await server.connect(transport);
  stop.addEventListener('abort', () => void server.close(), { once: true });
  if (stop.aborted) await server.close();
  await closed;
}
