import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInitializeRequest, type RequestId, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import {
  MAX_MCP_SESSIONS,
  MCP_EVENT_LIMITS,
  MCP_SESSION_ACTIVE_MS,
  MCP_SESSION_EVICTABLE_MS,
  MCP_SESSION_IDLE_MS,
} from '../../protocol/limits.ts';
import { SessionEvents, STANDALONE_STREAM } from './event-store.ts';
import type { LoadHttpTransport } from './http-transport.ts';
import { sendJsonRpcError } from './json-rpc-error.ts';

/** The session of one client: its MCP server, addressed by session id and toolset. */
interface McpSession {
  readonly toolset: string | undefined;
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
  readonly events: SessionEvents;
  /** The protocol version that the client asked for in `initialize`. */
  version: string;
  /** Whether the client has opened its standalone stream, which it keeps open while it runs. */
  hasOpenedStream: boolean;
  /** Number of open requests and streams. */
  inUse: number;
  /** `Clock.now()` at the end of the last request. */
  usedAt: number;
  cancelIdleTimer: () => void;
}

/** The requests of the HTTP request that is being handled. */
const openingRequests = new AsyncLocalStorage<readonly RequestId[]>();

const VERSION_HEADER = 'mcp-protocol-version';

/** Clients of older versions fail on an event without data. */
const hasPriming = (request: IncomingMessage): boolean => String(request.headers[VERSION_HEADER] ?? '') >= '2025-11-25';

/**
 * Gives the request the version of its session if its header names an older one. The SDK reads the header alone to decide whether a stream can
 * be resumed, and some clients send the same old version always.
 */
function keepVersion(version: string, request: IncomingMessage): void {
  const given = request.headers[VERSION_HEADER];
  if (typeof given !== 'string' || given >= version || !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(given)) return;
  request.headers[VERSION_HEADER] = version;
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === VERSION_HEADER);
  request.rawHeaders[at + 1] = version;
}

/** Number of evicted sessions whose clients get the reason. */
const MAX_REMEMBERED = 100;

/** The sessions of all MCP clients: at most `MAX_MCP_SESSIONS`. A session closes `MCP_SESSION_IDLE_MS` after its last request. */
export class McpSessions {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #loadTransport: LoadHttpTransport;
  readonly #sessions = new Map<string, McpSession>();
  readonly #evicted = new Set<string>();

  constructor(clock: Clock, log: Logger, loadTransport: LoadHttpTransport) {
    this.#clock = clock;
    this.#log = log;
    this.#loadTransport = loadTransport;
  }

  has(id: string, toolset: string | undefined): boolean {
    const session = this.#sessions.get(id);
    return session !== undefined && session.toolset === toolset;
  }

  /** Why there is no session `id`, for its client. */
  missingReason(id: string): string {
    return this.#evicted.has(id)
      ? `The session was closed: it was idle, and another client needed one of ${MAX_MCP_SESSIONS} places. Initialize again.`
      : 'The session does not exist or has expired. Initialize again.';
  }

