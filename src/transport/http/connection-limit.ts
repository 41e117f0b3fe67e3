import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Accepts at most `max` connections. A further one replaces the connection that has waited longest for its client (an incomplete request,
 * or none), so that clients that send nothing do not lock out others. If the bridge is working for all of them, the new one is closed.
 *
 * Closes a connection whose next request arrives before the answer to its last one: 64 KB of such requests would be handled in one step.
 * No client of the bridge sends them.
 */
export function limitConnections(server: Server, max: number): void {
  /** Open connections with their last request, in the order in which that began. */
  const connections = new Map<Socket, { readonly request: IncomingMessage; isAnswered: boolean } | undefined>();
  const isWaitingForClient = (socket: Socket): boolean => {
    const last = connections.get(socket);
    return last === undefined || last.isAnswered || !last.request.complete;
  };
  const begin = (request: IncomingMessage): { isAnswered: boolean } => {
    if (connections.get(request.socket)?.isAnswered === false) request.socket.destroy();
    const state = { request, isAnswered: false };
    connections.delete(request.socket);
    connections.set(request.socket, state);
    return state;
  };
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
  server.prependListener('request', (request, response) => {
    const state = begin(request);
    response.once('close', () => (state.isAnswered = true));
  });
  server.prependListener('upgrade', request => begin(request));
}
