import { type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { refuseUpgrade, type Routes } from '../../http/listener.ts';
import { createRoutes } from '../../routes.ts';
import type { McpEndpoint } from '../endpoint.ts';
import { sendJsonRpcError } from '../json-rpc-error.ts';
import type { RelayTarget } from './upstream.ts';

/**
 * Forwards MCP clients over HTTP to the bridge of another program, unchanged except for the token. Studio is not forwarded, because it finds
 * that bridge itself.
 *
 * @param target the bridge at the time of a request
 * @param tokens tokens of the clients of this process
 */
export function createHttpRelay(target: () => RelayTarget | undefined, tokens: readonly string[]): Routes {
  const noStudio: Routes = {
    async request(_request, response) {
      response.writeHead(404).end();
    },
    upgrade: (_request, socket) => refuseUpgrade(socket, 404),
  };
  const handle: McpEndpoint['handle'] = async (request, response) => {
    const now = target();
    if (now === undefined) return unavailable(response);
    return forward(request, response, now);
  };
  return createRoutes({ handle }, noStudio, tokens);
}

const unavailable = (response: ServerResponse): void =>
  sendJsonRpcError(response, 502, -32_000, 'The bridge of this folder does not answer. Try again.');

function forward(request: IncomingMessage, response: ServerResponse, { mcpUrl, token }: RelayTarget): Promise<void> {
  const { hostname, port, host } = new URL(mcpUrl);
  const headers = { ...request.headers, host, authorization: `Bearer ${token}` };
  const { promise, resolve } = Promise.withResolvers<void>();
  const onward = send({ hostname, port, path: request.url, method: request.method, headers }, answer => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else unavailable(response);
    resolve();
  });
  response.once('close', () => {
    onward.destroy();
    resolve();
  });
  request.pipe(onward);
  return promise;
}
