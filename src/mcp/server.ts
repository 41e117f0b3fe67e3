import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as z from 'zod';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Event } from '../base/emitter.ts';
import { askThroughClient } from './elicitation.ts';
import type { LogEntry } from './log-feed.ts';
import { createProgress } from './progress.ts';
import { serveCompletions } from './serve-completions.ts';
import { serveLogging } from './serve-logging.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import type { ToolView } from './registry.ts';
import type { ToolListing } from './tool.ts';
import { outsideText } from './instructions.ts';

/** Accepts any parameters: with the SDK's schema here, invalid parameters would be reported as internal errors. */
const AnyToolCall = z.object({ method: z.literal('tools/call'), params: z.unknown().optional() });

export interface McpServerDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** The version of Atlas Bridge. */
  readonly version: string;
  /** Called when a client lists the tools, which shows that its connection works. */
  readonly onListed?: (client: string) => void;
  /** The lines of the log, for clients that set a level; `undefined`: clients get none. */
  readonly onDidLog?: Event<LogEntry> | undefined;
}

/**
 * The answer to `tools/list`. Without output schemas, which are two thirds of its size: models do not need them, and answers conform to
 * them anyway (`docs/tools.md`).
 */
export const listTools = (
  view: Pick<ToolView, 'listings' | 'listsOutputSchemas'>,
): (Omit<ToolListing, 'outputSchema'> & Partial<Pick<ToolListing, 'outputSchema'>>)[] =>
  view.listings.map(listing => ({
    name: listing.name,
    title: listing.title,
    description: listing.description,
    inputSchema: listing.inputSchema,
    ...(view.listsOutputSchemas === true && { outputSchema: listing.outputSchema }),
    ...(listing._meta !== undefined && { _meta: listing._meta }),
    annotations: listing.annotations,
  }));

/**
 * Creates the MCP server of one client session, with the tools of `view`. Does not use the tool registration of the SDK, because its
 * messages for invalid arguments are too short.
 *
 * @param onCancelled called when the client cancels a request. The protocol then sends no answer, so the caller must close the stream
 */
export function createMcpServer(deps: McpServerDeps, view: ToolView, onCancelled: (id: RequestId) => void): Server {
  const server = new Server(
    { name: 'atlas-bridge', title: 'Atlas Bridge', version: deps.version },
    {
      capabilities: {
        tools: { listChanged: false },
        ...(deps.onDidLog !== undefined && { logging: {} }),
        ...(view.completers.length > 0 && { completions: {} }),
        ...(view.prompts.length > 0 && { prompts: { listChanged: false } }),
        ...(view.resources.length > 0 && { resources: { subscribe: true, listChanged: false } }),
      },
      instructions: [...view.instructions, outsideText].join('\n\n'),
    },
  );
  if (view.prompts.length > 0) servePrompts(server, view.prompts);
  if (view.resources.length > 0) serveResources(server, view.resources, deps.log);
  if (view.completers.length > 0) serveCompletions(server, view);
  if (deps.onDidLog !== undefined) {
    const logging = serveLogging(server, deps.onDidLog);
    const { onclose } = server;
    server.onclose = () => {
      logging[Symbol.dispose]();
      onclose?.();
    };
  }
  server.onerror = error => deps.log.debug('mcp protocol error', { reason: error.message });

  const clientName = (): string => {
    const client = server.getClientVersion();
    return client?.title ?? client?.name ?? 'an MCP client';
  };
  server.setRequestHandler(ListToolsRequestSchema, () => {
    deps.onListed?.(clientName());
    return { tools: listTools(view) };
  });

  server.setRequestHandler(AnyToolCall, async (request, extra): Promise<CallToolResult> => {
    const { params } = CallToolRequestSchema.parse(request);
    extra.signal.addEventListener('abort', () => onCancelled(extra.requestId), { once: true });
    const token = extra._meta?.progressToken;
    using progress = createProgress(deps.clock, (step, message) => {
      if (token === undefined || extra.signal.aborted) return;
      extra
        .sendNotification({
          method: 'notifications/progress',
          params: { progressToken: token, progress: step, message },
        })
        .catch((error: unknown) => deps.log.debug('could not send progress to the client', { reason: String(error) }));
    });
    const startedAt = deps.clock.now();
    const answer = view.call(params.name, params.arguments, {
      signal: extra.signal,
      requestedBy: clientName(),
      onDefect: error => deps.log.error('tool failed', error, { tool: params.name }),
      client: server,
      ask: askThroughClient(server, extra),
      progress: token === undefined ? undefined : message => progress.report(message),
    });
    if (answer === undefined) {
      const known = view.listings.map(listing => listing.name).join(', ');
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}. Known tools: ${known}.`);
    }
    const result = await answer;
    deps.log.debug('tool call', {
      tool: params.name,
      isError: result.isError,
      cancelled: extra.signal.aborted,
      ms: Math.round(deps.clock.now() - startedAt),
    });
    return { ...result, content: [...result.content] };
  });
  return server;
}
