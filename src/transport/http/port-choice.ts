import type { Server } from 'node:http';
import { hasErrorCode } from '../../base/errno.ts';
import { HTTP_LIMITS } from '../../protocol/limits.ts';

/**
 * The ports to try, in order: the kept one, the wished one, those above it, then whatever the system has. 0 is "any" from the start.
 *
 * @param kept what was bound last time; counts only where Studio's plugin would look for it
 */
export function portCandidates(wished: number, kept?: number): readonly number[] {
  if (wished === 0) return [0];
  const above = Array.from({ length: HTTP_LIMITS.portsToTry + 1 }, (_, step) => wished + step);
  const looked = above.filter(port => port <= 65_535);
  const first = kept !== undefined && looked.includes(kept) ? [kept] : [];
  return [...first, ...looked.filter(port => port !== kept), 0];
}

/**
 * Binds `server` to the first free port of 127.0.0.1 among `candidates`.
 *
 * @returns the port that was bound
 * @throws Error what the last attempt failed with
 */
export async function listenOnFirstFree(server: Server, candidates: readonly number[]): Promise<number> {
  let failure: unknown = new Error('no port to listen on');
  for (const port of candidates) {
    try {
      return await listen(server, port);
    } catch (error) {
      // Taken, or reserved by the system (Windows, or below 1024): the next one may be free.
      if (!hasErrorCode(error, 'EADDRINUSE', 'EACCES')) throw error;
      failure = error;
    }
  }
  throw failure instanceof Error ? failure : new Error(String(failure));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the listener has no port'));
      else resolve(address.port);
    });
  });
}
