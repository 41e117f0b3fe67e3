import { createServer } from 'node:net';

/** The first free port of 127.0.0.1 from `wished` on. */
export async function freePort(wished: number): Promise<number> {
  for (let port = wished; port < wished + 100; port += 1) if (await isFree(port)) return port;
  throw new Error(`No port from ${wished} to ${wished + 99} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
