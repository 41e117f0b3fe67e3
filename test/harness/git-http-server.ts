import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { GitRemote } from './git-remote.ts';

export interface GitHttpServer extends AsyncDisposable {
  /** `smart`: the server of git. `plain`: a file server. `closed`: always asks for a password. `gone`: answers 404. */
  url(way: 'smart' | 'plain' | 'closed' | 'gone'): string;
  /** How the next requests are answered. `cut`: the connection ends in the middle of the answer. `denied`: as `closed`. */
  answers: 'whole' | 'cut' | 'denied';
  /** Stops listening until `start` is called. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Serves a repository over HTTP on loopback. */
export async function gitHttpServer(remote: GitRemote): Promise<GitHttpServer> {
  const repository = join(remote.folder.path, '.git');
  let port = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const path = pathname.replace(/^\/[^/]*/, '');
    if (made.answers === 'denied' || pathname.startsWith('/closed'))
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    if (pathname.startsWith('/smart')) return runBackend(repository, path, request, response, made.answers === 'cut');
    if (!pathname.startsWith('/plain')) return void response.writeHead(404).end();
    void readFile(join(repository, path)).then(
      bytes => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  const made: GitHttpServer = {
    url: way => `http://127.0.0.1:${port}/${way}`,
    answers: 'whole',
    async start() {
      await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
    async stop() {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
    [Symbol.asyncDispose]: () => made.stop(),
  };
  await made.start();
  return made;
}

/** `git http-backend` is a CGI program: variables and the body in, headers and a body out. */
function runBackend(
  repository: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  isCut: boolean,
): void {
  const header = (name: string): string => String(request.headers[name] ?? '');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: repository,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      PATH_INFO: path,
      QUERY_STRING: new URL(request.url ?? '', 'http://x').search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .subarray(0, end)
      .toString('latin1')
      .split('\r\n')
      .map(line => line.split(': ', 2) as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? '200';
    const body = output.subarray(end + 4);
    response.writeHead(Number(status), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    if (!isCut || request.method === 'GET') return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  });
}
