import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy for clients that cannot send a token. It adds the bearer token and passes everything else on unchanged. */
export async function withToken(target: string, token: string): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((request, response) => {
    const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`];
    const onward = send({ hostname, port, path: request.url, method: request.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
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
