import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A way in for clients that can send no header of their own: everything goes on to `target`, with the bearer token added. A host name
 * that is not the loopback's is passed on as it is, so that the listener behind is what refuses it.
 */
export async function withToken(target: string, token: string): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port, host, pathname } = new URL(target);
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    if (isLoopback(headers.host)) headers.host = host;
    // A page of this machine: the client itself, as it sees us.
    if (headers.origin !== undefined && isLoopback(headers.origin.replace(/^http:\/\//, ''))) delete headers.origin;
    const onward = send({ hostname, port, path: request.url, method: request.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

const isLoopback = (host: string | undefined): boolean => /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host ?? '');
