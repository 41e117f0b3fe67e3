import { createHmac, randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { StudioKey } from '../../src/ports/studio-keys.ts';

/** The frames of a key proof, for tests that change or repeat them. */
export interface ProofFrames {
  readonly identify: object;
  /** The answer to the challenge. */
  proof(challenge: Record<string, unknown>): { readonly proof: object; readonly token: string };
}

/** Computes the plugin's side of the handshake. @param port the port that the plugin connects to */
export function proofFrames(key: StudioKey, port: number): ProofFrames {
  const nonce = randomUUID() + randomUUID();
  return {
    identify: { type: 'identify', nonce, keyIds: [key.id] },
    proof({ machine, sessionId, nonce: bridgeNonce }) {
      const codeOf = (role: string): string =>
        createHmac('sha256', Buffer.from(key.secret, 'hex'))
          .update(['atlas-bridge-studio-1', role, machine, sessionId, port, nonce, bridgeNonce].join('\n'))
          .digest('hex');
      return { proof: { type: 'proof', port, code: codeOf('plugin') }, token: codeOf('requests') };
    },
  };
}

/**
 * Proves the key on a socket, once it is open. Resolves with the session token for HTTP requests; rejects with the reason when the bridge refuses.
 */
export async function proveKey(socket: WebSocket, key: StudioKey): Promise<string> {
  const frames = proofFrames(key, Number(new URL(socket.url).port));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let token = '';
  const receive = (bytes: Buffer): void => {
    const frame = JSON.parse(String(bytes)) as Record<string, unknown>;
    if (frame['type'] === 'challenge' && frame['keyId'] !== undefined) {
      const answer = frames.proof(frame);
      ({ token } = answer);
      socket.send(JSON.stringify(answer.proof));
    } else if (frame['type'] === 'proved') resolve(token);
    else if (frame['type'] === 'rejected') reject(new Error(String(frame['reason'])));
  };
  const refuse = (): void => reject(new Error('the bridge closed the connection'));
  socket.on('message', receive);
  socket.once('close', refuse);
  socket.send(JSON.stringify(frames.identify));
  try {
    return await promise;
  } finally {
    socket.off('message', receive);
    socket.off('close', refuse);
  }
}

/** The header of HTTP requests in the session. */
export const sessionHeaders = (token: string): Record<string, string> => ({ 'Atlas-Bridge-Session': token });
