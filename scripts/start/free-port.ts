import { createServer } from 'node:net';

/** Finds the first free port of 127.0.0.1, starting at `preferred`. */
export async function freePort(preferred: number): Promise<number> {
  for (let port = preferred; port < preferred + 100; port += 1) if (await isFree(port)) return port;
  throw new Error(`no free port from ${preferred} to ${preferred + 99}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
