import type { Event } from '../base/emitter.ts';
import type { SocketPacket } from '../protocol/studio/messages.ts';

/** An open connection that sends patches of the tree to Studio. */
export interface StudioFeed {
  /** Resolves when the packet is sent or known to be applied, or when the feed is closed. Never rejects. */
  send(packet: SocketPacket): Promise<void>;
  /** Fires once; `reason` is for the log. */
  readonly onClosed: Event<{ readonly reason: string }>;
  close(reason: string): void;
}
