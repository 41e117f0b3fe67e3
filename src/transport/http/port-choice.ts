import type { Server } from 'node:http';
import { hasErrorCode } from '../../base/errno.ts';
import { HTTP_LIMITS } from '../../protocol/limits.ts';

/**
 * The ports to try, in order: the last port, the preferred port, the ports above it, then any free port. `preferred` 0 means any free port.
 *
 * @param last the port of the last start; used only if Studio's plugin would look for it
 */
export function portCandidates(preferred: number, last?: number): readonly number[] {
  if (preferred === 0) return [0];
  const above = Array.from({ length: HTTP_LIMITS.portsToTry + 1 }, (_, step) => preferred + step);
  const searched = above.filter(port => port <= 65_535);
  const first = last !== undefined && searched.includes(last) ? [last] : [];
  return [...first, ...searched.filter(port => port !== last), 0];
}

/**
 * Binds `server` to the first free port of 127.0.0.1 among `candidates`.
 *
 * @returns the port that was bound
 * @throws Error the failure of the last attempt
 */
export async function listenOnFirstFree(server: Server, candidates: readonly number[]): Promise<number> {
  let failure: unknown = new Error('no port to listen on');
  for (const port of candidates) {
    try {
      return await listen(server, port);
    } catch (error) {
      // In use, or reserved by the system (Windows, or below 1024): try the next port.
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
