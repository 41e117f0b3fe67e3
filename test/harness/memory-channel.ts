import { Emitter } from '../../src/base/emitter.ts';
import { MAX_UNPROVED_BYTES } from '../../src/protocol/limits.ts';
import type { StudioChannel } from '../../src/ports/studio-channel.ts';

/** A channel without a socket, and the peer at its other end. */
export interface ChannelPair {
  readonly channel: StudioChannel;
  readonly peer: {
    send(text: string): void;
    /** The messages received from the channel, in order. */
    readonly received: readonly string[];
    close(reason: string): void;
  };
}

/** Creates a pair in memory that delivers synchronously. */
export function memoryChannel(): ChannelPair {
  const message = new Emitter<string>();
  const closed = new Emitter<{ readonly reason: string }>();
  const received: string[] = [];
  let isOpen = true;
  let isLimited = true;
  let sentBytes = 0;
  const close = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    closed.fire({ reason });
  };
  const send = (text: string): void => {
    sentBytes += Buffer.byteLength(text);
    if (isLimited && sentBytes > MAX_UNPROVED_BYTES) close('too many bytes before a proof');
    if (isOpen) message.fire(text);
  };
  return {
    channel: {
      send: text => void (isOpen && received.push(text)),
      onMessage: message.event,
      onClosed: closed.event,
      liftLimit: () => void (isLimited = false),
      close,
    },
    peer: { send, received, close },
  };
}
