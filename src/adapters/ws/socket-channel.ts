import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ChannelFrame, StudioChannel } from '../../ports/studio-channel.ts';
import { MAX_FRAME_BYTES, MAX_SMALL_FRAME_BYTES, MAX_UNPROVED_BYTES } from '../../protocol/limits.ts';
import { messageMemory, type MessageReservation } from '../../protocol/message-memory.ts';
import { FrameSplitter, withSplitFrames } from './split-frames.ts';
import { watchSocket } from './watched-socket.ts';

/** Creates a channel from an HTTP upgrade. Calls `onChannel` before the first frame can arrive; answers a bad handshake with 400. */
type UpgradeToChannel = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onChannel: (channel: StudioChannel) => void,
) => void;

/** Frames over `MAX_FRAME_BYTES` close the channel. Compression is off, because the peer is on the same machine. */
export function createSocketUpgrade(clock: Clock): UpgradeToChannel {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });
  return (request, socket, head, onChannel) => {
    const part = new Emitter<void>();
    const splitter = new FrameSplitter(() => part.fire());
    const split = withSplitFrames(socket, head, splitter);
    server.handleUpgrade(request, split, Buffer.alloc(0), webSocket => {
      webSocket.binaryType = 'fragments';
      const limit = limitBytes(socket, head.byteLength, () => webSocket.terminate());
      const memory = new ChannelMemory(splitter, () => webSocket.terminate());
      socket.on('data', () => memory.update());
      socket.once('close', () => memory[Symbol.dispose]());
      const isNextText = (): boolean => splitter.isText.shift() === true;
      onChannel({ ...socketChannel(webSocket, clock, limit, memory, isNextText), onPart: part.event });
    });
  };
}

/** Calls `end` when more than `MAX_UNPROVED_BYTES` arrive. Counts raw bytes, because `ws` keeps incomplete messages in memory. */
function limitBytes(socket: Duplex, alreadyRead: number, end: () => void): Disposable {
  let received = alreadyRead;
  const count = (chunk: Buffer): void => {
    received += chunk.byteLength;
    if (received > MAX_UNPROVED_BYTES) end();
  };
  socket.on('data', count);
  return { [Symbol.dispose]: () => void socket.off('data', count) };
}

/** The memory of the messages of one channel: the unfinished one, and those that wait until they are decoded. */
class ChannelMemory {
  readonly #splitter: FrameSplitter;
  readonly #reservation: MessageReservation;
  #waitingBytes = 0;
  #isPaused = false;

  /** @param drop ends the channel */
  constructor(splitter: FrameSplitter, drop: () => void) {
    this.#splitter = splitter;
    this.#reservation = messageMemory.reserve(drop);
  }

  update(): void {
    // A message is joined before it is decoded.
    const bytes = this.#splitter.pendingBytes + 2 * this.#waitingBytes;
    // Small messages are decoded at once, and an idle channel must never be the one that is dropped.
    this.#reservation.resize(bytes > MAX_SMALL_FRAME_BYTES ? bytes : 0);
  }

  /** Counts a message that was passed on. Its receiver pauses the channel while messages wait. */
  add(bytes: number): void {
    if (this.#isPaused) this.#waitingBytes += bytes;
    this.update();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#waitingBytes = 0;
    this.update();
  }

  [Symbol.dispose](): void {
    this.#reservation[Symbol.dispose]();
  }
}

function socketChannel(
  socket: WebSocket,
  clock: Clock,
  limit: Disposable,
  memory: ChannelMemory,
  isNextText: () => boolean,
): StudioChannel {
  const message = new Emitter<ChannelFrame>();
  const { onClosed, isClosed, close, latencyMs } = watchSocket(socket, clock);
  socket.on('message', (pieces: Buffer[]) => {
    // Messages are text, so binary frames are ignored.
    if (!isNextText() || isClosed()) return;
    const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    try {
      message.fire(size > MAX_SMALL_FRAME_BYTES ? pieces : utf8.decode(Buffer.concat(pieces, size)));
      memory.add(size);
    } catch (error) {
      // An exception in an event handler would end the process, and with it the work of all other peers.
      close(error instanceof Error ? error.message : 'the message failed');
    }
  });
  return {
    send(text) {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    onMessage: message.event,
    onClosed,
    latencyMs,
    liftLimit: () => limit[Symbol.dispose](),
    pause() {
      memory.pause();
      socket.pause();
    },
    resume() {
      memory.resume();
      socket.resume();
    },
    close,
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
