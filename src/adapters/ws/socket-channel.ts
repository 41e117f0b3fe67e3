import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StudioChannel } from '../../ports/studio-channel.ts';
import { MAX_FRAME_BYTES } from '../../protocol/limits.ts';
import { watchSocket } from './watched-socket.ts';

/** Makes a channel of an HTTP upgrade. `onChannel` is called before the first frame can arrive; a bad handshake is answered with 400. */
export type UpgradeToChannel = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onChannel: (channel: StudioChannel) => void,
) => void;

/** Frames over `MAX_FRAME_BYTES` close the channel; compression is off, because the peer is on the same machine. */
export function createSocketUpgrade(clock: Clock): UpgradeToChannel {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });
  return (request, socket, head, onChannel) =>
    server.handleUpgrade(request, socket, head, webSocket => onChannel(socketChannel(webSocket, clock)));
}

function socketChannel(socket: WebSocket, clock: Clock): StudioChannel {
  const message = new Emitter<string>();
  const { onClosed, isClosed, close, latencyMs } = watchSocket(socket, clock);
  socket.on('message', (bytes: Buffer, isBinary) => {
    // The conversation is text; a binary frame means nothing in it.
    if (!isBinary && !isClosed()) message.fire(bytes.toString('utf8'));
  });
  return {
    send(text) {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    onMessage: message.event,
    onClosed,
    latencyMs,
    close,
  };
}
