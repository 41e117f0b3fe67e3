import type { IncomingMessage, ServerResponse } from 'node:http';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer, type McpServerDeps } from '../../mcp/server.ts';
import type { ToolRegistry } from '../../mcp/registry.ts';
import type { Random } from '../../ports/random.ts';
import { MAX_BODY_BYTES } from '../../protocol/limits.ts';
import { readJsonBody } from '../http/body.ts';
import { sendJsonRpcError } from './json-rpc-error.ts';
import { McpSessions } from './sessions.ts';

/** Where MCP clients come in: streamable HTTP with one session per `initialize`. */
export interface McpEndpoint {
  /** @param toolset  `undefined`: all tools */
  handle(request: IncomingMessage, response: ServerResponse, toolset: string | undefined): Promise<void>;
  /** Ends every session: requests in flight see their signal abort, open streams end. */
  close(): Promise<void>;
}

export interface McpEndpointDeps extends McpServerDeps {
  readonly registry: ToolRegistry;
  readonly random: Random;
  /** Resolves when the tools are there that a new client is to see. */
  readonly beforeOpen?: (toolset: string | undefined) => Promise<void>;
}

export function createMcpEndpoint(deps: McpEndpointDeps): McpEndpoint {
  const sessions = new McpSessions(deps.clock, deps.log);

  return {
    async handle(request, response, toolset) {
      if (request.headers['mcp-session-id'] === undefined) await deps.beforeOpen?.(toolset);
      const view = toolset === undefined ? deps.registry.all : deps.registry.ofToolset(toolset);
      if (view === undefined) return sendJsonRpcError(response, 404, -32_001, `There is no toolset ${toolset} here.`);

      let body: unknown;
      if (request.method === 'POST') {
        const read = await readJsonBody(request);
        if (!read.ok && read.error === 'tooLarge') {
          response.setHeader('Connection', 'close');
          return sendJsonRpcError(response, 413, -32_600, `A request may have ${MAX_BODY_BYTES} bytes at most.`);
        }
        if (!read.ok) return sendJsonRpcError(response, 400, -32_700, 'The body is not JSON that can be read.');
        body = read.value;
      }

      const given = request.headers['mcp-session-id'];
      if (given === undefined && isInitializeRequest(body)) {
        const id = deps.random.uuid();
        const opened = await sessions.open(id, toolset, onCancelled => createMcpServer(deps, view, onCancelled));
        if (!opened) return sendJsonRpcError(response, 503, -32_000, 'Too many clients are connected.');
        return sessions.handle(id, request, response, body);
      }
      if (given === undefined) return sendJsonRpcError(response, 400, -32_000, 'The header Mcp-Session-Id is missing.');
      const id = String(given);
      if (!sessions.has(id, toolset))
        return sendJsonRpcError(response, 404, -32_001, 'There is no such session (any more); initialize again.');
      return sessions.handle(id, request, response, body);
    },
    close: () => sessions.closeAll(),
  };
}
