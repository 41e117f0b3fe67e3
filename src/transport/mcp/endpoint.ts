import type { IncomingMessage, ServerResponse } from 'node:http';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer, type McpServerDeps } from '../../mcp/server.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import type { ToolRegistry } from '../../mcp/registry.ts';
import type { Random } from '../../ports/random.ts';
import { MAX_BODY_BYTES, MAX_MCP_SESSIONS } from '../../protocol/limits.ts';
import { readJsonBody } from '../http/body.ts';
import type { LoadHttpTransport } from './http-transport.ts';
import { sendJsonRpcError } from './json-rpc-error.ts';
import { McpSessions } from './sessions.ts';

/** The HTTP endpoint for MCP clients: streamable HTTP with one session per `initialize`. */
export interface McpEndpoint {
  /** Handles one request. @param toolset `undefined`: all tools */
  handle(request: IncomingMessage, response: ServerResponse, toolset: string | undefined): Promise<void>;
  /** Number of clients that are connected or sent a request a moment ago. */
  clients(): number;
  /** Closes all sessions and their streams. Aborts the signals of requests in progress. */
  close(): Promise<void>;
}

export interface McpEndpointDeps extends McpServerDeps {
  readonly registry: ToolRegistry;
  readonly random: Random;
  readonly loadTransport: LoadHttpTransport;
  /** Resolves when the tools for a new client are available. */
  readonly beforeOpen?: (toolset: string | undefined) => Promise<void>;
}

export function createMcpEndpoint(deps: McpEndpointDeps): McpEndpoint {
  const sessions = new McpSessions(deps.clock, deps.log, deps.loadTransport);

  return {
    async handle(request, response, toolset) {
      if (request.headers['mcp-session-id'] === undefined) await deps.beforeOpen?.(toolset);
      const view = toolset === undefined ? deps.registry.all : deps.registry.ofToolset(toolset);
      if (view === undefined) return sendJsonRpcError(response, 404, -32_001, `Unknown toolset ${toolset}.`);

      let body: unknown;
      if (request.method === 'POST') {
        const read = await readJsonBody(request, new TimeSlice(deps.clock));
        if (!read.ok && read.error === 'tooLarge') {
          response.setHeader('Connection', 'close');
          return sendJsonRpcError(response, 413, -32_600, `The request exceeds the limit of ${MAX_BODY_BYTES} bytes.`);
        }
        if (!read.ok) return sendJsonRpcError(response, 400, -32_700, 'The body is not valid JSON.');
        body = read.value;
      }

      const given = request.headers['mcp-session-id'];
      if (given === undefined && isInitializeRequest(body)) {
        const id = deps.random.uuid();
        const opened = await sessions.open(id, toolset, onCancelled => createMcpServer(deps, view, onCancelled));
        if (!opened) {
          const reason = `Too many clients are connected (maximum ${MAX_MCP_SESSIONS}). Close one, or wait until one has been idle for 10 minutes.`;
          return sendJsonRpcError(response, 503, -32_000, reason);
        }
        return sessions.handle(id, request, response, body);
      }
      if (given === undefined) return sendJsonRpcError(response, 400, -32_000, 'The header Mcp-Session-Id is missing.');
      const id = String(given);
      if (!sessions.has(id, toolset)) return sendJsonRpcError(response, 404, -32_001, sessions.missingReason(id));
      return sessions.handle(id, request, response, body);
    },
    clients: () => sessions.activeCount(),
    close: () => sessions.closeAll(),
  };
}
