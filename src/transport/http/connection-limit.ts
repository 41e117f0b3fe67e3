import { createServer, IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Creates a server with at most `max` connections. A further one replaces the connection that has waited longest for its client (an
 * incomplete request, or none), so that clients that send nothing do not lock out others. If the bridge is working for all of them, the new
 * one is closed.
 *
 * Closes a connection whose next request arrives before the answer to its last one, because a chunk of 64 KB can contain 2,400 requests. No
 * client of the bridge sends them.
 */
export function createLimitedServer(options: ServerOptions, max: number): Server {
  /** Open connections with their last request, in the order in which that began. */
  const connections = new Map<Socket, { readonly request: IncomingMessage; isAnswered: boolean } | undefined>();
  const isWaitingForClient = (socket: Socket): boolean => {
    const last = connections.get(socket);
    return last === undefined || last.isAnswered || !last.request.complete;
  };
  const begin = (request: IncomingMessage): { isAnswered: boolean } => {
    const state = { request, isAnswered: false };
    connections.delete(request.socket);
    connections.set(request.socket, state);
    return state;
  };
  /** Ends the parsing of a chunk at the first request that is too early: Node parses nothing after a request that upgrades the connection. */
  class LimitedRequest extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket);
      if (connections.get(socket)?.isAnswered !== false) return;
      socket.destroy();
      // The parser assigns the value of the request, which must be ignored.
      Object.defineProperty(this, 'upgrade', { get: () => true, set() {} });
    }
  }
  const server = createServer({ ...options, IncomingMessage: LimitedRequest });
  server.on('connection', socket => {
    if (connections.size >= max) {
      const replaced = Array.from(connections.keys()).find(isWaitingForClient);
      (replaced ?? socket).destroy();
      if (replaced === undefined) return;
      connections.delete(replaced);
    }
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request, response) => {
    const state = begin(request);
    response.once('close', () => (state.isAnswered = true));
  });
  server.on('upgrade', begin);
  return server;
}
