import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { MCP_EVENT_LIMITS } from '../../protocol/limits.ts';
import type { SessionEvents } from './event-store.ts';

/** Creates the transport of a session. In a separate file, because a window without an MCP client does not need the code. */
export const createHttpTransport = (id: string, events: SessionEvents): StreamableHTTPServerTransport =>
  new StreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: events,
    retryInterval: MCP_EVENT_LIMITS.retryMs,
  });

/** Loads `createHttpTransport` when it is needed. */
export type LoadHttpTransport = () => Promise<typeof createHttpTransport>;
