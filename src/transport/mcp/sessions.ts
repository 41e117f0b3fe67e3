import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { MAX_MCP_SESSIONS, MCP_SESSION_ACTIVE_MS, MCP_SESSION_IDLE_MS } from '../../protocol/limits.ts';

/** The session of one client: its MCP server, addressed by session id and toolset. */
interface McpSession {
  readonly toolset: string | undefined;
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
  /** Number of open requests and streams. */
  inUse: number;
  /** `Clock.now()` at the end of the last request. */
  usedAt: number;
  cancelIdleTimer: () => void;
}

/** The sessions of all MCP clients: at most `MAX_MCP_SESSIONS`. A session closes `MCP_SESSION_IDLE_MS` after its last request. */
export class McpSessions {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #sessions = new Map<string, McpSession>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  has(id: string, toolset: string | undefined): boolean {
    const session = this.#sessions.get(id);
    return session !== undefined && session.toolset === toolset;
  }

  /**
   * Opens the session `id`; `connect` creates its server. If the limit is reached, closes the session that has been idle longest. Returns
   * `false` if no session is idle.
   */
  async open(
    id: string,
    toolset: string | undefined,
    connect: (onCancelled: (request: RequestId) => void) => Server,
  ): Promise<boolean> {
    if (this.#sessions.size >= MAX_MCP_SESSIONS && !this.#evictLongestIdle()) return false;
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = connect(request => transport.closeSSEStream(request));
    const session = {
      toolset,
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
    session.cancelIdleTimer();
    response.once('close', () => this.#release(id, session));
    await session.transport.handleRequest(request, response, body);
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
    const idle = [...this.#sessions.entries()].filter(([, session]) => session.inUse === 0);
    const oldest = idle.reduce<(typeof idle)[number] | undefined>(
      (best, one) => (best === undefined || one[1].usedAt < best[1].usedAt ? one : best),
      undefined,
    );
    if (oldest === undefined) return false;
    this.#forget(oldest[0]);
    this.#close(oldest[1], 'evicted');
    return true;
  }

  #close(session: McpSession, reason: string): void {
    this.#log.info('mcp session closed', { reason });
    session.server.close().catch((error: unknown) => this.#log.error('mcp session did not close', error));
  }
}
