import { WebSocket } from 'ws';
import { decodeMsgpack } from '../../src/protocol/msgpack/decode.ts';
import type { ReadResponse, ServerInfo } from '../../src/protocol/studio/messages.ts';
import type { StudioKey } from '../../src/ports/studio-keys.ts';
import { testKey } from './memory-studio-keys.ts';
import { proveKey, sessionHeaders } from './prove-key.ts';
import { FakeStudio, type PlaceInstance } from './fake-studio.ts';

export interface ConnectedStudio extends AsyncDisposable {
  readonly studio: FakeStudio;
  /** Every frame that the bridge sent, in order. */
  readonly frames: readonly { readonly type: string; readonly [key: string]: unknown }[];
  /** Resolves with the reason once the bridge closes the socket. */
  readonly closed: Promise<string>;
  /** Resolves with the token for HTTP requests. */
  readonly token: Promise<string>;
}

/**
 * Connects a fake Studio through a real socket, after proving its key. Before each comparison it reads the tree over HTTP, as a plugin does. Resolves once the
 * bridge has answered the greeting, also with an error; rejects when the bridge refuses the upgrade.
 */
export async function connectFakeStudio(
  studioUrl: string,
  place: Record<string, PlaceInstance>,
  hello: object,
  key: StudioKey = testKey,
): Promise<ConnectedStudio> {
  let tree: ReadResponse | undefined;
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${studioUrl}${path}`, { headers: sessionHeaders(await token) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return decodeMsgpack(new Uint8Array(await response.arrayBuffer())) as T;
  };
  const readTree = async (): Promise<void> => {
    const { rootInstanceId } = await get<ServerInfo>('/api/rojo');
    tree = await get<ReadResponse>(`/api/read/${rootInstanceId}`);
  };
  const studio = new FakeStudio(() => tree ?? { sessionId: '', messageCursor: 0, instances: {} }, place);
  const socket = new WebSocket(`${studioUrl.replace('http', 'ws')}/api/mcp/stream`);
  const frames: { type: string }[] = [];
  const greeted = Promise.withResolvers<void>();
  const closed = new Promise<string>(resolve => socket.once('close', (_code, reason) => resolve(String(reason))));
  socket.once('error', greeted.reject);
  const token = new Promise(resolve => socket.once('open', resolve)).then(() => proveKey(socket, key));
  token.then(() => studio.hello(hello), greeted.reject);
  socket.on('message', (bytes: Buffer) => {
    const frame = JSON.parse(String(bytes)) as { type: string; requestId?: string };
    if (frame.type === 'challenge' || frame.type === 'proved') return;
    frames.push(frame);
    greeted.resolve();
    if (frame.type === 'welcome' || frame.type === 'rejected' || frame.type.startsWith('review')) return;
    const ready = frame.type === 'compare' ? readTree() : Promise.resolve();
    ready.then(
      () => studio.channel.send(String(bytes)),
      // The bridge may have stopped, or have a new key.
      (error: unknown) =>
        studio.sendRaw({ type: 'failed', requestId: frame.requestId ?? '', code: 'http', message: String(error) }),
    );
  });
  studio.channel.onMessage(text => socket.send(text));
  studio.channel.onClosed(() => socket.terminate());
  await greeted.promise;
  return {
    studio,
    frames,
    closed,
    token,
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}
