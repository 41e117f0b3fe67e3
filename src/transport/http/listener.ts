import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { HTTP_LIMITS } from '../../protocol/limits.ts';
import { createLimitedServer } from './connection-limit.ts';
import { checkRequest } from './guard.ts';
import { listenOnFirstFree, portCandidates } from './port-choice.ts';

/** Handles requests that have passed the guard. `path` is the raw, undecoded path without the query. */
export interface Routes {
  request(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): void;
  /** Whether the request has a valid bearer token; omitted: the routes have none. */
  hasToken?(request: IncomingMessage): boolean;
}

export interface Listener {
  /** The bound port; different from the preferred port if that was in use. */
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Rejects new requests (503), waits up to `HTTP_LIMITS.stopMs` for responses in progress, then closes all connections. */
  stop(): Promise<void>;
}

export interface ListenerOptions {
  /** 0: any free port. */
  readonly preferredPort: number;
  /** The port of the last start, tried first. */
  readonly lastPort?: number | undefined;
  /** Whether only the preferred port may be used. */
  readonly isFixed?: boolean;
  readonly routes: Routes;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits?: Partial<Record<keyof typeof HTTP_LIMITS, number>>;
}

const MIN_REPORT_INTERVAL_MS = 1_000;
/** Characters of a header in the log. */
const MAX_LOGGED_CHARS = 200;
const cut = (header: string): string => header.slice(0, MAX_LOGGED_CHARS);

/** Starts an HTTP server on 127.0.0.1 behind the guard. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { routes, log, clock } = options;
  const limits: Readonly<Record<keyof typeof HTTP_LIMITS, number>> = { ...HTTP_LIMITS, ...options.limits };
  const upgraded = new Set<Duplex>();
  let isStopping = false;

  let reportedAt = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  /** Logs at most one rejection per second, because a page can send thousands. */
  const reportRejected = (verdict: string, { headers: { host = '', origin = '' } }: IncomingMessage): void => {
    const isDue = clock.now() - reportedAt >= MIN_REPORT_INTERVAL_MS;
    if (!isDue) return void (unreported += 1);
    reportedAt = clock.now();
    const others = unreported === 0 ? {} : { others: unreported };
    unreported = 0;
    log.warn('request rejected', { verdict, host: cut(host), origin: cut(origin), ...others });
  };

  /** The status code of a rejection, or `undefined`. Web pages get no further information. */
  const refusal = (request: IncomingMessage, isUpgrade: boolean): number | undefined => {
    const verdict = checkRequest(request.headers, !isUpgrade && routes.hasToken?.(request) === true);
    if (verdict === 'ok') return isStopping ? 503 : undefined;
    reportRejected(verdict, request);
    return 403;
  };

  const server = createLimitedServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 5_000),
      keepAliveTimeout: limits.keepAliveMs,
    },
    limits.connections,
  );
  server.on('request', (request, response) => {
    if (request.socket.destroyed) return;
    const refused = refusal(request, false);
    if (refused !== undefined) return void response.writeHead(refused, { Connection: 'close' }).end();
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    routes.request(request, response, pathOf(request)).catch((error: unknown) => {
      log.error('request failed', error, { path: pathOf(request) });
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { Connection: 'close' }).end();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (socket.destroyed) return;
    socket.on('error', error => log.debug('upgraded connection failed', { reason: error.message }));
    const refused = refusal(request, true);
    if (refused !== undefined) return refuseUpgrade(socket, refused);
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    routes.upgrade(request, socket, head, pathOf(request));
  });

  const candidates =
    options.isFixed === true ? [options.preferredPort] : portCandidates(options.preferredPort, options.lastPort);
  const port = await listenOnFirstFree(server, candidates);
  if (options.preferredPort !== 0 && port !== options.preferredPort && port !== options.lastPort)
    log.warn('the preferred port is in use', { preferred: options.preferredPort, port });

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      isStopping = true;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      const cancelTimer = clock.after(limits.stopMs, () => {
        server.closeAllConnections();
        for (const socket of upgraded) socket.destroy();
      });
      await closed;
      cancelTimer();
    },
  };
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/';

/** Rejects an upgrade with an HTTP response. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  contentType = 'text/plain',
  body: string | Uint8Array = '',
): void {
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Refused'}`,
    'Connection: close',
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // A client that keeps its side open would otherwise keep a connection of the limit, and a stop waiting.
  socket.end(body, () => socket.destroy());
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
