import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../ports/clock.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import { MAX_FEED_FRAME_BYTES } from '../../protocol/limits.ts';
import { encodeMsgpack } from '../../protocol/msgpack/encode.ts';
import { watchSocket } from './watched-socket.ts';

/** Creates a feed from an HTTP upgrade; answers a bad handshake with 400. */
type UpgradeToFeed = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onFeed: (feed: StudioFeed) => void,
) => void;

/** Incoming data of a feed is ignored, so a large message closes it. */
export function createFeedUpgrade(clock: Clock): UpgradeToFeed {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FEED_FRAME_BYTES,
  });
  return (request, socket, head, onFeed) =>
    server.handleUpgrade(request, socket, head, webSocket => {
      const { onClosed, close } = watchSocket(webSocket, clock);
      onFeed({
        onClosed,
        close,
        send: packet =>
          new Promise(resolve => {
            if (webSocket.readyState === webSocket.OPEN)
              webSocket.send(encodeMsgpack(packet), { binary: true }, () => resolve());
            else resolve();
          }),
      });
    });
}