  /**
   * Opens the session `id`; `connect` creates its server. If the limit is reached, closes the session that has been idle longest, if its
   * client seems to have ended. Returns `false` if there is none: a client that may still run is never closed.
   */
  async open(
    id: string,
    toolset: string | undefined,
    connect: (onCancelled: (request: RequestId) => void) => Server,
  ): Promise<boolean> {
    const createTransport = await this.#loadTransport();
    if (this.#sessions.size >= MAX_MCP_SESSIONS && !this.#evictLongestIdle()) return false;
    const events = new SessionEvents(() => openingRequests.getStore());
    const transport = createTransport(id, events);
    const server = connect(request => {
      events.forgetRequest(request);
      transport.closeSSEStream(request);
    });
    const session = {
      toolset,
      events,
      version: '',
      hasOpenedStream: false,
      transport,
      server,
      inUse: 0,
      usedAt: this.#clock.now(),
      cancelIdleTimer: (): void => {},
    };
    this.#sessions.set(id, session);
    transport.onclose = () => this.#forget(id);
    // Cast, because the accessors of the SDK's transport may return `undefined`, which `exactOptionalPropertyTypes` rejects.
    await server.connect(transport as Transport);
    return true;
  }

  /** Lets the session handle a request. Closes the session if its first request did not initialize it. */
  async handle(id: string, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    session.inUse += 1;
    if (request.method === 'GET') session.hasOpenedStream = true;
    session.cancelIdleTimer();
    response.once('close', () => this.#release(id, session));
    if (isInitializeRequest(body)) session.version = body.params.protocolVersion;
    else keepVersion(session.version, request);
    if (request.method === 'GET' && (await resumeComplete(session, request, response))) return;
    const requests = requestIdsOf(body);
    await openingRequests.run(requests, () => session.transport.handleRequest(request, response, body));
    if (session.transport.sessionId === undefined) await session.server.close();
  }

  /** Number of sessions that have an open request or stream, or had one within `MCP_SESSION_ACTIVE_MS`. */
  activeCount(): number {
    const now = this.#clock.now();
    const isActive = ({ inUse, usedAt }: McpSession): boolean => inUse > 0 || now - usedAt < MCP_SESSION_ACTIVE_MS;
    return [...this.#sessions.values()].filter(isActive).length;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(session => session.server.close()));
  }

  #release(id: string, session: McpSession): void {
    session.inUse -= 1;
    session.usedAt = this.#clock.now();
    if (session.inUse > 0 || this.#sessions.get(id) !== session) return;
    session.cancelIdleTimer();
    session.cancelIdleTimer = this.#clock.after(MCP_SESSION_IDLE_MS, () => this.#close(session, 'idle'));
  }

  #forget(id: string): void {
    this.#sessions.get(id)?.cancelIdleTimer();
    this.#sessions.delete(id);
  }

  #evictLongestIdle(): boolean {
    const now = this.#clock.now();
    const idle = [...this.#sessions.entries()].filter(([, { inUse, usedAt, hasOpenedStream }]) => {
      // A client that has closed its stream has ended; one that never had a stream may only be between two requests.
      const limit = hasOpenedStream ? MCP_SESSION_ACTIVE_MS : MCP_SESSION_EVICTABLE_MS;
      return inUse === 0 && now - usedAt >= limit;
    });
    const oldest = idle.reduce<(typeof idle)[number] | undefined>(
      (best, one) => (best === undefined || one[1].usedAt < best[1].usedAt ? one : best),
      undefined,
    );
    if (oldest === undefined) return false;
    this.#forget(oldest[0]);
    this.#evicted.add(oldest[0]);
    for (const id of this.#evicted) {
      if (this.#evicted.size <= MAX_REMEMBERED) break;
      this.#evicted.delete(id);
    }
    this.#close(oldest[1], 'evicted');
    return true;
  }

  #close(session: McpSession, reason: string): void {
    this.#log.info('mcp session closed', { reason });
    session.server.close().catch((error: unknown) => this.#log.error('mcp session did not close', error));
  }
}

const requestIdsOf = (body: unknown): readonly RequestId[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message: unknown) => {
    if (typeof message !== 'object' || message === null || !('id' in message) || !('method' in message)) return [];
    return typeof message.id === 'string' || typeof message.id === 'number' ? [message.id] : [];
  });

/**
 * Handles a GET request that the SDK would keep open forever: the rest of a stream that is complete, or that can no longer be resumed.
 * Adds the priming event to a new stream, which the SDK adds to streams of POST requests only. Returns whether the request is answered.
 */
async function resumeComplete(
  { events }: McpSession,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const last = request.headers['last-event-id'];
  if (typeof last !== 'string' || last === '') {
    if (hasPriming(request)) await primeStream(events, response);
    return false;
  }
  if ((await events.getStreamIdForEventId(last)) === STANDALONE_STREAM) return false;
  const rest = events.after(last);
  if (rest !== undefined && !events.isComplete(last)) return false;
  if (rest === undefined || rest.length === 0) {
    // The protocol has no other answer for a client that must not try again.
    sendJsonRpcError(response, 405, -32_000, 'The stream has ended. Nothing is left to resume.');
    return true;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const { id, message } of rest)
    response.write(
      `${message === undefined ? '' : 'event: message\n'}id: ${id}\ndata: ${message === undefined ? '' : JSON.stringify(message)}\n\n`,
    );
  response.end();
  return true;
}

/** Writes the priming event as soon as the SDK has opened the stream. */
async function primeStream(events: SessionEvents, response: ServerResponse): Promise<void> {
  const id = await events.storeEvent(STANDALONE_STREAM, {});
  const priming = `id: ${id}\nretry: ${MCP_EVENT_LIMITS.retryMs}\ndata: \n\n`;
  const writeHead = response.writeHead.bind(response) as (...args: readonly unknown[]) => ServerResponse;
  response.writeHead = (...args: readonly unknown[]) => {
    const written = writeHead(...args);
    if (args[0] === 200) response.write(priming);
    return written;
  };
}
